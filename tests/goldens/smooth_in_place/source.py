"""Kernels of stencil smooth_in_place. Generated from IIR; do not edit."""

import numpy as np

from backends.numba_cpu.runtime.chunks import cut
from backends.numba_cpu.runtime.compiled import kernel, parallel_driver, prange
from backends.numba_cpu.runtime.view import view_unit0, view_unit0_of_chunk

i64 = np.int64
f64 = np.float64


@kernel()
def smooth_in_place_0(u_array, u_new_array, u_new_1_array, u_i, u_j, u_k, ni, nj, weight, first, last, chunk):
    u = view_unit0(u_array, u_i, u_j, u_k)
    u_new = view_unit0_of_chunk(u_new_array, 0, 0, chunk)
    u_new_1 = view_unit0_of_chunk(u_new_1_array, 0, 0, chunk)
    for k in range(first, last):
        for j in range(0, nj):
            for i in range(0, ni):
                # u = u + weight * (u[-1, 0, 0] - 2.0 * u + u[1, 0, 0])
                u_new[i, j] = u[i, j, k] + weight * (u[i - 1, j, k] - 2.0 * u[i, j, k] + u[i + 1, j, k])
        for j in range(0, nj):
            for i in range(0, ni):
                # u = u + weight * (u[-1, 0, 0] - 2.0 * u + u[1, 0, 0])
                u[i, j, k] = u_new[i, j]
        for j in range(0, nj):
            for i in range(0, ni):
                # u = u + weight * (u[0, -1, 0] - 2.0 * u + u[0, 1, 0])
                u_new_1[i, j] = u[i, j, k] + weight * (u[i, j - 1, k] - 2.0 * u[i, j, k] + u[i, j + 1, k])
        for j in range(0, nj):
            for i in range(0, ni):
                # u = u + weight * (u[0, -1, 0] - 2.0 * u + u[0, 1, 0])
                u[i, j, k] = u_new_1[i, j]


def run(u_array, u_new_array, u_new_1_array, u_i, u_j, u_k, ni, nj, nk, weight):
    # Workspace u_new_array: f64 [0, ni) x [0, nj) for each chunk, i fastest.
    # Workspace u_new_1_array: f64 [0, ni) x [0, nj) for each chunk, i fastest.
    smooth_in_place_0(u_array, u_new_array, u_new_1_array, u_i, u_j, u_k, ni, nj, weight, 0, nk, 0)


@parallel_driver
def run_parallel(u_array, u_new_array, u_new_1_array, u_i, u_j, u_k, ni, nj, nk, weight, chunks):
    # Workspace u_new_array: f64 [0, ni) x [0, nj) for each chunk, i fastest.
    # Workspace u_new_1_array: f64 [0, ni) x [0, nj) for each chunk, i fastest.
    for share in prange(0, chunks):
        chunk = i64(share)
        smooth_in_place_0(
            u_array, u_new_array, u_new_1_array, u_i, u_j, u_k, ni, nj, weight, cut(0, nk, chunk, chunks),
            cut(0, nk, chunk + 1, chunks), chunk,
        )

"""Kernels of stencil smooth_in_place. Generated from IIR; do not edit."""

import numpy as np

from backends.numba_cpu.runtime.chunks import cut
from backends.numba_cpu.runtime.compiled import kernel, parallel_driver, prange
from backends.numba_cpu.runtime.stack import stack_unit0
from backends.numba_cpu.runtime.vectors import narrow_vectors
from backends.numba_cpu.runtime.view import view_unit0

i64 = np.int64
f64 = np.float64


@kernel()
def smooth_in_place_0(u_array, u_i, u_j, u_k, ni, nj, weight, first, last):
    narrow_vectors()
    u_new_array = stack_unit0(f64, 0, ni)
    u_new = view_unit0(u_new_array, 0)
    u_new_1_array = stack_unit0(f64, 0, ni, 2)
    u_new_1 = view_unit0(u_new_1_array, 0, 0)
    u = view_unit0(u_array, u_i, u_j, u_k)
    for k in range(first, last):
        for j in range(-2, nj):
            if -2 <= j < nj - 2:
                for i in range(0, ni):
                    # u = u + weight * (u[-1, 0, 0] - 2.0 * u + u[1, 0, 0])
                    u_new[i] = u[i, j + 2, k] + (
                        weight
                        * (u[i - 1, j + 2, k] - 2.0 * u[i, j + 2, k] + u[i + 1, j + 2, k])
                    )
                for i in range(0, ni):
                    # u = u + weight * (u[-1, 0, 0] - 2.0 * u + u[1, 0, 0])
                    u[i, j + 2, k] = u_new[i]
            if -1 <= j < nj - 1:
                for i in range(0, ni):
                    # u = u + weight * (u[0, -1, 0] - 2.0 * u + u[0, 1, 0])
                    u_new_1[i, (j + 1) & 1] = (
                        u[i, j + 1, k]
                        + weight * (u[i, j, k] - 2.0 * u[i, j + 1, k] + u[i, j + 2, k])
                    )
            if 0 <= j < nj:
                for i in range(0, ni):
                    # u = u + weight * (u[0, -1, 0] - 2.0 * u + u[0, 1, 0])
                    u[i, j, k] = u_new_1[i, j & 1]


def run(u_array, u_i, u_j, u_k, ni, nj, nk, weight):
    smooth_in_place_0(u_array, u_i, u_j, u_k, ni, nj, weight, 0, nk)


@parallel_driver
def run_parallel(u_array, u_i, u_j, u_k, ni, nj, nk, weight, chunks):
    for share in prange(0, chunks):
        chunk = i64(share)
        smooth_in_place_0(
            u_array, u_i, u_j, u_k, ni, nj, weight, cut(0, nk, chunk, chunks), cut(0, nk, chunk + 1, chunks),
        )

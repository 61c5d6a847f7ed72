"""Kernels of stencil overlapping_sweep. Generated from IIR; do not edit."""

import numpy as np

from backends.numba_cpu.runtime.chunks import cut
from backends.numba_cpu.runtime.compiled import kernel, parallel_driver, prange
from backends.numba_cpu.runtime.view import view_unit0

i64 = np.int64


@kernel()
def overlapping_sweep_0(u_array, a_array, u_i, u_j, u_k, a_i, a_j, a_k, ni, nk, first, last):
    u = view_unit0(u_array, u_i, u_j, u_k)
    a = view_unit0(a_array, a_i, a_j, a_k)
    for j in range(first, last):
        for strip in range(0, ni, 64):
            for k in range(0, nk):
                if 1 <= k < nk:
                    for i in range(strip, min(strip + 64, ni)):
                        # u = 0.5 * (u + u[0, 0, -1])
                        u[i, j, k] = 0.5 * (u[i, j, k] + u[i, j, k - 1])
                if 0 <= k < 2:
                    for i in range(strip, min(strip + 64, ni)):
                        # u += a
                        u[i, j, k] = u[i, j, k] + a[i, j, k]
                if nk - 2 <= k < nk:
                    for i in range(strip, min(strip + 64, ni)):
                        # u = u * a + u[0, 0, -1]
                        u[i, j, k] = u[i, j, k] * a[i, j, k] + u[i, j, k - 1]


def run(u_array, a_array, u_i, u_j, u_k, a_i, a_j, a_k, ni, nj, nk):
    overlapping_sweep_0(u_array, a_array, u_i, u_j, u_k, a_i, a_j, a_k, ni, nk, 0, nj)


@parallel_driver
def run_parallel(u_array, a_array, u_i, u_j, u_k, a_i, a_j, a_k, ni, nj, nk, chunks):
    for share in prange(0, chunks):
        chunk = i64(share)
        overlapping_sweep_0(
            u_array, a_array, u_i, u_j, u_k, a_i, a_j, a_k, ni, nk, cut(0, nj, chunk, chunks),
            cut(0, nj, chunk + 1, chunks),
        )

"""Kernels of stencil rayleigh_damping. Generated from IIR; do not edit."""

import numpy as np

from backends.numba_cpu.runtime.chunks import cut
from backends.numba_cpu.runtime.compiled import kernel, parallel_driver, prange
from backends.numba_cpu.runtime.stack import stack_unit0
from backends.numba_cpu.runtime.view import view_unit0

i64 = np.int64
f64 = np.float64


@kernel()
def rayleigh_damping_0(
    u_array, wind_array, u_i, u_j, u_k, wind_i, wind_j, wind_k, ni, nk, damping, first_, first, last,
):
    total_array = stack_unit0(f64, 0, 64, 2)
    u = view_unit0(u_array, u_i, u_j, u_k)
    wind = view_unit0(wind_array, wind_i, wind_j, wind_k)
    first__level = i64(first_)
    for j in range(first, last):
        for strip in range(0, ni, 64):
            total = view_unit0(total_array, -strip, 0)
            for k in range(first__level, nk):
                for i in range(strip, min(strip + 64, ni)):
                    # u -= damping * (u - wind)
                    u[i, j, k] = u[i, j, k] - damping * (u[i, j, k] - wind[i, j, k])
            for k in range(nk - 1, -1, -1):
                if nk - 1 <= k < nk:
                    for i in range(strip, min(strip + 64, ni)):
                        # total = u
                        total[i, k & 1] = u[i, j, k]
                if first__level <= k < nk - 1:
                    for i in range(strip, min(strip + 64, ni)):
                        # total = total[0, 0, 1] + u
                        total[i, k & 1] = total[i, (k + 1) & 1] + u[i, j, k]
                if 0 <= k < first__level:
                    for i in range(strip, min(strip + 64, ni)):
                        # total = 0.0
                        total[i, k & 1] = 0.0
                for i in range(strip, min(strip + 64, ni)):
                    # wind = total
                    wind[i, j, k] = total[i, k & 1]


def run(u_array, wind_array, u_i, u_j, u_k, wind_i, wind_j, wind_k, ni, nj, nk, damping, first_):
    rayleigh_damping_0(
        u_array, wind_array, u_i, u_j, u_k, wind_i, wind_j, wind_k, ni, nk, damping, first_, 0, nj,
    )


@parallel_driver
def run_parallel(
    u_array, wind_array, u_i, u_j, u_k, wind_i, wind_j, wind_k, ni, nj, nk, damping, first_, chunks,
):
    for share in prange(0, chunks):
        chunk = i64(share)
        rayleigh_damping_0(
            u_array, wind_array, u_i, u_j, u_k, wind_i, wind_j, wind_k, ni, nk, damping, first_,
            cut(0, nj, chunk, chunks), cut(0, nj, chunk + 1, chunks),
        )

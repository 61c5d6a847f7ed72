"""Kernels of stencil rayleigh_damping. Generated from IIR; do not edit."""

import numpy as np

from backends.numba_cpu.runtime.chunks import cut
from backends.numba_cpu.runtime.compiled import kernel, parallel_driver, prange
from backends.numba_cpu.runtime.view import view_unit0, view_unit0_of_chunk

i64 = np.int64
f64 = np.float64


@kernel()
def rayleigh_damping_0(
    u_array, wind_array, total_array, u_i, u_j, u_k, wind_i, wind_j, wind_k, ni, nk, damping, first_, first,
    last, chunk,
):
    u = view_unit0(u_array, u_i, u_j, u_k)
    wind = view_unit0(wind_array, wind_i, wind_j, wind_k)
    total = view_unit0_of_chunk(total_array, 0, 0, chunk)
    first__level = i64(first_)
    for j in range(first, last):
        for k in range(first__level, nk):
            for i in range(0, ni):
                # u -= damping * (u - wind)
                u[i, j, k] = u[i, j, k] - damping * (u[i, j, k] - wind[i, j, k])
        for k in range(nk - 1, -1, -1):
            if nk - 1 <= k < nk:
                for i in range(0, ni):
                    # total = u
                    total[i, k] = u[i, j, k]
            if first__level <= k < nk - 1:
                for i in range(0, ni):
                    # total = total[0, 0, 1] + u
                    total[i, k] = total[i, k + 1] + u[i, j, k]
            if 0 <= k < first__level:
                for i in range(0, ni):
                    # total = 0.0
                    total[i, k] = 0.0
            for i in range(0, ni):
                # wind = total
                wind[i, j, k] = total[i, k]


def run(u_array, wind_array, total_array, u_i, u_j, u_k, wind_i, wind_j, wind_k, ni, nj, nk, damping, first_):
    # Workspace total_array: f64 [0, ni) x [0, nk) for each chunk, i fastest.
    rayleigh_damping_0(
        u_array, wind_array, total_array, u_i, u_j, u_k, wind_i, wind_j, wind_k, ni, nk, damping, first_, 0,
        nj, 0,
    )


@parallel_driver
def run_parallel(
    u_array, wind_array, total_array, u_i, u_j, u_k, wind_i, wind_j, wind_k, ni, nj, nk, damping, first_,
    chunks,
):
    # Workspace total_array: f64 [0, ni) x [0, nk) for each chunk, i fastest.
    for share in prange(0, chunks):
        chunk = i64(share)
        rayleigh_damping_0(
            u_array, wind_array, total_array, u_i, u_j, u_k, wind_i, wind_j, wind_k, ni, nk, damping, first_,
            cut(0, nj, chunk, chunks), cut(0, nj, chunk + 1, chunks), chunk,
        )

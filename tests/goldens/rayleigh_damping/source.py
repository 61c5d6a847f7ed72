"""Kernels of stencil rayleigh_damping. Generated from IIR; do not edit."""

import numpy as np

from backends.numba_cpu.runtime.chunks import cut
from backends.numba_cpu.runtime.compiled import kernel, parallel_driver, prange
from backends.numba_cpu.runtime.view import view_unit0

i64 = np.int64
f64 = np.float64


@kernel()
def rayleigh_damping_0(
    u_array, wind_array, u_i, u_j, u_k, wind_i, wind_j, wind_k, ni, nj, nk, damping, first, last,
):
    u = view_unit0(u_array, u_i, u_j, u_k)
    wind = view_unit0(wind_array, wind_i, wind_j, wind_k)
    for k in range(first, last):
        for j in range(0, nj):
            for i in range(0, ni):
                # u -= damping * (u - wind)
                u[i, j, k] = u[i, j, k] - damping * (u[i, j, k] - wind[i, j, k])


@kernel()
def rayleigh_damping_1(
    u_array, wind_array, total_array, u_i, u_j, u_k, wind_i, wind_j, wind_k, ni, nj, nk, first_, first,
    last,
):
    u = view_unit0(u_array, u_i, u_j, u_k)
    wind = view_unit0(wind_array, wind_i, wind_j, wind_k)
    total = view_unit0(total_array, 0, 0, 0)
    first__level = i64(first_)
    for j in range(first, last):
        for k in range(max(nk, first__level) - 1, min(nk - 1, first__level, 0) - 1, -1):
            if nk - 1 <= k < nk:
                for i in range(0, ni):
                    # total = u
                    total[i, j, k] = u[i, j, k]
            if first__level <= k < nk - 1:
                for i in range(0, ni):
                    # total = total[0, 0, 1] + u
                    total[i, j, k] = total[i, j, k + 1] + u[i, j, k]
            if 0 <= k < first__level:
                for i in range(0, ni):
                    # total = 0.0
                    total[i, j, k] = 0.0
            if 0 <= k < nk:
                for i in range(0, ni):
                    # wind = total
                    wind[i, j, k] = total[i, j, k]


def run(
    u_array, wind_array, total_array, u_i, u_j, u_k, wind_i, wind_j, wind_k, ni, nj, nk, damping,
    first_,
):
    first__level = i64(first_)
    rayleigh_damping_0(
        u_array, wind_array, u_i, u_j, u_k, wind_i, wind_j, wind_k, ni, nj, nk, damping, first__level, nk,
    )
    # Workspace total_array: f64 [0, ni) x [0, nj) x [0, nk), i fastest.
    rayleigh_damping_1(
        u_array, wind_array, total_array, u_i, u_j, u_k, wind_i, wind_j, wind_k, ni, nj, nk, first_, 0, nj,
    )


@parallel_driver
def run_parallel(
    u_array, wind_array, total_array, u_i, u_j, u_k, wind_i, wind_j, wind_k, ni, nj, nk, damping,
    first_, chunks,
):
    first__level = i64(first_)
    for share in prange(0, chunks):
        chunk = i64(share)
        rayleigh_damping_0(
            u_array, wind_array, u_i, u_j, u_k, wind_i, wind_j, wind_k, ni, nj, nk, damping,
            cut(first__level, nk, chunk, chunks), cut(first__level, nk, chunk + 1, chunks),
        )
    # Workspace total_array: f64 [0, ni) x [0, nj) x [0, nk), i fastest.
    for share in prange(0, chunks):
        chunk = i64(share)
        rayleigh_damping_1(
            u_array, wind_array, total_array, u_i, u_j, u_k, wind_i, wind_j, wind_k, ni, nj, nk, first_,
            cut(0, nj, chunk, chunks), cut(0, nj, chunk + 1, chunks),
        )

"""Kernels of stencil upwind. Generated from IIR; do not edit."""

import numpy as np

from backends.numba_cpu.runtime.choice import select
from backends.numba_cpu.runtime.chunks import cut
from backends.numba_cpu.runtime.compiled import kernel, parallel_driver, prange
from backends.numba_cpu.runtime.stack import stack_unit0
from backends.numba_cpu.runtime.vectors import narrow_vectors
from backends.numba_cpu.runtime.view import view_unit0

i64 = np.int64
f64 = np.float64


@kernel()
def upwind_0(
    q_array, u_array, v_array, w_array, out_array, q_i, q_j, q_k, u_i, u_j, u_k, v_i, v_j, v_k, w_i, w_j, w_k,
    out_i, out_j, out_k, ni, nj, nk, dt_dx, dt_dz, first, last,
):
    narrow_vectors()
    vertical_part_array = stack_unit0(f64, 0, ni)
    vertical_part = view_unit0(vertical_part_array, 0)
    q = view_unit0(q_array, q_i, q_j, q_k)
    u = view_unit0(u_array, u_i, u_j, u_k)
    v = view_unit0(v_array, v_i, v_j, v_k)
    w = view_unit0(w_array, w_i, w_j, w_k)
    out = view_unit0(out_array, out_i, out_j, out_k)
    for k in range(first, last):
        for j in range(0, nj):
            if 0 <= k < 1:
                for i in range(0, ni):
                    # vertical_part = dt_dz * advective(w, q, q, q[0, 0, 1])
                    vertical_part[i] = dt_dz * (
                        w[i, j, k]
                        * select(w[i, j, k] > 0.0, q[i, j, k] - q[i, j, k], q[i, j, k + 1] - q[i, j, k])
                    )
            if 1 <= k < nk - 1:
                for i in range(0, ni):
                    # vertical_part = dt_dz * advective(w, q[0, 0, -1], q, q[0, 0, 1])
                    vertical_part[i] = dt_dz * (
                        w[i, j, k]
                        * select(w[i, j, k] > 0.0, q[i, j, k] - q[i, j, k - 1], q[i, j, k + 1] - q[i, j, k])
                    )
            if nk - 1 <= k < nk:
                for i in range(0, ni):
                    # vertical_part = dt_dz * advective(w, q[0, 0, -1], q, q)
                    vertical_part[i] = dt_dz * (
                        w[i, j, k]
                        * select(w[i, j, k] > 0.0, q[i, j, k] - q[i, j, k - 1], q[i, j, k] - q[i, j, k])
                    )
            for i in range(0, ni):
                # horizontal_part = dt_dx * ( advective(u, q[-1, 0, 0], q, q[1, 0, 0]) + advective(v, q[0, -1, 0], ...
                horizontal_part = dt_dx * (
                    u[i, j, k] * select(
                        u[i, j, k] > 0.0,
                        q[i, j, k] - q[i - 1, j, k],
                        q[i + 1, j, k] - q[i, j, k],
                    )
                    + v[i, j, k] * select(
                        v[i, j, k] > 0.0,
                        q[i, j, k] - q[i, j - 1, k],
                        q[i, j + 1, k] - q[i, j, k],
                    )
                )
                # out = q - horizontal_part - vertical_part
                out[i, j, k] = q[i, j, k] - horizontal_part - vertical_part[i]


def run(
    q_array, u_array, v_array, w_array, out_array, q_i, q_j, q_k, u_i, u_j, u_k, v_i, v_j, v_k, w_i, w_j, w_k,
    out_i, out_j, out_k, ni, nj, nk, dt_dx, dt_dz,
):
    upwind_0(
        q_array, u_array, v_array, w_array, out_array, q_i, q_j, q_k, u_i, u_j, u_k, v_i, v_j, v_k, w_i, w_j,
        w_k, out_i, out_j, out_k, ni, nj, nk, dt_dx, dt_dz, 0, nk,
    )


@parallel_driver
def run_parallel(
    q_array, u_array, v_array, w_array, out_array, q_i, q_j, q_k, u_i, u_j, u_k, v_i, v_j, v_k, w_i, w_j, w_k,
    out_i, out_j, out_k, ni, nj, nk, dt_dx, dt_dz, chunks,
):
    for share in prange(0, chunks):
        chunk = i64(share)
        upwind_0(
            q_array, u_array, v_array, w_array, out_array, q_i, q_j, q_k, u_i, u_j, u_k, v_i, v_j, v_k, w_i,
            w_j, w_k, out_i, out_j, out_k, ni, nj, nk, dt_dx, dt_dz, cut(0, nk, chunk, chunks),
            cut(0, nk, chunk + 1, chunks),
        )

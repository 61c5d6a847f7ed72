"""Kernels of stencil masked_gradient. Generated from IIR; do not edit."""

import numpy as np

from backends.numba_cpu.runtime.choice import select
from backends.numba_cpu.runtime.chunks import cut
from backends.numba_cpu.runtime.compiled import kernel, parallel_driver, prange
from backends.numba_cpu.runtime.division import floormod
from backends.numba_cpu.runtime.view import view_unit0
from backends.numba_cpu.runtime.wrapping import wrapping_add

i32 = np.int32
i64 = np.int64
f64 = np.float64


@kernel()
def masked_gradient_0(
    flag_array, u_array, out_array, count_array, flag_i, flag_j, flag_k, u_i, u_j, u_k, out_i, out_j, out_k,
    count_i, count_j, count_k, ni, nj, first, last,
):
    flag = view_unit0(flag_array, flag_i, flag_j, flag_k)
    u = view_unit0(u_array, u_i, u_j, u_k)
    out = view_unit0(out_array, out_i, out_j, out_k)
    count = view_unit0(count_array, count_i, count_j, count_k)
    for k in range(first, last):
        for j in range(0, nj):
            for i in range(0, ni):
                # gradient = 0.0
                gradient = f64(0.0)
                # same = 0
                same = i64(0)
                # if flag == flag[1, 0, 0] and flag != 0:
                if (flag[i, j, k] == flag[i + 1, j, k]) & (flag[i, j, k] != i32(0)):
                    gradient = gradient + (u[i + 1, j, k] - u[i, j, k])
                    same = wrapping_add(same, i64(1))
                # if flag == flag[0, 1, 0] and not flag == 0:
                if (flag[i, j, k] == flag[i, j + 1, k]) & (not flag[i, j, k] == i32(0)):
                    gradient = gradient + (u[i, j + 1, k] - u[i, j, k])
                    same = wrapping_add(same, i64(1))
                # out = gradient if same > 0 else u
                out[i, j, k] = select(same > 0, gradient, u[i, j, k])
                # count = same % 2
                count[i, j, k] = i32(floormod(same, i64(2)))


def run(
    flag_array, u_array, out_array, count_array, flag_i, flag_j, flag_k, u_i, u_j, u_k, out_i, out_j, out_k,
    count_i, count_j, count_k, ni, nj, nk,
):
    masked_gradient_0(
        flag_array, u_array, out_array, count_array, flag_i, flag_j, flag_k, u_i, u_j, u_k, out_i, out_j,
        out_k, count_i, count_j, count_k, ni, nj, 0, nk,
    )


@parallel_driver
def run_parallel(
    flag_array, u_array, out_array, count_array, flag_i, flag_j, flag_k, u_i, u_j, u_k, out_i, out_j, out_k,
    count_i, count_j, count_k, ni, nj, nk, chunks,
):
    for share in prange(0, chunks):
        chunk = i64(share)
        masked_gradient_0(
            flag_array, u_array, out_array, count_array, flag_i, flag_j, flag_k, u_i, u_j, u_k, out_i, out_j,
            out_k, count_i, count_j, count_k, ni, nj, cut(0, nk, chunk, chunks),
            cut(0, nk, chunk + 1, chunks),
        )

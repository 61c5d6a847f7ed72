"""Kernels of stencil tridiagonal. Generated from IIR; do not edit."""

import numpy as np

from backends.numba_cpu.runtime.chunks import cut
from backends.numba_cpu.runtime.compiled import kernel, parallel_driver, prange
from backends.numba_cpu.runtime.stack import stack_unit0
from backends.numba_cpu.runtime.view import view_unit0

inf, nan = np.inf, np.nan
i64 = np.int64
f64 = np.float64


@kernel()
def tridiagonal_0(
    inf__array, diag_array, sup_array, rhs_array, out_array, inf__i, inf__j, inf__k, diag_i, diag_j, diag_k,
    sup_i, sup_j, sup_k, rhs_i, rhs_j, rhs_k, out_i, out_j, out_k, ni, nk, first, last,
):
    cp_array = stack_unit0(f64, 0, 64, nk)
    dp_array = stack_unit0(f64, 0, 64, nk)
    out_held_array = stack_unit0(f64, 0, 64, 2)
    inf_ = view_unit0(inf__array, inf__i, inf__j, inf__k)
    diag = view_unit0(diag_array, diag_i, diag_j, diag_k)
    sup = view_unit0(sup_array, sup_i, sup_j, sup_k)
    rhs = view_unit0(rhs_array, rhs_i, rhs_j, rhs_k)
    out = view_unit0(out_array, out_i, out_j, out_k)
    for j in range(first, last):
        for strip in range(0, ni, 64):
            cp = view_unit0(cp_array, -strip, 0)
            dp = view_unit0(dp_array, -strip, 0)
            out_held = view_unit0(out_held_array, -strip, 0)
            for k in range(0, nk):
                if 0 <= k < 1:
                    for i in range(strip, min(strip + 64, ni)):
                        # cp = sup / diag
                        cp[i, k] = sup[i, j, k] / diag[i, j, k]
                        # dp = rhs / diag
                        dp[i, k] = rhs[i, j, k] / diag[i, j, k]
                if 1 <= k < nk:
                    for i in range(strip, min(strip + 64, ni)):
                        # m = 1.0 / (diag - inf * cp[0, 0, -1])
                        m = 1.0 / (diag[i, j, k] - inf_[i, j, k] * cp[i, k - 1])
                        # cp = sup * m
                        cp[i, k] = sup[i, j, k] * m
                        # dp = (rhs - inf * dp[0, 0, -1]) * m
                        dp[i, k] = (rhs[i, j, k] - inf_[i, j, k] * dp[i, k - 1]) * m
            for k in range(nk - 1, -1, -1):
                if nk - 1 <= k < nk:
                    for i in range(strip, min(strip + 64, ni)):
                        # out = dp
                        new_out_held = dp[i, k]
                        out_held[i, k & 1] = new_out_held
                        out[i, j, k] = new_out_held
                if 0 <= k < nk - 1:
                    for i in range(strip, min(strip + 64, ni)):
                        # out = dp - cp * out[0, 0, 1]
                        new_out_held = dp[i, k] - cp[i, k] * out_held[i, (k + 1) & 1]
                        out_held[i, k & 1] = new_out_held
                        out[i, j, k] = new_out_held


def run(
    inf__array, diag_array, sup_array, rhs_array, out_array, inf__i, inf__j, inf__k, diag_i, diag_j, diag_k,
    sup_i, sup_j, sup_k, rhs_i, rhs_j, rhs_k, out_i, out_j, out_k, ni, nj, nk,
):
    tridiagonal_0(
        inf__array, diag_array, sup_array, rhs_array, out_array, inf__i, inf__j, inf__k, diag_i, diag_j,
        diag_k, sup_i, sup_j, sup_k, rhs_i, rhs_j, rhs_k, out_i, out_j, out_k, ni, nk, 0, nj,
    )


@parallel_driver
def run_parallel(
    inf__array, diag_array, sup_array, rhs_array, out_array, inf__i, inf__j, inf__k, diag_i, diag_j, diag_k,
    sup_i, sup_j, sup_k, rhs_i, rhs_j, rhs_k, out_i, out_j, out_k, ni, nj, nk, chunks,
):
    for share in prange(0, chunks):
        chunk = i64(share)
        tridiagonal_0(
            inf__array, diag_array, sup_array, rhs_array, out_array, inf__i, inf__j, inf__k, diag_i, diag_j,
            diag_k, sup_i, sup_j, sup_k, rhs_i, rhs_j, rhs_k, out_i, out_j, out_k, ni, nk,
            cut(0, nj, chunk, chunks), cut(0, nj, chunk + 1, chunks),
        )

"""Kernels of stencil vadv. Generated from IIR; do not edit."""

import numpy as np

from backends.numba_cpu.runtime.chunks import cut
from backends.numba_cpu.runtime.compiled import kernel, parallel_driver, prange
from backends.numba_cpu.runtime.stack import stack_unit0
from backends.numba_cpu.runtime.view import view_unit0

i64 = np.int64
f64 = np.float64


@kernel()
def vadv_0(
    utens_stage_array, u_stage_array, wcon_array, u_pos_array, utens_array, utens_stage_i, utens_stage_j,
    utens_stage_k, u_stage_i, u_stage_j, u_stage_k, wcon_i, wcon_j, wcon_k, u_pos_i, u_pos_j, u_pos_k,
    utens_i, utens_j, utens_k, ni, nk, dtr_stage, first, last,
):
    ccol_array = stack_unit0(f64, 0, 64, nk - 1)
    dcol_array = stack_unit0(f64, 0, 64, nk)
    datacol_array = stack_unit0(f64, 0, 64, 2)
    utens_stage = view_unit0(utens_stage_array, utens_stage_i, utens_stage_j, utens_stage_k)
    u_stage = view_unit0(u_stage_array, u_stage_i, u_stage_j, u_stage_k)
    wcon = view_unit0(wcon_array, wcon_i, wcon_j, wcon_k)
    u_pos = view_unit0(u_pos_array, u_pos_i, u_pos_j, u_pos_k)
    utens = view_unit0(utens_array, utens_i, utens_j, utens_k)
    for j in range(first, last):
        for strip in range(0, ni, 64):
            ccol = view_unit0(ccol_array, -strip, 0)
            dcol = view_unit0(dcol_array, -strip, 0)
            datacol = view_unit0(datacol_array, -strip, 0)
            for k in range(0, nk):
                if 0 <= k < 1:
                    for i in range(strip, min(strip + 64, ni)):
                        # gcv = 0.25 * (wcon[1, 0, 1] + wcon[0, 0, 1])
                        gcv = 0.25 * (wcon[i + 1, j, k + 1] + wcon[i, j, k + 1])
                        # cs = gcv * BET_M
                        cs = gcv * 0.5
                        # ccol = gcv * BET_P
                        new_ccol = gcv * 0.5
                        # bcol = dtr_stage - ccol
                        bcol = dtr_stage - new_ccol
                        # correction = -cs * (u_stage[0, 0, 1] - u_stage)
                        correction = -cs * (u_stage[i, j, k + 1] - u_stage[i, j, k])
                        # dcol = dtr_stage * u_pos + utens + utens_stage + correction
                        new_dcol = (
                            dtr_stage * u_pos[i, j, k]
                            + utens[i, j, k]
                            + utens_stage[i, j, k]
                            + correction
                        )
                        # divided = 1.0 / bcol
                        divided = 1.0 / bcol
                        # ccol = ccol * divided
                        ccol[i, k] = new_ccol * divided
                        # dcol = dcol * divided
                        dcol[i, k] = new_dcol * divided
                if 1 <= k < nk - 1:
                    for i in range(strip, min(strip + 64, ni)):
                        # gav = -0.25 * (wcon[1, 0, 0] + wcon)
                        gav = -0.25 * (wcon[i + 1, j, k] + wcon[i, j, k])
                        # gcv = 0.25 * (wcon[1, 0, 1] + wcon[0, 0, 1])
                        gcv = 0.25 * (wcon[i + 1, j, k + 1] + wcon[i, j, k + 1])
                        # as_ = gav * BET_M
                        as_ = gav * 0.5
                        # cs = gcv * BET_M
                        cs = gcv * 0.5
                        # acol = gav * BET_P
                        acol = gav * 0.5
                        # ccol = gcv * BET_P
                        new_ccol = gcv * 0.5
                        # bcol = dtr_stage - acol - ccol
                        bcol = dtr_stage - acol - new_ccol
                        # correction = -as_ * (u_stage[0, 0, -1] - u_stage) - cs * (u_stage[0, 0, 1] - u_stage)
                        correction = (
                            -as_ * (u_stage[i, j, k - 1] - u_stage[i, j, k])
                            - cs * (u_stage[i, j, k + 1] - u_stage[i, j, k])
                        )
                        # dcol = dtr_stage * u_pos + utens + utens_stage + correction
                        new_dcol = (
                            dtr_stage * u_pos[i, j, k]
                            + utens[i, j, k]
                            + utens_stage[i, j, k]
                            + correction
                        )
                        # divided = 1.0 / (bcol - ccol[0, 0, -1] * acol)
                        divided = 1.0 / (bcol - ccol[i, k - 1] * acol)
                        # ccol = ccol * divided
                        ccol[i, k] = new_ccol * divided
                        # dcol = (dcol - dcol[0, 0, -1] * acol) * divided
                        dcol[i, k] = (new_dcol - dcol[i, k - 1] * acol) * divided
                if nk - 1 <= k < nk:
                    for i in range(strip, min(strip + 64, ni)):
                        # gav = -0.25 * (wcon[1, 0, 0] + wcon)
                        gav = -0.25 * (wcon[i + 1, j, k] + wcon[i, j, k])
                        # as_ = gav * BET_M
                        as_ = gav * 0.5
                        # acol = gav * BET_P
                        acol = gav * 0.5
                        # bcol = dtr_stage - acol
                        bcol = dtr_stage - acol
                        # correction = -as_ * (u_stage[0, 0, -1] - u_stage)
                        correction = -as_ * (u_stage[i, j, k - 1] - u_stage[i, j, k])
                        # dcol = dtr_stage * u_pos + utens + utens_stage + correction
                        new_dcol = (
                            dtr_stage * u_pos[i, j, k]
                            + utens[i, j, k]
                            + utens_stage[i, j, k]
                            + correction
                        )
                        # divided = 1.0 / (bcol - ccol[0, 0, -1] * acol)
                        divided = 1.0 / (bcol - ccol[i, k - 1] * acol)
                        # dcol = (dcol - dcol[0, 0, -1] * acol) * divided
                        dcol[i, k] = (new_dcol - dcol[i, k - 1] * acol) * divided
            for k in range(nk - 1, -1, -1):
                if nk - 1 <= k < nk:
                    for i in range(strip, min(strip + 64, ni)):
                        # datacol = dcol
                        new_datacol = dcol[i, k]
                        datacol[i, k & 1] = new_datacol
                        # utens_stage = dtr_stage * (datacol - u_pos)
                        utens_stage[i, j, k] = dtr_stage * (new_datacol - u_pos[i, j, k])
                if 0 <= k < nk - 1:
                    for i in range(strip, min(strip + 64, ni)):
                        # datacol = dcol - ccol * datacol[0, 0, 1]
                        new_datacol = dcol[i, k] - ccol[i, k] * datacol[i, (k + 1) & 1]
                        datacol[i, k & 1] = new_datacol
                        # utens_stage = dtr_stage * (datacol - u_pos)
                        utens_stage[i, j, k] = dtr_stage * (new_datacol - u_pos[i, j, k])


def run(
    utens_stage_array, u_stage_array, wcon_array, u_pos_array, utens_array, utens_stage_i, utens_stage_j,
    utens_stage_k, u_stage_i, u_stage_j, u_stage_k, wcon_i, wcon_j, wcon_k, u_pos_i, u_pos_j, u_pos_k,
    utens_i, utens_j, utens_k, ni, nj, nk, dtr_stage,
):
    vadv_0(
        utens_stage_array, u_stage_array, wcon_array, u_pos_array, utens_array, utens_stage_i, utens_stage_j,
        utens_stage_k, u_stage_i, u_stage_j, u_stage_k, wcon_i, wcon_j, wcon_k, u_pos_i, u_pos_j, u_pos_k,
        utens_i, utens_j, utens_k, ni, nk, dtr_stage, 0, nj,
    )


@parallel_driver
def run_parallel(
    utens_stage_array, u_stage_array, wcon_array, u_pos_array, utens_array, utens_stage_i, utens_stage_j,
    utens_stage_k, u_stage_i, u_stage_j, u_stage_k, wcon_i, wcon_j, wcon_k, u_pos_i, u_pos_j, u_pos_k,
    utens_i, utens_j, utens_k, ni, nj, nk, dtr_stage, chunks,
):
    for share in prange(0, chunks):
        chunk = i64(share)
        vadv_0(
            utens_stage_array, u_stage_array, wcon_array, u_pos_array, utens_array, utens_stage_i,
            utens_stage_j, utens_stage_k, u_stage_i, u_stage_j, u_stage_k, wcon_i, wcon_j, wcon_k, u_pos_i,
            u_pos_j, u_pos_k, utens_i, utens_j, utens_k, ni, nk, dtr_stage, cut(0, nj, chunk, chunks),
            cut(0, nj, chunk + 1, chunks),
        )

"""Kernels of stencil box_filter. Generated from IIR; do not edit."""

import numpy as np

from backends.numba_cpu.runtime.chunks import cut
from backends.numba_cpu.runtime.compiled import kernel, parallel_driver, prange
from backends.numba_cpu.runtime.view import view_unit0, view_unit0_of_chunk

i64 = np.int64
f64 = np.float64


@kernel()
def box_filter_0(inp_array, rows_array, planes_array, inp_i, inp_j, inp_k, ni, nj, first, last, chunk):
    inp = view_unit0(inp_array, inp_i, inp_j, inp_k)
    rows = view_unit0_of_chunk(rows_array, 0, 1, chunk)
    planes = view_unit0(planes_array, 0, 0, 0)
    for k in range(first, last):
        for j in range(-1, nj + 1):
            for i in range(0, ni):
                # rows = inp[-1, 0, 0] + inp + inp[1, 0, 0]
                rows[i, j] = inp[i - 1, j, k] + inp[i, j, k] + inp[i + 1, j, k]
        for j in range(0, nj):
            for i in range(0, ni):
                # planes = rows[0, -1, 0] + rows + rows[0, 1, 0]
                planes[i, j, k] = rows[i, j - 1] + rows[i, j] + rows[i, j + 1]


@kernel()
def box_filter_1(out_array, planes_array, out_i, out_j, out_k, ni, nj, nk, first, last):
    out = view_unit0(out_array, out_i, out_j, out_k)
    planes = view_unit0(planes_array, 0, 0, 0)
    for k in range(first, last):
        if 0 <= k < 1:
            for j in range(0, nj):
                for i in range(0, ni):
                    # out = (planes + planes[0, 0, 1]) / 18.0
                    out[i, j, k] = (planes[i, j, k] + planes[i, j, k + 1]) / 18.0
        if 1 <= k < nk - 1:
            for j in range(0, nj):
                for i in range(0, ni):
                    # out = (planes[0, 0, -1] + planes + planes[0, 0, 1]) / 27.0
                    out[i, j, k] = (planes[i, j, k - 1] + planes[i, j, k] + planes[i, j, k + 1]) / 27.0
        if nk - 1 <= k < nk:
            for j in range(0, nj):
                for i in range(0, ni):
                    # out = (planes[0, 0, -1] + planes) / 18.0
                    out[i, j, k] = (planes[i, j, k - 1] + planes[i, j, k]) / 18.0


def run(inp_array, out_array, rows_array, planes_array, inp_i, inp_j, inp_k, out_i, out_j, out_k, ni, nj, nk):
    # Workspace rows_array: f64 [0, ni) x [-1, nj + 1) for each chunk, i fastest.
    # Workspace planes_array: f64 [0, ni) x [0, nj) x [0, nk), i fastest.
    box_filter_0(inp_array, rows_array, planes_array, inp_i, inp_j, inp_k, ni, nj, 0, nk, 0)
    box_filter_1(out_array, planes_array, out_i, out_j, out_k, ni, nj, nk, 0, nk)


@parallel_driver
def run_parallel(
    inp_array, out_array, rows_array, planes_array, inp_i, inp_j, inp_k, out_i, out_j, out_k, ni, nj, nk,
    chunks,
):
    # Workspace rows_array: f64 [0, ni) x [-1, nj + 1) for each chunk, i fastest.
    # Workspace planes_array: f64 [0, ni) x [0, nj) x [0, nk), i fastest.
    for share in prange(0, chunks):
        chunk = i64(share)
        box_filter_0(
            inp_array, rows_array, planes_array, inp_i, inp_j, inp_k, ni, nj, cut(0, nk, chunk, chunks),
            cut(0, nk, chunk + 1, chunks), chunk,
        )
    for share in prange(0, chunks):
        chunk = i64(share)
        box_filter_1(
            out_array, planes_array, out_i, out_j, out_k, ni, nj, nk, cut(0, nk, chunk, chunks),
            cut(0, nk, chunk + 1, chunks),
        )

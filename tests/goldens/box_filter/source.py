"""Kernels of stencil box_filter. Generated from IIR; do not edit."""

import numpy as np

from backends.numba_cpu.runtime.chunks import cut
from backends.numba_cpu.runtime.compiled import kernel, parallel_driver, prange
from backends.numba_cpu.runtime.stack import stack_unit0
from backends.numba_cpu.runtime.vectors import narrow_vectors
from backends.numba_cpu.runtime.view import view_unit0

i64 = np.int64
f64 = np.float64


@kernel()
def box_filter_0(inp_array, planes_array, inp_i, inp_j, inp_k, ni, nj, first, last):
    narrow_vectors()
    rows_array = stack_unit0(f64, 0, ni, 4)
    rows = view_unit0(rows_array, 0, 0)
    inp = view_unit0(inp_array, inp_i, inp_j, inp_k)
    planes = view_unit0(planes_array, 0, 0, 0)
    for k in range(first, last):
        for j in range(-2, nj):
            if -2 <= j < 0:
                for i in range(0, ni):
                    # rows = inp[-1, 0, 0] + inp + inp[1, 0, 0]
                    rows[i, (j + 1) & 3] = inp[i - 1, j + 1, k] + inp[i, j + 1, k] + inp[i + 1, j + 1, k]
            if 0 <= j < nj:
                for i in range(0, ni):
                    # rows = inp[-1, 0, 0] + inp + inp[1, 0, 0]
                    rows[i, (j + 1) & 3] = inp[i - 1, j + 1, k] + inp[i, j + 1, k] + inp[i + 1, j + 1, k]
                    # planes = rows[0, -1, 0] + rows + rows[0, 1, 0]
                    planes[i, j, k] = rows[i, (j - 1) & 3] + rows[i, j & 3] + rows[i, (j + 1) & 3]


@kernel()
def box_filter_1(out_array, planes_array, out_i, out_j, out_k, ni, nj, nk, first, last):
    out = view_unit0(out_array, out_i, out_j, out_k)
    planes = view_unit0(planes_array, 0, 0, 0)
    for k in range(first, last):
        for j in range(0, nj):
            if 0 <= k < 1:
                for i in range(0, ni):
                    # out = (planes + planes[0, 0, 1]) / 18.0
                    out[i, j, k] = (planes[i, j, k] + planes[i, j, k + 1]) / 18.0
            if 1 <= k < nk - 1:
                for i in range(0, ni):
                    # out = (planes[0, 0, -1] + planes + planes[0, 0, 1]) / 27.0
                    out[i, j, k] = (planes[i, j, k - 1] + planes[i, j, k] + planes[i, j, k + 1]) / 27.0
            if nk - 1 <= k < nk:
                for i in range(0, ni):
                    # out = (planes[0, 0, -1] + planes) / 18.0
                    out[i, j, k] = (planes[i, j, k - 1] + planes[i, j, k]) / 18.0


def run(inp_array, out_array, planes_array, inp_i, inp_j, inp_k, out_i, out_j, out_k, ni, nj, nk):
    # Workspace planes_array: f64 ni x nj x nk, unit stride on axis 0.
    box_filter_0(inp_array, planes_array, inp_i, inp_j, inp_k, ni, nj, 0, nk)
    box_filter_1(out_array, planes_array, out_i, out_j, out_k, ni, nj, nk, 0, nk)


@parallel_driver
def run_parallel(
    inp_array, out_array, planes_array, inp_i, inp_j, inp_k, out_i, out_j, out_k, ni, nj, nk, chunks,
):
    # Workspace planes_array: f64 ni x nj x nk, unit stride on axis 0.
    for share in prange(0, chunks):
        chunk = i64(share)
        box_filter_0(
            inp_array, planes_array, inp_i, inp_j, inp_k, ni, nj, cut(0, nk, chunk, chunks),
            cut(0, nk, chunk + 1, chunks),
        )
    for share in prange(0, chunks):
        chunk = i64(share)
        box_filter_1(
            out_array, planes_array, out_i, out_j, out_k, ni, nj, nk, cut(0, nk, chunk, chunks),
            cut(0, nk, chunk + 1, chunks),
        )

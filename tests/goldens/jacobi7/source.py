"""Kernels of stencil jacobi7. Generated from IIR; do not edit."""

import numpy as np

from backends.numba_cpu.runtime.chunks import cut
from backends.numba_cpu.runtime.compiled import kernel, parallel_driver, prange
from backends.numba_cpu.runtime.vectors import narrow_vectors
from backends.numba_cpu.runtime.view import view_unit0

i64 = np.int64


@kernel()
def jacobi7_0(inp_array, out_array, inp_i, inp_j, inp_k, out_i, out_j, out_k, ni, nj, first, last):
    narrow_vectors()
    inp = view_unit0(inp_array, inp_i, inp_j, inp_k)
    out = view_unit0(out_array, out_i, out_j, out_k)
    for k in range(first, last):
        for j in range(0, nj):
            for i in range(0, ni):
                # out = ( inp + inp[-1, 0, 0] + inp[1, 0, 0] + inp[0, -1, 0] + inp[0, 1, 0] + inp[0, 0, -1] + inp[0...
                out[i, j, k] = (
                    (
                        inp[i, j, k]
                        + inp[i - 1, j, k]
                        + inp[i + 1, j, k]
                        + inp[i, j - 1, k]
                        + inp[i, j + 1, k]
                        + inp[i, j, k - 1]
                        + inp[i, j, k + 1]
                    )
                    * 0.14285714285714285
                )


def run(inp_array, out_array, inp_i, inp_j, inp_k, out_i, out_j, out_k, ni, nj, nk):
    jacobi7_0(inp_array, out_array, inp_i, inp_j, inp_k, out_i, out_j, out_k, ni, nj, 0, nk)


@parallel_driver
def run_parallel(inp_array, out_array, inp_i, inp_j, inp_k, out_i, out_j, out_k, ni, nj, nk, chunks):
    for share in prange(0, chunks):
        chunk = i64(share)
        jacobi7_0(
            inp_array, out_array, inp_i, inp_j, inp_k, out_i, out_j, out_k, ni, nj, cut(0, nk, chunk, chunks),
            cut(0, nk, chunk + 1, chunks),
        )

"""Kernels of stencil hdiff. Generated from IIR; do not edit."""

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
def hdiff_0(
    inp_array, coeff_array, out_array, inp_i, inp_j, inp_k, coeff_i, coeff_j, coeff_k, out_i, out_j, out_k,
    ni, nj, first, last,
):
    narrow_vectors()
    lap_array = stack_unit0(f64, 1, ni + 2, 2)
    lap = view_unit0(lap_array, 1, 0)
    flux_y_array = stack_unit0(f64, 0, ni, 2)
    flux_y = view_unit0(flux_y_array, 0, 0)
    inp = view_unit0(inp_array, inp_i, inp_j, inp_k)
    coeff = view_unit0(coeff_array, coeff_i, coeff_j, coeff_k)
    out = view_unit0(out_array, out_i, out_j, out_k)
    for k in range(first, last):
        for j in range(-2, nj):
            if -2 <= j < 0:
                for i in range(-1, ni + 1):
                    # lap = inp[1, 0, 0] + inp[-1, 0, 0] + inp[0, 1, 0] + inp[0, -1, 0] - 4.0 * inp
                    lap[i, (j + 1) & 1] = (
                        inp[i + 1, j + 1, k]
                        + inp[i - 1, j + 1, k]
                        + inp[i, j + 2, k]
                        + inp[i, j, k]
                        - 4.0 * inp[i, j + 1, k]
                    )
                if -1 <= j < nj:
                    for i in range(0, ni):
                        # flux_y = lap[0, 1, 0] - lap
                        new_flux_y = lap[i, (j + 1) & 1] - lap[i, j & 1]
                        # flux_y = 0.0 if flux_y * (inp[0, 1, 0] - inp) > 0.0 else flux_y
                        flux_y[i, j & 1] = select(
                            new_flux_y * (inp[i, j + 1, k] - inp[i, j, k]) > 0.0,
                            f64(0.0),
                            new_flux_y,
                        )
            if 0 <= j < nj:
                for i in range(-1, 0):
                    # lap = inp[1, 0, 0] + inp[-1, 0, 0] + inp[0, 1, 0] + inp[0, -1, 0] - 4.0 * inp
                    lap[i, (j + 1) & 1] = (
                        inp[i + 1, j + 1, k]
                        + inp[i - 1, j + 1, k]
                        + inp[i, j + 2, k]
                        + inp[i, j, k]
                        - 4.0 * inp[i, j + 1, k]
                    )
                for i in range(ni, ni + 1):
                    # lap = inp[1, 0, 0] + inp[-1, 0, 0] + inp[0, 1, 0] + inp[0, -1, 0] - 4.0 * inp
                    lap[i, (j + 1) & 1] = (
                        inp[i + 1, j + 1, k]
                        + inp[i - 1, j + 1, k]
                        + inp[i, j + 2, k]
                        + inp[i, j, k]
                        - 4.0 * inp[i, j + 1, k]
                    )
                for i in range(0, ni):
                    # lap = inp[1, 0, 0] + inp[-1, 0, 0] + inp[0, 1, 0] + inp[0, -1, 0] - 4.0 * inp
                    lap[i, (j + 1) & 1] = (
                        inp[i + 1, j + 1, k]
                        + inp[i - 1, j + 1, k]
                        + inp[i, j + 2, k]
                        + inp[i, j, k]
                        - 4.0 * inp[i, j + 1, k]
                    )
                    # flux_y = lap[0, 1, 0] - lap
                    new_flux_y = lap[i, (j + 1) & 1] - lap[i, j & 1]
                    # flux_y = 0.0 if flux_y * (inp[0, 1, 0] - inp) > 0.0 else flux_y
                    flux_y[i, j & 1] = select(
                        new_flux_y * (inp[i, j + 1, k] - inp[i, j, k]) > 0.0,
                        f64(0.0),
                        new_flux_y,
                    )
                    # flux_x = lap[1, 0, 0] - lap
                    flux_x_im1 = lap[i, j & 1] - lap[i - 1, j & 1]
                    # flux_x = 0.0 if flux_x * (inp[1, 0, 0] - inp) > 0.0 else flux_x
                    flux_x_im1 = select(
                        flux_x_im1 * (inp[i, j, k] - inp[i - 1, j, k]) > 0.0,
                        f64(0.0),
                        flux_x_im1,
                    )
                    # flux_x = lap[1, 0, 0] - lap
                    flux_x = lap[i + 1, j & 1] - lap[i, j & 1]
                    # flux_x = 0.0 if flux_x * (inp[1, 0, 0] - inp) > 0.0 else flux_x
                    flux_x = select(flux_x * (inp[i + 1, j, k] - inp[i, j, k]) > 0.0, f64(0.0), flux_x)
                    # out = inp - coeff * (flux_x - flux_x[-1, 0, 0] + flux_y - flux_y[0, -1, 0])
                    out[i, j, k] = inp[i, j, k] - (
                        coeff[i, j, k]
                        * (flux_x - flux_x_im1 + flux_y[i, j & 1] - flux_y[i, (j - 1) & 1])
                    )


def run(
    inp_array, coeff_array, out_array, inp_i, inp_j, inp_k, coeff_i, coeff_j, coeff_k, out_i, out_j, out_k,
    ni, nj, nk,
):
    hdiff_0(
        inp_array, coeff_array, out_array, inp_i, inp_j, inp_k, coeff_i, coeff_j, coeff_k, out_i, out_j,
        out_k, ni, nj, 0, nk,
    )


@parallel_driver
def run_parallel(
    inp_array, coeff_array, out_array, inp_i, inp_j, inp_k, coeff_i, coeff_j, coeff_k, out_i, out_j, out_k,
    ni, nj, nk, chunks,
):
    for share in prange(0, chunks):
        chunk = i64(share)
        hdiff_0(
            inp_array, coeff_array, out_array, inp_i, inp_j, inp_k, coeff_i, coeff_j, coeff_k, out_i, out_j,
            out_k, ni, nj, cut(0, nk, chunk, chunks), cut(0, nk, chunk + 1, chunks),
        )

"""Kernels of stencil hdiff. Generated from IIR; do not edit."""

import numpy as np

from backends.numba_cpu.runtime.choice import select
from backends.numba_cpu.runtime.chunks import cut
from backends.numba_cpu.runtime.compiled import kernel, parallel_driver, prange
from backends.numba_cpu.runtime.view import view_unit0, view_unit0_of_chunk

i64 = np.int64
f64 = np.float64


@kernel()
def hdiff_0(
    inp_array, coeff_array, out_array, lap_array, flux_x_array, flux_y_array, inp_i, inp_j, inp_k, coeff_i,
    coeff_j, coeff_k, out_i, out_j, out_k, ni, nj, first, last, chunk,
):
    inp = view_unit0(inp_array, inp_i, inp_j, inp_k)
    coeff = view_unit0(coeff_array, coeff_i, coeff_j, coeff_k)
    out = view_unit0(out_array, out_i, out_j, out_k)
    lap = view_unit0_of_chunk(lap_array, 1, 1, chunk)
    flux_x = view_unit0_of_chunk(flux_x_array, 1, 0, chunk)
    flux_y = view_unit0_of_chunk(flux_y_array, 0, 1, chunk)
    for k in range(first, last):
        for j in range(-1, nj + 1):
            for i in range(-1, ni + 1):
                # lap = inp[1, 0, 0] + inp[-1, 0, 0] + inp[0, 1, 0] + inp[0, -1, 0] - 4.0 * inp
                lap[i, j] = (
                    inp[i + 1, j, k]
                    + inp[i - 1, j, k]
                    + inp[i, j + 1, k]
                    + inp[i, j - 1, k]
                    - 4.0 * inp[i, j, k]
                )
        for j in range(0, nj):
            for i in range(-1, ni):
                # flux_x = lap[1, 0, 0] - lap
                new_flux_x = lap[i + 1, j] - lap[i, j]
                # flux_x = 0.0 if flux_x * (inp[1, 0, 0] - inp) > 0.0 else flux_x
                flux_x[i, j] = select(
                    new_flux_x * (inp[i + 1, j, k] - inp[i, j, k]) > 0.0,
                    f64(0.0),
                    new_flux_x,
                )
        for j in range(-1, nj):
            for i in range(0, ni):
                # flux_y = lap[0, 1, 0] - lap
                new_flux_y = lap[i, j + 1] - lap[i, j]
                # flux_y = 0.0 if flux_y * (inp[0, 1, 0] - inp) > 0.0 else flux_y
                flux_y[i, j] = select(
                    new_flux_y * (inp[i, j + 1, k] - inp[i, j, k]) > 0.0,
                    f64(0.0),
                    new_flux_y,
                )
        for j in range(0, nj):
            for i in range(0, ni):
                # out = inp - coeff * (flux_x - flux_x[-1, 0, 0] + flux_y - flux_y[0, -1, 0])
                out[i, j, k] = inp[i, j, k] - (
                    coeff[i, j, k]
                    * (flux_x[i, j] - flux_x[i - 1, j] + flux_y[i, j] - flux_y[i, j - 1])
                )


def run(
    inp_array, coeff_array, out_array, lap_array, flux_x_array, flux_y_array, inp_i, inp_j, inp_k, coeff_i,
    coeff_j, coeff_k, out_i, out_j, out_k, ni, nj, nk,
):
    # Workspace lap_array: f64 [-1, ni + 1) x [-1, nj + 1) for each chunk, i fastest.
    # Workspace flux_x_array: f64 [-1, ni) x [0, nj) for each chunk, i fastest.
    # Workspace flux_y_array: f64 [0, ni) x [-1, nj) for each chunk, i fastest.
    hdiff_0(
        inp_array, coeff_array, out_array, lap_array, flux_x_array, flux_y_array, inp_i, inp_j, inp_k,
        coeff_i, coeff_j, coeff_k, out_i, out_j, out_k, ni, nj, 0, nk, 0,
    )


@parallel_driver
def run_parallel(
    inp_array, coeff_array, out_array, lap_array, flux_x_array, flux_y_array, inp_i, inp_j, inp_k, coeff_i,
    coeff_j, coeff_k, out_i, out_j, out_k, ni, nj, nk, chunks,
):
    # Workspace lap_array: f64 [-1, ni + 1) x [-1, nj + 1) for each chunk, i fastest.
    # Workspace flux_x_array: f64 [-1, ni) x [0, nj) for each chunk, i fastest.
    # Workspace flux_y_array: f64 [0, ni) x [-1, nj) for each chunk, i fastest.
    for share in prange(0, chunks):
        chunk = i64(share)
        hdiff_0(
            inp_array, coeff_array, out_array, lap_array, flux_x_array, flux_y_array, inp_i, inp_j, inp_k,
            coeff_i, coeff_j, coeff_k, out_i, out_j, out_k, ni, nj, cut(0, nk, chunk, chunks),
            cut(0, nk, chunk + 1, chunks), chunk,
        )

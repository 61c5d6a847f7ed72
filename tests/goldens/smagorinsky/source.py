"""Kernels of stencil smagorinsky. Generated from IIR; do not edit."""

import numpy as np

from backends.numba_cpu.runtime.choice import maximum, minimum
from backends.numba_cpu.runtime.chunks import cut
from backends.numba_cpu.runtime.compiled import kernel, parallel_driver, prange
from backends.numba_cpu.runtime.rounding import sqrt
from backends.numba_cpu.runtime.view import view_unit0, view_unit0_of_chunk

i64 = np.int64
f64 = np.float64


@kernel()
def smagorinsky_0(
    u_array, v_array, u_out_array, v_out_array, tension_array, shear_array, u_i, u_j, u_k, v_i, v_j, v_k,
    u_out_i, u_out_j, u_out_k, v_out_i, v_out_j, v_out_k, ni, nj, weight, background, first, last, chunk,
):
    u = view_unit0(u_array, u_i, u_j, u_k)
    v = view_unit0(v_array, v_i, v_j, v_k)
    u_out = view_unit0(u_out_array, u_out_i, u_out_j, u_out_k)
    v_out = view_unit0(v_out_array, v_out_i, v_out_j, v_out_k)
    tension = view_unit0_of_chunk(tension_array, 0, 0, chunk)
    shear = view_unit0_of_chunk(shear_array, 1, 1, chunk)
    for k in range(first, last):
        for j in range(0, nj + 1):
            for i in range(0, ni + 1):
                # tension = u - u[-1, 0, 0] - v + v[0, -1, 0]
                new_tension = u[i, j, k] - u[i - 1, j, k] - v[i, j, k] + v[i, j - 1, k]
                # tension = tension * tension
                tension[i, j] = new_tension * new_tension
        for j in range(-1, nj):
            for i in range(-1, ni):
                # shear = u[0, 1, 0] - u + v[1, 0, 0] - v
                new_shear = u[i, j + 1, k] - u[i, j, k] + v[i + 1, j, k] - v[i, j, k]
                # shear = shear * shear
                shear[i, j] = new_shear * new_shear
        for j in range(0, nj):
            for i in range(0, ni):
                # strain_u = sqrt(0.5 * (tension + tension[1, 0, 0] + shear + shear[0, -1, 0]))
                strain_u = sqrt(0.5 * (tension[i, j] + tension[i + 1, j] + shear[i, j] + shear[i, j - 1]))
                # strain_v = sqrt(0.5 * (tension + tension[0, 1, 0] + shear + shear[-1, 0, 0]))
                strain_v = sqrt(0.5 * (tension[i, j] + tension[i, j + 1] + shear[i, j] + shear[i - 1, j]))
                # strength_u = min(max(weight * strain_u - background, 0.0), 0.5)
                strength_u = minimum(maximum(weight * strain_u - background, f64(0.0)), f64(0.5))
                # strength_v = min(max(weight * strain_v - background, 0.0), 0.5)
                strength_v = minimum(maximum(weight * strain_v - background, f64(0.0)), f64(0.5))
                # u_out = u + strength_u * (u[1, 0, 0] + u[-1, 0, 0] + u[0, 1, 0] + u[0, -1, 0] - 4.0 * u)
                u_out[i, j, k] = u[i, j, k] + (
                    strength_u
                    * (u[i + 1, j, k] + u[i - 1, j, k] + u[i, j + 1, k] + u[i, j - 1, k] - 4.0 * u[i, j, k])
                )
                # v_out = v + strength_v * (v[1, 0, 0] + v[-1, 0, 0] + v[0, 1, 0] + v[0, -1, 0] - 4.0 * v)
                v_out[i, j, k] = v[i, j, k] + (
                    strength_v
                    * (v[i + 1, j, k] + v[i - 1, j, k] + v[i, j + 1, k] + v[i, j - 1, k] - 4.0 * v[i, j, k])
                )


def run(
    u_array, v_array, u_out_array, v_out_array, tension_array, shear_array, u_i, u_j, u_k, v_i, v_j, v_k,
    u_out_i, u_out_j, u_out_k, v_out_i, v_out_j, v_out_k, ni, nj, nk, weight, background,
):
    # Workspace tension_array: f64 [0, ni + 1) x [0, nj + 1) for each chunk, i fastest.
    # Workspace shear_array: f64 [-1, ni) x [-1, nj) for each chunk, i fastest.
    smagorinsky_0(
        u_array, v_array, u_out_array, v_out_array, tension_array, shear_array, u_i, u_j, u_k, v_i, v_j, v_k,
        u_out_i, u_out_j, u_out_k, v_out_i, v_out_j, v_out_k, ni, nj, weight, background, 0, nk, 0,
    )


@parallel_driver
def run_parallel(
    u_array, v_array, u_out_array, v_out_array, tension_array, shear_array, u_i, u_j, u_k, v_i, v_j, v_k,
    u_out_i, u_out_j, u_out_k, v_out_i, v_out_j, v_out_k, ni, nj, nk, weight, background, chunks,
):
    # Workspace tension_array: f64 [0, ni + 1) x [0, nj + 1) for each chunk, i fastest.
    # Workspace shear_array: f64 [-1, ni) x [-1, nj) for each chunk, i fastest.
    for share in prange(0, chunks):
        chunk = i64(share)
        smagorinsky_0(
            u_array, v_array, u_out_array, v_out_array, tension_array, shear_array, u_i, u_j, u_k, v_i, v_j,
            v_k, u_out_i, u_out_j, u_out_k, v_out_i, v_out_j, v_out_k, ni, nj, weight, background,
            cut(0, nk, chunk, chunks), cut(0, nk, chunk + 1, chunks), chunk,
        )

"""Kernels of stencil smagorinsky. Generated from IIR; do not edit."""

import numpy as np

from backends.numba_cpu.runtime.choice import maximum, minimum
from backends.numba_cpu.runtime.chunks import cut
from backends.numba_cpu.runtime.compiled import kernel, parallel_driver, prange
from backends.numba_cpu.runtime.rounding import sqrt
from backends.numba_cpu.runtime.view import view_unit0

i64 = np.int64
f64 = np.float64


@kernel()
def smagorinsky_0(
    u_array, v_array, u_out_array, v_out_array, u_i, u_j, u_k, v_i, v_j, v_k, u_out_i, u_out_j, u_out_k,
    v_out_i, v_out_j, v_out_k, ni, nj, weight, background, first, last,
):
    u = view_unit0(u_array, u_i, u_j, u_k)
    v = view_unit0(v_array, v_i, v_j, v_k)
    u_out = view_unit0(u_out_array, u_out_i, u_out_j, u_out_k)
    v_out = view_unit0(v_out_array, v_out_i, v_out_j, v_out_k)
    for k in range(first, last):
        for j in range(0, nj):
            for i in range(0, ni):
                # tension = u - u[-1, 0, 0] - v + v[0, -1, 0]
                tension = u[i, j, k] - u[i - 1, j, k] - v[i, j, k] + v[i, j - 1, k]
                # tension = tension * tension
                tension = tension * tension
                # tension = u - u[-1, 0, 0] - v + v[0, -1, 0]
                tension_jp1 = u[i, j + 1, k] - u[i - 1, j + 1, k] - v[i, j + 1, k] + v[i, j, k]
                # tension = tension * tension
                tension_jp1 = tension_jp1 * tension_jp1
                # tension = u - u[-1, 0, 0] - v + v[0, -1, 0]
                tension_ip1 = u[i + 1, j, k] - u[i, j, k] - v[i + 1, j, k] + v[i + 1, j - 1, k]
                # tension = tension * tension
                tension_ip1 = tension_ip1 * tension_ip1
                # shear = u[0, 1, 0] - u + v[1, 0, 0] - v
                shear_im1 = u[i - 1, j + 1, k] - u[i - 1, j, k] + v[i, j, k] - v[i - 1, j, k]
                # shear = shear * shear
                shear_im1 = shear_im1 * shear_im1
                # shear = u[0, 1, 0] - u + v[1, 0, 0] - v
                shear_jm1 = u[i, j, k] - u[i, j - 1, k] + v[i + 1, j - 1, k] - v[i, j - 1, k]
                # shear = shear * shear
                shear_jm1 = shear_jm1 * shear_jm1
                # shear = u[0, 1, 0] - u + v[1, 0, 0] - v
                shear = u[i, j + 1, k] - u[i, j, k] + v[i + 1, j, k] - v[i, j, k]
                # shear = shear * shear
                shear = shear * shear
                # strain_u = sqrt(0.5 * (tension + tension[1, 0, 0] + shear + shear[0, -1, 0]))
                strain_u = sqrt(0.5 * (tension + tension_ip1 + shear + shear_jm1))
                # strain_v = sqrt(0.5 * (tension + tension[0, 1, 0] + shear + shear[-1, 0, 0]))
                strain_v = sqrt(0.5 * (tension + tension_jp1 + shear + shear_im1))
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
    u_array, v_array, u_out_array, v_out_array, u_i, u_j, u_k, v_i, v_j, v_k, u_out_i, u_out_j, u_out_k,
    v_out_i, v_out_j, v_out_k, ni, nj, nk, weight, background,
):
    smagorinsky_0(
        u_array, v_array, u_out_array, v_out_array, u_i, u_j, u_k, v_i, v_j, v_k, u_out_i, u_out_j, u_out_k,
        v_out_i, v_out_j, v_out_k, ni, nj, weight, background, 0, nk,
    )


@parallel_driver
def run_parallel(
    u_array, v_array, u_out_array, v_out_array, u_i, u_j, u_k, v_i, v_j, v_k, u_out_i, u_out_j, u_out_k,
    v_out_i, v_out_j, v_out_k, ni, nj, nk, weight, background, chunks,
):
    for share in prange(0, chunks):
        chunk = i64(share)
        smagorinsky_0(
            u_array, v_array, u_out_array, v_out_array, u_i, u_j, u_k, v_i, v_j, v_k, u_out_i, u_out_j,
            u_out_k, v_out_i, v_out_j, v_out_k, ni, nj, weight, background, cut(0, nk, chunk, chunks),
            cut(0, nk, chunk + 1, chunks),
        )

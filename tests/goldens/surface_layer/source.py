"""Kernels of stencil surface_layer. Generated from IIR; do not edit."""

import numpy as np

from backends.numba_cpu.runtime.choice import select
from backends.numba_cpu.runtime.chunks import cut
from backends.numba_cpu.runtime.compiled import kernel, parallel_driver, prange
from backends.numba_cpu.runtime.rounding import absolute
from backends.numba_cpu.runtime.view import view, view_unit0

i64 = np.int64


@kernel()
def surface_layer_0(
    theta_array, height_array, area_array, sigma_array, mass_array, theta_i, theta_j, theta_k, height_i,
    height_j, area_i, area_j, sigma_k, mass_i, mass_j, ni, nk, first, last,
):
    theta = view_unit0(theta_array, theta_i, theta_j, theta_k)
    height = view_unit0(height_array, height_i, height_j)
    area = view_unit0(area_array, area_i, area_j)
    sigma = view(sigma_array, sigma_k)
    mass = view_unit0(mass_array, mass_i, mass_j)
    for j in range(first, last):
        for strip in range(0, ni, 64):
            for k in range(0, nk):
                for i in range(strip, min(strip + 64, ni)):
                    # slope = height[1, 0] - height[-1, 0] + height[0, 1] - height[0, -1]
                    slope = height[i + 1, j] - height[i - 1, j] + height[i, j + 1] - height[i, j - 1]
                    # theta = theta - sigma * slope / area if abs(slope) < 50.0 else theta
                    theta[i, j, k] = select(
                        absolute(slope) < 50.0,
                        theta[i, j, k] - sigma[k] * slope / area[i, j],
                        theta[i, j, k],
                    )
            for k in range(0, nk):
                if 0 <= k < 1:
                    for i in range(strip, min(strip + 64, ni)):
                        # mass = theta * sigma * area
                        mass[i, j] = theta[i, j, k] * sigma[k] * area[i, j]
                if 1 <= k < nk:
                    for i in range(strip, min(strip + 64, ni)):
                        # mass += theta * sigma * area
                        mass[i, j] = mass[i, j] + theta[i, j, k] * sigma[k] * area[i, j]


def run(
    theta_array, height_array, area_array, sigma_array, mass_array, theta_i, theta_j, theta_k, height_i,
    height_j, area_i, area_j, sigma_k, mass_i, mass_j, ni, nj, nk,
):
    surface_layer_0(
        theta_array, height_array, area_array, sigma_array, mass_array, theta_i, theta_j, theta_k, height_i,
        height_j, area_i, area_j, sigma_k, mass_i, mass_j, ni, nk, 0, nj,
    )


@parallel_driver
def run_parallel(
    theta_array, height_array, area_array, sigma_array, mass_array, theta_i, theta_j, theta_k, height_i,
    height_j, area_i, area_j, sigma_k, mass_i, mass_j, ni, nj, nk, chunks,
):
    for share in prange(0, chunks):
        chunk = i64(share)
        surface_layer_0(
            theta_array, height_array, area_array, sigma_array, mass_array, theta_i, theta_j, theta_k,
            height_i, height_j, area_i, area_j, sigma_k, mass_i, mass_j, ni, nk, cut(0, nj, chunk, chunks),
            cut(0, nj, chunk + 1, chunks),
        )

"""Kernels of stencil microphysics. Generated from IIR; do not edit."""

import numpy as np

from backends.numba_cpu.runtime.choice import maximum, minimum
from backends.numba_cpu.runtime.chunks import cut
from backends.numba_cpu.runtime.compiled import kernel, parallel_driver, prange
from backends.numba_cpu.runtime.libm import exp
from backends.numba_cpu.runtime.powers import power
from backends.numba_cpu.runtime.rounding import sqrt
from backends.numba_cpu.runtime.view import view_unit0

i64 = np.int64
f64 = np.float64


@kernel()
def microphysics_0(
    temperature_array, pressure_array, vapour_array, cloud_array, rain_array, temperature_i, temperature_j,
    temperature_k, pressure_i, pressure_j, pressure_k, vapour_i, vapour_j, vapour_k, cloud_i, cloud_j,
    cloud_k, rain_i, rain_j, rain_k, ni, nj, dt, first, last,
):
    temperature = view_unit0(temperature_array, temperature_i, temperature_j, temperature_k)
    pressure = view_unit0(pressure_array, pressure_i, pressure_j, pressure_k)
    vapour = view_unit0(vapour_array, vapour_i, vapour_j, vapour_k)
    cloud = view_unit0(cloud_array, cloud_i, cloud_j, cloud_k)
    rain = view_unit0(rain_array, rain_i, rain_j, rain_k)
    for k in range(first, last):
        for j in range(0, nj):
            for i in range(0, ni):
                # saturation_pressure = 610.78 * exp(17.27 * (temperature - 273.16) / (temperature - 35.86))
                saturation_pressure = 610.78 * exp(
                    17.27 * (temperature[i, j, k] - 273.16) / (temperature[i, j, k] - 35.86),
                )
                # saturation = 0.622 * saturation_pressure / max(pressure - saturation_pressure, 1.0)
                saturation = (
                    0.622
                    * saturation_pressure
                    / maximum(pressure[i, j, k] - saturation_pressure, f64(1.0))
                )
                # excess = vapour - saturation
                excess = vapour[i, j, k] - saturation
                # if excess > 0.0:
                if excess > 0.0:
                    condensed = minimum(
                        excess / (1.0 + 4000.0 * saturation / (temperature[i, j, k] * temperature[i, j, k])),
                        vapour[i, j, k],
                    )
                    vapour[i, j, k] = vapour[i, j, k] - condensed
                    cloud[i, j, k] = cloud[i, j, k] + condensed
                    temperature[i, j, k] = temperature[i, j, k] + 2500.0 * condensed
                else:
                    if cloud[i, j, k] > 0.0:
                        evaporated = minimum(-excess, cloud[i, j, k])
                        vapour[i, j, k] = vapour[i, j, k] + evaporated
                        cloud[i, j, k] = cloud[i, j, k] - evaporated
                        temperature[i, j, k] = temperature[i, j, k] - 2500.0 * evaporated
                    else:
                        evaporated = minimum(
                            0.001 * dt * power(rain[i, j, k], f64(0.525)) * sqrt(-excess),
                            rain[i, j, k],
                        )
                        vapour[i, j, k] = vapour[i, j, k] + evaporated
                        rain[i, j, k] = rain[i, j, k] - evaporated
                        temperature[i, j, k] = temperature[i, j, k] - 2500.0 * evaporated
                # if cloud > 1.0e-3:
                if cloud[i, j, k] > 0.001:
                    converted = minimum(
                        (
                            0.001 * dt * (cloud[i, j, k] - 0.001)
                            + 2.2 * dt * cloud[i, j, k] * power(rain[i, j, k], f64(0.875))
                        ),
                        cloud[i, j, k],
                    )
                    cloud[i, j, k] = cloud[i, j, k] - converted
                    rain[i, j, k] = rain[i, j, k] + converted
                    if temperature[i, j, k] < 273.16:
                        temperature[i, j, k] = temperature[i, j, k] + 330.0 * converted


def run(
    temperature_array, pressure_array, vapour_array, cloud_array, rain_array, temperature_i, temperature_j,
    temperature_k, pressure_i, pressure_j, pressure_k, vapour_i, vapour_j, vapour_k, cloud_i, cloud_j,
    cloud_k, rain_i, rain_j, rain_k, ni, nj, nk, dt,
):
    microphysics_0(
        temperature_array, pressure_array, vapour_array, cloud_array, rain_array, temperature_i,
        temperature_j, temperature_k, pressure_i, pressure_j, pressure_k, vapour_i, vapour_j, vapour_k,
        cloud_i, cloud_j, cloud_k, rain_i, rain_j, rain_k, ni, nj, dt, 0, nk,
    )


@parallel_driver
def run_parallel(
    temperature_array, pressure_array, vapour_array, cloud_array, rain_array, temperature_i, temperature_j,
    temperature_k, pressure_i, pressure_j, pressure_k, vapour_i, vapour_j, vapour_k, cloud_i, cloud_j,
    cloud_k, rain_i, rain_j, rain_k, ni, nj, nk, dt, chunks,
):
    for share in prange(0, chunks):
        chunk = i64(share)
        microphysics_0(
            temperature_array, pressure_array, vapour_array, cloud_array, rain_array, temperature_i,
            temperature_j, temperature_k, pressure_i, pressure_j, pressure_k, vapour_i, vapour_j, vapour_k,
            cloud_i, cloud_j, cloud_k, rain_i, rain_j, rain_k, ni, nj, dt, cut(0, nk, chunk, chunks),
            cut(0, nk, chunk + 1, chunks),
        )

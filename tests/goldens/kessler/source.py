"""Kernels of stencil kessler. Generated from IIR; do not edit."""

import numpy as np

from backends.numba_cpu.runtime.choice import maximum, minimum
from backends.numba_cpu.runtime.chunks import cut
from backends.numba_cpu.runtime.compiled import kernel, parallel_driver, prange
from backends.numba_cpu.runtime.libm import exp
from backends.numba_cpu.runtime.powers import power
from backends.numba_cpu.runtime.view import view_unit0

i64 = np.int64
f64 = np.float64


@kernel()
def kessler_0(
    temperature_array, pressure_array, density_array, vapour_array, cloud_array, rain_array, flux_array,
    temperature_i, temperature_j, temperature_k, pressure_i, pressure_j, pressure_k, density_i, density_j,
    density_k, vapour_i, vapour_j, vapour_k, cloud_i, cloud_j, cloud_k, rain_i, rain_j, rain_k, ni, nj, dt,
    first, last,
):
    temperature = view_unit0(temperature_array, temperature_i, temperature_j, temperature_k)
    pressure = view_unit0(pressure_array, pressure_i, pressure_j, pressure_k)
    density = view_unit0(density_array, density_i, density_j, density_k)
    vapour = view_unit0(vapour_array, vapour_i, vapour_j, vapour_k)
    cloud = view_unit0(cloud_array, cloud_i, cloud_j, cloud_k)
    rain = view_unit0(rain_array, rain_i, rain_j, rain_k)
    flux = view_unit0(flux_array, 0, 0, 0)
    for k in range(first, last):
        for j in range(0, nj):
            for i in range(0, ni):
                # collected = 2.2 * dt * cloud * rain**0.875
                collected = 2.2 * dt * cloud[i, j, k] * power(rain[i, j, k], f64(0.875))
                # formed = min(max(1.0e-3 * dt * (cloud - 1.0e-3), 0.0) + collected, cloud)
                formed = minimum(
                    maximum(0.001 * dt * (cloud[i, j, k] - 0.001), f64(0.0)) + collected,
                    cloud[i, j, k],
                )
                # cloud -= formed
                new_cloud = cloud[i, j, k] - formed
                # rain += formed
                new_rain = rain[i, j, k] + formed
                # saturation_pressure = 610.78 * exp(17.27 * (temperature - 273.16) / (temperature - 35.86))
                saturation_pressure = 610.78 * exp(
                    17.27 * (temperature[i, j, k] - 273.16) / (temperature[i, j, k] - 35.86),
                )
                # saturation = 0.622 * saturation_pressure / (pressure - saturation_pressure)
                saturation = 0.622 * saturation_pressure / (pressure[i, j, k] - saturation_pressure)
                # deficit = saturation - vapour
                deficit = saturation - vapour[i, j, k]
                # slope = 1.0 + 4.0e3 * saturation / (temperature * temperature)
                slope = 1.0 + 4000.0 * saturation / (temperature[i, j, k] * temperature[i, j, k])
                # condensed = max(-deficit / slope, -cloud)
                condensed = maximum(-deficit / slope, -new_cloud)
                # ventilated = dt * max(deficit - cloud, 0.0) * (density * rain) ** 0.525
                ventilated = (
                    dt
                    * maximum(deficit - new_cloud, f64(0.0))
                    * power(density[i, j, k] * new_rain, f64(0.525))
                )
                # evaporated = min(0.1 * ventilated, rain)
                evaporated = minimum(0.1 * ventilated, new_rain)
                # cloud += condensed
                cloud[i, j, k] = new_cloud + condensed
                # rain -= evaporated
                new_rain = new_rain - evaporated
                rain[i, j, k] = new_rain
                # vapour += evaporated - condensed
                vapour[i, j, k] = vapour[i, j, k] + (evaporated - condensed)
                # temperature += 2.5e3 * (condensed - evaporated)
                temperature[i, j, k] = temperature[i, j, k] + 2500.0 * (condensed - evaporated)
                # flux = 36.34 * density * rain * (1.0e-3 * density * rain) ** 0.1364
                flux[i, j, k] = (
                    36.34
                    * density[i, j, k]
                    * new_rain
                    * power(0.001 * density[i, j, k] * new_rain, f64(0.1364))
                )


@kernel()
def kessler_1(
    density_array, rain_array, flux_array, density_i, density_j, density_k, rain_i, rain_j, rain_k, ni, nj,
    nk, dt_dz, first, last,
):
    density = view_unit0(density_array, density_i, density_j, density_k)
    rain = view_unit0(rain_array, rain_i, rain_j, rain_k)
    flux = view_unit0(flux_array, 0, 0, 0)
    for k in range(first, last):
        for j in range(0, nj):
            if nk - 1 <= k < nk:
                for i in range(0, ni):
                    # rain = max(rain - dt_dz * flux / density, 0.0)
                    rain[i, j, k] = maximum(
                        rain[i, j, k] - dt_dz * flux[i, j, k] / density[i, j, k],
                        f64(0.0),
                    )
            if 0 <= k < nk - 1:
                for i in range(0, ni):
                    # rain = max(rain + dt_dz * (flux[0, 0, 1] - flux) / density, 0.0)
                    rain[i, j, k] = maximum(
                        rain[i, j, k] + dt_dz * (flux[i, j, k + 1] - flux[i, j, k]) / density[i, j, k],
                        f64(0.0),
                    )


def run(
    temperature_array, pressure_array, density_array, vapour_array, cloud_array, rain_array, flux_array,
    temperature_i, temperature_j, temperature_k, pressure_i, pressure_j, pressure_k, density_i, density_j,
    density_k, vapour_i, vapour_j, vapour_k, cloud_i, cloud_j, cloud_k, rain_i, rain_j, rain_k, ni, nj, nk,
    dt, dt_dz,
):
    # Workspace flux_array: f64 ni x nj x nk, unit stride on axis 0.
    kessler_0(
        temperature_array, pressure_array, density_array, vapour_array, cloud_array, rain_array, flux_array,
        temperature_i, temperature_j, temperature_k, pressure_i, pressure_j, pressure_k, density_i, density_j,
        density_k, vapour_i, vapour_j, vapour_k, cloud_i, cloud_j, cloud_k, rain_i, rain_j, rain_k, ni, nj,
        dt, 0, nk,
    )
    kessler_1(
        density_array, rain_array, flux_array, density_i, density_j, density_k, rain_i, rain_j, rain_k, ni,
        nj, nk, dt_dz, 0, nk,
    )


@parallel_driver
def run_parallel(
    temperature_array, pressure_array, density_array, vapour_array, cloud_array, rain_array, flux_array,
    temperature_i, temperature_j, temperature_k, pressure_i, pressure_j, pressure_k, density_i, density_j,
    density_k, vapour_i, vapour_j, vapour_k, cloud_i, cloud_j, cloud_k, rain_i, rain_j, rain_k, ni, nj, nk,
    dt, dt_dz, chunks,
):
    # Workspace flux_array: f64 ni x nj x nk, unit stride on axis 0.
    for share in prange(0, chunks):
        chunk = i64(share)
        kessler_0(
            temperature_array, pressure_array, density_array, vapour_array, cloud_array, rain_array,
            flux_array, temperature_i, temperature_j, temperature_k, pressure_i, pressure_j, pressure_k,
            density_i, density_j, density_k, vapour_i, vapour_j, vapour_k, cloud_i, cloud_j, cloud_k, rain_i,
            rain_j, rain_k, ni, nj, dt, cut(0, nk, chunk, chunks), cut(0, nk, chunk + 1, chunks),
        )
    for share in prange(0, chunks):
        chunk = i64(share)
        kessler_1(
            density_array, rain_array, flux_array, density_i, density_j, density_k, rain_i, rain_j, rain_k,
            ni, nj, nk, dt_dz, cut(0, nk, chunk, chunks), cut(0, nk, chunk + 1, chunks),
        )

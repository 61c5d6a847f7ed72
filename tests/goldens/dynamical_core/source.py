"""Kernels of stencil dynamical_core. Generated from IIR; do not edit."""

import numpy as np

from backends.numba_cpu.runtime.choice import maximum, minimum, select
from backends.numba_cpu.runtime.chunks import cut
from backends.numba_cpu.runtime.compiled import kernel, parallel_driver, prange
from backends.numba_cpu.runtime.view import view_unit0, view_unit0_of_chunk

i64 = np.int64
f64 = np.float64


@kernel()
def dynamical_core_0(theta_array, exner_array, theta_i, theta_j, theta_k, ni, nk, layer, first, last):
    theta = view_unit0(theta_array, theta_i, theta_j, theta_k)
    exner = view_unit0(exner_array, 1, 1, 0)
    for j in range(first, last):
        for k in range(nk - 1, -1, -1):
            if nk - 1 <= k < nk:
                for i in range(-1, ni + 1):
                    # exner = 0.5 * layer / theta
                    exner[i, j, k] = 0.5 * layer / theta[i, j, k]
            if 0 <= k < nk - 1:
                for i in range(-1, ni + 1):
                    # exner = exner[0, 0, 1] + 2.0 * layer / (theta + theta[0, 0, 1])
                    exner[i, j, k] = exner[i, j, k + 1] + 2.0 * layer / (theta[i, j, k] + theta[i, j, k + 1])


@kernel()
def dynamical_core_1(
    u_array, v_array, theta_array, tracer_array, tracer_new_array, exner_array, kinetic_array,
    vorticity_array, u_step_array, v_step_array, theta_step_array, lap_u_array, flux_ux_array, flux_uy_array,
    lap_v_array, flux_vx_array, flux_vy_array, wind_x_array, wind_y_array, upwind_x_array, upwind_y_array,
    more_x_array, more_y_array, moved_array, share_in_array, share_out_array, u_i, u_j, u_k, v_i, v_j, v_k,
    theta_i, theta_j, theta_k, tracer_i, tracer_j, tracer_k, tracer_new_i, tracer_new_j, tracer_new_k, ni, nj,
    coriolis, courant, damping, first, last, chunk,
):
    u = view_unit0(u_array, u_i, u_j, u_k)
    v = view_unit0(v_array, v_i, v_j, v_k)
    theta = view_unit0(theta_array, theta_i, theta_j, theta_k)
    tracer = view_unit0(tracer_array, tracer_i, tracer_j, tracer_k)
    tracer_new = view_unit0(tracer_new_array, tracer_new_i, tracer_new_j, tracer_new_k)
    exner = view_unit0(exner_array, 1, 1, 0)
    kinetic = view_unit0_of_chunk(kinetic_array, 1, 1, chunk)
    vorticity = view_unit0_of_chunk(vorticity_array, 0, 0, chunk)
    u_step = view_unit0(u_step_array, 0, 0, 0)
    v_step = view_unit0(v_step_array, 0, 0, 0)
    theta_step = view_unit0(theta_step_array, 0, 0, 0)
    lap_u = view_unit0_of_chunk(lap_u_array, 1, 1, chunk)
    flux_ux = view_unit0_of_chunk(flux_ux_array, 1, 0, chunk)
    flux_uy = view_unit0_of_chunk(flux_uy_array, 0, 1, chunk)
    lap_v = view_unit0_of_chunk(lap_v_array, 1, 1, chunk)
    flux_vx = view_unit0_of_chunk(flux_vx_array, 1, 0, chunk)
    flux_vy = view_unit0_of_chunk(flux_vy_array, 0, 1, chunk)
    wind_x = view_unit0_of_chunk(wind_x_array, 2, 2, chunk)
    wind_y = view_unit0_of_chunk(wind_y_array, 2, 2, chunk)
    upwind_x = view_unit0_of_chunk(upwind_x_array, 2, 2, chunk)
    upwind_y = view_unit0_of_chunk(upwind_y_array, 2, 2, chunk)
    more_x = view_unit0_of_chunk(more_x_array, 1, 1, chunk)
    more_y = view_unit0_of_chunk(more_y_array, 1, 1, chunk)
    moved = view_unit0_of_chunk(moved_array, 2, 2, chunk)
    share_in = view_unit0_of_chunk(share_in_array, 1, 1, chunk)
    share_out = view_unit0_of_chunk(share_out_array, 1, 1, chunk)
    for k in range(first, last):
        for j in range(-1, nj + 1):
            for i in range(-1, ni + 1):
                # kinetic = 0.5 * (u * u + v * v)
                kinetic[i, j] = 0.5 * (u[i, j, k] * u[i, j, k] + v[i, j, k] * v[i, j, k])
        for j in range(0, nj):
            for i in range(0, ni):
                # vorticity = coriolis + 0.5 * (v[1, 0, 0] - v[-1, 0, 0] - u[0, 1, 0] + u[0, -1, 0])
                vorticity[i, j] = coriolis + 0.5 * (
                    v[i + 1, j, k]
                    - v[i - 1, j, k]
                    - u[i, j + 1, k]
                    + u[i, j - 1, k]
                )
        for j in range(0, nj):
            for i in range(0, ni):
                # push_x = theta * (exner[1, 0, 0] - exner[-1, 0, 0]) + kinetic[1, 0, 0] - kinetic[-1, 0, 0]
                push_x = (
                    theta[i, j, k] * (exner[i + 1, j, k] - exner[i - 1, j, k])
                    + kinetic[i + 1, j]
                    - kinetic[i - 1, j]
                )
                # push_y = theta * (exner[0, 1, 0] - exner[0, -1, 0]) + kinetic[0, 1, 0] - kinetic[0, -1, 0]
                push_y = (
                    theta[i, j, k] * (exner[i, j + 1, k] - exner[i, j - 1, k])
                    + kinetic[i, j + 1]
                    - kinetic[i, j - 1]
                )
                # u_step = u + courant * (vorticity * v - 0.5 * push_x)
                u_step[i, j, k] = u[i, j, k] + courant * (vorticity[i, j] * v[i, j, k] - 0.5 * push_x)
                # v_step = v - courant * (vorticity * u + 0.5 * push_y)
                v_step[i, j, k] = v[i, j, k] - courant * (vorticity[i, j] * u[i, j, k] + 0.5 * push_y)
                # theta_x = u * (theta - theta[-1, 0, 0] if u > 0.0 else theta[1, 0, 0] - theta)
                theta_x = u[i, j, k] * select(
                    u[i, j, k] > 0.0,
                    theta[i, j, k] - theta[i - 1, j, k],
                    theta[i + 1, j, k] - theta[i, j, k],
                )
                # theta_y = v * (theta - theta[0, -1, 0] if v > 0.0 else theta[0, 1, 0] - theta)
                theta_y = v[i, j, k] * select(
                    v[i, j, k] > 0.0,
                    theta[i, j, k] - theta[i, j - 1, k],
                    theta[i, j + 1, k] - theta[i, j, k],
                )
                # theta_step = theta - courant * (theta_x + theta_y)
                theta_step[i, j, k] = theta[i, j, k] - courant * (theta_x + theta_y)
        for j in range(-1, nj + 1):
            for i in range(-1, ni + 1):
                # lap_u = u[1, 0, 0] + u[-1, 0, 0] + u[0, 1, 0] + u[0, -1, 0] - 4.0 * u
                lap_u[i, j] = (
                    u[i + 1, j, k]
                    + u[i - 1, j, k]
                    + u[i, j + 1, k]
                    + u[i, j - 1, k]
                    - 4.0 * u[i, j, k]
                )
        for j in range(0, nj):
            for i in range(-1, ni):
                # flux_ux = lap_u[1, 0, 0] - lap_u
                new_flux_ux = lap_u[i + 1, j] - lap_u[i, j]
                # flux_ux = 0.0 if flux_ux * (u[1, 0, 0] - u) > 0.0 else flux_ux
                flux_ux[i, j] = select(
                    new_flux_ux * (u[i + 1, j, k] - u[i, j, k]) > 0.0,
                    f64(0.0),
                    new_flux_ux,
                )
        for j in range(-1, nj):
            for i in range(0, ni):
                # flux_uy = lap_u[0, 1, 0] - lap_u
                new_flux_uy = lap_u[i, j + 1] - lap_u[i, j]
                # flux_uy = 0.0 if flux_uy * (u[0, 1, 0] - u) > 0.0 else flux_uy
                flux_uy[i, j] = select(
                    new_flux_uy * (u[i, j + 1, k] - u[i, j, k]) > 0.0,
                    f64(0.0),
                    new_flux_uy,
                )
        for j in range(0, nj):
            for i in range(0, ni):
                # u_step -= damping * (flux_ux - flux_ux[-1, 0, 0] + flux_uy - flux_uy[0, -1, 0])
                u_step[i, j, k] = u_step[i, j, k] - (
                    damping
                    * (flux_ux[i, j] - flux_ux[i - 1, j] + flux_uy[i, j] - flux_uy[i, j - 1])
                )
        for j in range(-1, nj + 1):
            for i in range(-1, ni + 1):
                # lap_v = v[1, 0, 0] + v[-1, 0, 0] + v[0, 1, 0] + v[0, -1, 0] - 4.0 * v
                lap_v[i, j] = (
                    v[i + 1, j, k]
                    + v[i - 1, j, k]
                    + v[i, j + 1, k]
                    + v[i, j - 1, k]
                    - 4.0 * v[i, j, k]
                )
        for j in range(0, nj):
            for i in range(-1, ni):
                # flux_vx = lap_v[1, 0, 0] - lap_v
                new_flux_vx = lap_v[i + 1, j] - lap_v[i, j]
                # flux_vx = 0.0 if flux_vx * (v[1, 0, 0] - v) > 0.0 else flux_vx
                flux_vx[i, j] = select(
                    new_flux_vx * (v[i + 1, j, k] - v[i, j, k]) > 0.0,
                    f64(0.0),
                    new_flux_vx,
                )
        for j in range(-1, nj):
            for i in range(0, ni):
                # flux_vy = lap_v[0, 1, 0] - lap_v
                new_flux_vy = lap_v[i, j + 1] - lap_v[i, j]
                # flux_vy = 0.0 if flux_vy * (v[0, 1, 0] - v) > 0.0 else flux_vy
                flux_vy[i, j] = select(
                    new_flux_vy * (v[i, j + 1, k] - v[i, j, k]) > 0.0,
                    f64(0.0),
                    new_flux_vy,
                )
        for j in range(0, nj):
            for i in range(0, ni):
                # v_step -= damping * (flux_vx - flux_vx[-1, 0, 0] + flux_vy - flux_vy[0, -1, 0])
                v_step[i, j, k] = v_step[i, j, k] - (
                    damping
                    * (flux_vx[i, j] - flux_vx[i - 1, j] + flux_vy[i, j] - flux_vy[i, j - 1])
                )
        for j in range(-2, nj + 2):
            for i in range(-2, ni + 3):
                # wind_x = 0.5 * courant * (u[-1, 0, 0] + u)
                wind_x[i, j] = 0.5 * courant * (u[i - 1, j, k] + u[i, j, k])
        for j in range(-2, nj + 3):
            for i in range(-2, ni + 2):
                # wind_y = 0.5 * courant * (v[0, -1, 0] + v)
                wind_y[i, j] = 0.5 * courant * (v[i, j - 1, k] + v[i, j, k])
        for j in range(-2, nj + 2):
            for i in range(-2, ni + 3):
                # upwind_x = wind_x * (tracer[-1, 0, 0] if wind_x > 0.0 else tracer)
                upwind_x[i, j] = wind_x[i, j] * select(
                    wind_x[i, j] > 0.0,
                    tracer[i - 1, j, k],
                    tracer[i, j, k],
                )
        for j in range(-2, nj + 3):
            for i in range(-2, ni + 2):
                # upwind_y = wind_y * (tracer[0, -1, 0] if wind_y > 0.0 else tracer)
                upwind_y[i, j] = wind_y[i, j] * select(
                    wind_y[i, j] > 0.0,
                    tracer[i, j - 1, k],
                    tracer[i, j, k],
                )
        for j in range(-1, nj + 1):
            for i in range(-1, ni + 2):
                # more_x = 0.5 * wind_x * (tracer[-1, 0, 0] + tracer) - upwind_x
                more_x[i, j] = 0.5 * wind_x[i, j] * (tracer[i - 1, j, k] + tracer[i, j, k]) - upwind_x[i, j]
        for j in range(-1, nj + 2):
            for i in range(-1, ni + 1):
                # more_y = 0.5 * wind_y * (tracer[0, -1, 0] + tracer) - upwind_y
                more_y[i, j] = 0.5 * wind_y[i, j] * (tracer[i, j - 1, k] + tracer[i, j, k]) - upwind_y[i, j]
        for j in range(-2, nj + 2):
            for i in range(-2, ni + 2):
                # moved = tracer - (upwind_x[1, 0, 0] - upwind_x + upwind_y[0, 1, 0] - upwind_y)
                moved[i, j] = tracer[i, j, k] - (
                    upwind_x[i + 1, j]
                    - upwind_x[i, j]
                    + upwind_y[i, j + 1]
                    - upwind_y[i, j]
                )
        for j in range(-1, nj + 1):
            for i in range(-1, ni + 1):
                # high_x = max(moved[-1, 0, 0], moved[1, 0, 0])
                high_x = maximum(moved[i - 1, j], moved[i + 1, j])
                # high_y = max(moved[0, -1, 0], moved[0, 1, 0])
                high_y = maximum(moved[i, j - 1], moved[i, j + 1])
                # low_x = min(moved[-1, 0, 0], moved[1, 0, 0])
                low_x = minimum(moved[i - 1, j], moved[i + 1, j])
                # low_y = min(moved[0, -1, 0], moved[0, 1, 0])
                low_y = minimum(moved[i, j - 1], moved[i, j + 1])
                # room_above = max(moved, max(high_x, high_y)) - moved
                room_above = maximum(moved[i, j], maximum(high_x, high_y)) - moved[i, j]
                # room_below = moved - min(moved, min(low_x, low_y))
                room_below = moved[i, j] - minimum(moved[i, j], minimum(low_x, low_y))
                # gain = max(more_x, 0.0) - min(more_x[1, 0, 0], 0.0) + max(more_y, 0.0) - min(more_y[0, 1, 0], 0.0)
                gain = (
                    maximum(more_x[i, j], f64(0.0))
                    - minimum(more_x[i + 1, j], f64(0.0))
                    + maximum(more_y[i, j], f64(0.0))
                    - minimum(more_y[i, j + 1], f64(0.0))
                )
                # loss = max(more_x[1, 0, 0], 0.0) - min(more_x, 0.0) + max(more_y[0, 1, 0], 0.0) - min(more_y, 0.0)
                loss = (
                    maximum(more_x[i + 1, j], f64(0.0))
                    - minimum(more_x[i, j], f64(0.0))
                    + maximum(more_y[i, j + 1], f64(0.0))
                    - minimum(more_y[i, j], f64(0.0))
                )
                # share_in = min(room_above / (gain + 1.0e-9), 1.0)
                share_in[i, j] = minimum(room_above / (gain + 1e-09), f64(1.0))
                # share_out = min(room_below / (loss + 1.0e-9), 1.0)
                share_out[i, j] = minimum(room_below / (loss + 1e-09), f64(1.0))
        for j in range(0, nj):
            for i in range(0, ni + 1):
                # more_x *= ( min(share_in, share_out[-1, 0, 0]) if more_x > 0.0 else min(share_in[-1, 0, 0], share...
                more_x[i, j] = more_x[i, j] * select(
                    more_x[i, j] > 0.0,
                    minimum(share_in[i, j], share_out[i - 1, j]),
                    minimum(share_in[i - 1, j], share_out[i, j]),
                )
        for j in range(0, nj + 1):
            for i in range(0, ni):
                # more_y *= ( min(share_in, share_out[0, -1, 0]) if more_y > 0.0 else min(share_in[0, -1, 0], share...
                more_y[i, j] = more_y[i, j] * select(
                    more_y[i, j] > 0.0,
                    minimum(share_in[i, j], share_out[i, j - 1]),
                    minimum(share_in[i, j - 1], share_out[i, j]),
                )
        for j in range(0, nj):
            for i in range(0, ni):
                # tracer_new = moved - (more_x[1, 0, 0] - more_x + more_y[0, 1, 0] - more_y)
                tracer_new[i, j, k] = moved[i, j] - (
                    more_x[i + 1, j]
                    - more_x[i, j]
                    + more_y[i, j + 1]
                    - more_y[i, j]
                )


@kernel()
def dynamical_core_2(
    diffusivity_array, u_new_array, v_new_array, theta_new_array, u_step_array, v_step_array,
    theta_step_array, above_array, cp_array, below_array, diffusivity_i, diffusivity_j, diffusivity_k,
    u_new_i, u_new_j, u_new_k, v_new_i, v_new_j, v_new_k, theta_new_i, theta_new_j, theta_new_k, ni, nk,
    mixing, first, last, chunk,
):
    diffusivity = view_unit0(diffusivity_array, diffusivity_i, diffusivity_j, diffusivity_k)
    u_new = view_unit0(u_new_array, u_new_i, u_new_j, u_new_k)
    v_new = view_unit0(v_new_array, v_new_i, v_new_j, v_new_k)
    theta_new = view_unit0(theta_new_array, theta_new_i, theta_new_j, theta_new_k)
    u_step = view_unit0(u_step_array, 0, 0, 0)
    v_step = view_unit0(v_step_array, 0, 0, 0)
    theta_step = view_unit0(theta_step_array, 0, 0, 0)
    above = view_unit0_of_chunk(above_array, 0, 0, chunk)
    cp = view_unit0_of_chunk(cp_array, 0, 0, chunk)
    below = view_unit0_of_chunk(below_array, 0, -1, chunk)
    for j in range(first, last):
        for k in range(0, nk):
            if 0 <= k < 1:
                for i in range(0, ni):
                    # above = mixing * diffusivity[0, 0, 1]
                    new_above = mixing * diffusivity[i, j, k + 1]
                    above[i, k] = new_above
                    # m = 1.0 / (1.0 + above)
                    m = 1.0 / (1.0 + new_above)
                    # cp = above * m
                    cp[i, k] = new_above * m
                    # u_new = u_step * m
                    u_new[i, j, k] = u_step[i, j, k] * m
                    # v_new = v_step * m
                    v_new[i, j, k] = v_step[i, j, k] * m
                    # theta_new = theta_step * m
                    theta_new[i, j, k] = theta_step[i, j, k] * m
            if 1 <= k < nk:
                for i in range(0, ni):
                    # below = mixing * diffusivity
                    below[i, k] = mixing * diffusivity[i, j, k]
                    # above = 0.0
                    above[i, k] = 0.0
            if 1 <= k < nk - 1:
                for i in range(0, ni):
                    # above = mixing * diffusivity[0, 0, 1]
                    above[i, k] = mixing * diffusivity[i, j, k + 1]
            if 1 <= k < nk:
                for i in range(0, ni):
                    # m = 1.0 / (1.0 + above + below - below * cp[0, 0, -1])
                    m = 1.0 / (1.0 + above[i, k] + below[i, k] - below[i, k] * cp[i, k - 1])
                    # cp = above * m
                    cp[i, k] = above[i, k] * m
                    # u_new = (u_step + below * u_new[0, 0, -1]) * m
                    u_new[i, j, k] = (u_step[i, j, k] + below[i, k] * u_new[i, j, k - 1]) * m
                    # v_new = (v_step + below * v_new[0, 0, -1]) * m
                    v_new[i, j, k] = (v_step[i, j, k] + below[i, k] * v_new[i, j, k - 1]) * m
                    # theta_new = (theta_step + below * theta_new[0, 0, -1]) * m
                    theta_new[i, j, k] = (theta_step[i, j, k] + below[i, k] * theta_new[i, j, k - 1]) * m
        for k in range(nk - 2, -1, -1):
            for i in range(0, ni):
                # u_new += cp * u_new[0, 0, 1]
                u_new[i, j, k] = u_new[i, j, k] + cp[i, k] * u_new[i, j, k + 1]
                # v_new += cp * v_new[0, 0, 1]
                v_new[i, j, k] = v_new[i, j, k] + cp[i, k] * v_new[i, j, k + 1]
                # theta_new += cp * theta_new[0, 0, 1]
                theta_new[i, j, k] = theta_new[i, j, k] + cp[i, k] * theta_new[i, j, k + 1]


def run(
    u_array, v_array, theta_array, tracer_array, diffusivity_array, u_new_array, v_new_array, theta_new_array,
    tracer_new_array, exner_array, kinetic_array, vorticity_array, u_step_array, v_step_array,
    theta_step_array, lap_u_array, flux_ux_array, flux_uy_array, lap_v_array, flux_vx_array, flux_vy_array,
    wind_x_array, wind_y_array, upwind_x_array, upwind_y_array, more_x_array, more_y_array, moved_array,
    share_in_array, share_out_array, above_array, cp_array, below_array, u_i, u_j, u_k, v_i, v_j, v_k,
    theta_i, theta_j, theta_k, tracer_i, tracer_j, tracer_k, diffusivity_i, diffusivity_j, diffusivity_k,
    u_new_i, u_new_j, u_new_k, v_new_i, v_new_j, v_new_k, theta_new_i, theta_new_j, theta_new_k, tracer_new_i,
    tracer_new_j, tracer_new_k, ni, nj, nk, layer, coriolis, courant, damping, mixing,
):
    # Workspace exner_array: f64 [-1, ni + 1) x [-1, nj + 1) x [0, nk), i fastest.
    dynamical_core_0(theta_array, exner_array, theta_i, theta_j, theta_k, ni, nk, layer, -1, nj + 1)
    # Workspace kinetic_array: f64 [-1, ni + 1) x [-1, nj + 1) for each chunk, i fastest.
    # Workspace vorticity_array: f64 [0, ni) x [0, nj) for each chunk, i fastest.
    # Workspace u_step_array: f64 [0, ni) x [0, nj) x [0, nk), i fastest.
    # Workspace v_step_array: f64 [0, ni) x [0, nj) x [0, nk), i fastest.
    # Workspace theta_step_array: f64 [0, ni) x [0, nj) x [0, nk), i fastest.
    # Workspace lap_u_array: f64 [-1, ni + 1) x [-1, nj + 1) for each chunk, i fastest.
    # Workspace flux_ux_array: f64 [-1, ni) x [0, nj) for each chunk, i fastest.
    # Workspace flux_uy_array: f64 [0, ni) x [-1, nj) for each chunk, i fastest.
    # Workspace lap_v_array: f64 [-1, ni + 1) x [-1, nj + 1) for each chunk, i fastest.
    # Workspace flux_vx_array: f64 [-1, ni) x [0, nj) for each chunk, i fastest.
    # Workspace flux_vy_array: f64 [0, ni) x [-1, nj) for each chunk, i fastest.
    # Workspace wind_x_array: f64 [-2, ni + 3) x [-2, nj + 2) for each chunk, i fastest.
    # Workspace wind_y_array: f64 [-2, ni + 2) x [-2, nj + 3) for each chunk, i fastest.
    # Workspace upwind_x_array: f64 [-2, ni + 3) x [-2, nj + 2) for each chunk, i fastest.
    # Workspace upwind_y_array: f64 [-2, ni + 2) x [-2, nj + 3) for each chunk, i fastest.
    # Workspace more_x_array: f64 [-1, ni + 2) x [-1, nj + 1) for each chunk, i fastest.
    # Workspace more_y_array: f64 [-1, ni + 1) x [-1, nj + 2) for each chunk, i fastest.
    # Workspace moved_array: f64 [-2, ni + 2) x [-2, nj + 2) for each chunk, i fastest.
    # Workspace share_in_array: f64 [-1, ni + 1) x [-1, nj + 1) for each chunk, i fastest.
    # Workspace share_out_array: f64 [-1, ni + 1) x [-1, nj + 1) for each chunk, i fastest.
    dynamical_core_1(
        u_array, v_array, theta_array, tracer_array, tracer_new_array, exner_array, kinetic_array,
        vorticity_array, u_step_array, v_step_array, theta_step_array, lap_u_array, flux_ux_array,
        flux_uy_array, lap_v_array, flux_vx_array, flux_vy_array, wind_x_array, wind_y_array, upwind_x_array,
        upwind_y_array, more_x_array, more_y_array, moved_array, share_in_array, share_out_array, u_i, u_j,
        u_k, v_i, v_j, v_k, theta_i, theta_j, theta_k, tracer_i, tracer_j, tracer_k, tracer_new_i,
        tracer_new_j, tracer_new_k, ni, nj, coriolis, courant, damping, 0, nk, 0,
    )
    # Workspace above_array: f64 [0, ni) x [0, nk) for each chunk, i fastest.
    # Workspace cp_array: f64 [0, ni) x [0, nk) for each chunk, i fastest.
    # Workspace below_array: f64 [0, ni) x [1, nk) for each chunk, i fastest.
    dynamical_core_2(
        diffusivity_array, u_new_array, v_new_array, theta_new_array, u_step_array, v_step_array,
        theta_step_array, above_array, cp_array, below_array, diffusivity_i, diffusivity_j, diffusivity_k,
        u_new_i, u_new_j, u_new_k, v_new_i, v_new_j, v_new_k, theta_new_i, theta_new_j, theta_new_k, ni, nk,
        mixing, 0, nj, 0,
    )


@parallel_driver
def run_parallel(
    u_array, v_array, theta_array, tracer_array, diffusivity_array, u_new_array, v_new_array, theta_new_array,
    tracer_new_array, exner_array, kinetic_array, vorticity_array, u_step_array, v_step_array,
    theta_step_array, lap_u_array, flux_ux_array, flux_uy_array, lap_v_array, flux_vx_array, flux_vy_array,
    wind_x_array, wind_y_array, upwind_x_array, upwind_y_array, more_x_array, more_y_array, moved_array,
    share_in_array, share_out_array, above_array, cp_array, below_array, u_i, u_j, u_k, v_i, v_j, v_k,
    theta_i, theta_j, theta_k, tracer_i, tracer_j, tracer_k, diffusivity_i, diffusivity_j, diffusivity_k,
    u_new_i, u_new_j, u_new_k, v_new_i, v_new_j, v_new_k, theta_new_i, theta_new_j, theta_new_k, tracer_new_i,
    tracer_new_j, tracer_new_k, ni, nj, nk, layer, coriolis, courant, damping, mixing, chunks,
):
    # Workspace exner_array: f64 [-1, ni + 1) x [-1, nj + 1) x [0, nk), i fastest.
    for share in prange(0, chunks):
        chunk = i64(share)
        dynamical_core_0(
            theta_array, exner_array, theta_i, theta_j, theta_k, ni, nk, layer,
            cut(-1, nj + 1, chunk, chunks), cut(-1, nj + 1, chunk + 1, chunks),
        )
    # Workspace kinetic_array: f64 [-1, ni + 1) x [-1, nj + 1) for each chunk, i fastest.
    # Workspace vorticity_array: f64 [0, ni) x [0, nj) for each chunk, i fastest.
    # Workspace u_step_array: f64 [0, ni) x [0, nj) x [0, nk), i fastest.
    # Workspace v_step_array: f64 [0, ni) x [0, nj) x [0, nk), i fastest.
    # Workspace theta_step_array: f64 [0, ni) x [0, nj) x [0, nk), i fastest.
    # Workspace lap_u_array: f64 [-1, ni + 1) x [-1, nj + 1) for each chunk, i fastest.
    # Workspace flux_ux_array: f64 [-1, ni) x [0, nj) for each chunk, i fastest.
    # Workspace flux_uy_array: f64 [0, ni) x [-1, nj) for each chunk, i fastest.
    # Workspace lap_v_array: f64 [-1, ni + 1) x [-1, nj + 1) for each chunk, i fastest.
    # Workspace flux_vx_array: f64 [-1, ni) x [0, nj) for each chunk, i fastest.
    # Workspace flux_vy_array: f64 [0, ni) x [-1, nj) for each chunk, i fastest.
    # Workspace wind_x_array: f64 [-2, ni + 3) x [-2, nj + 2) for each chunk, i fastest.
    # Workspace wind_y_array: f64 [-2, ni + 2) x [-2, nj + 3) for each chunk, i fastest.
    # Workspace upwind_x_array: f64 [-2, ni + 3) x [-2, nj + 2) for each chunk, i fastest.
    # Workspace upwind_y_array: f64 [-2, ni + 2) x [-2, nj + 3) for each chunk, i fastest.
    # Workspace more_x_array: f64 [-1, ni + 2) x [-1, nj + 1) for each chunk, i fastest.
    # Workspace more_y_array: f64 [-1, ni + 1) x [-1, nj + 2) for each chunk, i fastest.
    # Workspace moved_array: f64 [-2, ni + 2) x [-2, nj + 2) for each chunk, i fastest.
    # Workspace share_in_array: f64 [-1, ni + 1) x [-1, nj + 1) for each chunk, i fastest.
    # Workspace share_out_array: f64 [-1, ni + 1) x [-1, nj + 1) for each chunk, i fastest.
    for share in prange(0, chunks):
        chunk = i64(share)
        dynamical_core_1(
            u_array, v_array, theta_array, tracer_array, tracer_new_array, exner_array, kinetic_array,
            vorticity_array, u_step_array, v_step_array, theta_step_array, lap_u_array, flux_ux_array,
            flux_uy_array, lap_v_array, flux_vx_array, flux_vy_array, wind_x_array, wind_y_array,
            upwind_x_array, upwind_y_array, more_x_array, more_y_array, moved_array, share_in_array,
            share_out_array, u_i, u_j, u_k, v_i, v_j, v_k, theta_i, theta_j, theta_k, tracer_i, tracer_j,
            tracer_k, tracer_new_i, tracer_new_j, tracer_new_k, ni, nj, coriolis, courant, damping,
            cut(0, nk, chunk, chunks), cut(0, nk, chunk + 1, chunks), chunk,
        )
    # Workspace above_array: f64 [0, ni) x [0, nk) for each chunk, i fastest.
    # Workspace cp_array: f64 [0, ni) x [0, nk) for each chunk, i fastest.
    # Workspace below_array: f64 [0, ni) x [1, nk) for each chunk, i fastest.
    for share in prange(0, chunks):
        chunk = i64(share)
        dynamical_core_2(
            diffusivity_array, u_new_array, v_new_array, theta_new_array, u_step_array, v_step_array,
            theta_step_array, above_array, cp_array, below_array, diffusivity_i, diffusivity_j, diffusivity_k,
            u_new_i, u_new_j, u_new_k, v_new_i, v_new_j, v_new_k, theta_new_i, theta_new_j, theta_new_k, ni,
            nk, mixing, cut(0, nj, chunk, chunks), cut(0, nj, chunk + 1, chunks), chunk,
        )

"""Kernels of stencil dynamical_core. Generated from IIR; do not edit."""

import numpy as np

from backends.numba_cpu.runtime.choice import maximum, minimum, select
from backends.numba_cpu.runtime.chunks import cut
from backends.numba_cpu.runtime.compiled import kernel, parallel_driver, prange
from backends.numba_cpu.runtime.stack import stack_unit0
from backends.numba_cpu.runtime.view import view_unit0

i64 = np.int64
f64 = np.float64


@kernel()
def dynamical_core_0(theta_array, exner_array, theta_i, theta_j, theta_k, ni, nk, layer, first, last):
    theta = view_unit0(theta_array, theta_i, theta_j, theta_k)
    exner = view_unit0(exner_array, 1, 1, 0)
    for j in range(first, last):
        for strip in range(-1, ni + 1, 64):
            for k in range(nk - 1, -1, -1):
                if nk - 1 <= k < nk:
                    for i in range(strip, min(strip + 64, ni + 1)):
                        # exner = 0.5 * layer / theta
                        exner[i, j, k] = 0.5 * layer / theta[i, j, k]
                if 0 <= k < nk - 1:
                    for i in range(strip, min(strip + 64, ni + 1)):
                        # exner = exner[0, 0, 1] + 2.0 * layer / (theta + theta[0, 0, 1])
                        exner[i, j, k] = (
                            exner[i, j, k + 1]
                            + 2.0 * layer / (theta[i, j, k] + theta[i, j, k + 1])
                        )


@kernel()
def dynamical_core_1(
    u_array, v_array, theta_array, tracer_array, tracer_new_array, exner_array, u_step_array, v_step_array,
    theta_step_array, u_i, u_j, u_k, v_i, v_j, v_k, theta_i, theta_j, theta_k, tracer_i, tracer_j, tracer_k,
    tracer_new_i, tracer_new_j, tracer_new_k, ni, nj, coriolis, courant, damping, first, last,
):
    kinetic_array = stack_unit0(f64, 1, ni + 2, 4)
    kinetic = view_unit0(kinetic_array, 1, 0)
    lap_u_array = stack_unit0(f64, 1, ni + 2, 2)
    lap_u = view_unit0(lap_u_array, 1, 0)
    flux_uy_array = stack_unit0(f64, 0, ni, 2)
    flux_uy = view_unit0(flux_uy_array, 0, 0)
    lap_v_array = stack_unit0(f64, 1, ni + 2, 2)
    lap_v = view_unit0(lap_v_array, 1, 0)
    flux_vy_array = stack_unit0(f64, 0, ni, 2)
    flux_vy = view_unit0(flux_vy_array, 0, 0)
    more_x_array = stack_unit0(f64, 1, ni + 3, 2)
    more_x = view_unit0(more_x_array, 1, 0)
    more_y_array = stack_unit0(f64, 1, ni + 2, 4)
    more_y = view_unit0(more_y_array, 1, 0)
    moved_array = stack_unit0(f64, 2, ni + 4, 4)
    moved = view_unit0(moved_array, 2, 0)
    share_in_array = stack_unit0(f64, 1, ni + 2, 2)
    share_in = view_unit0(share_in_array, 1, 0)
    share_out_array = stack_unit0(f64, 1, ni + 2, 2)
    share_out = view_unit0(share_out_array, 1, 0)
    u = view_unit0(u_array, u_i, u_j, u_k)
    v = view_unit0(v_array, v_i, v_j, v_k)
    theta = view_unit0(theta_array, theta_i, theta_j, theta_k)
    tracer = view_unit0(tracer_array, tracer_i, tracer_j, tracer_k)
    tracer_new = view_unit0(tracer_new_array, tracer_new_i, tracer_new_j, tracer_new_k)
    exner = view_unit0(exner_array, 1, 1, 0)
    u_step = view_unit0(u_step_array, 0, 0, 0)
    v_step = view_unit0(v_step_array, 0, 0, 0)
    theta_step = view_unit0(theta_step_array, 0, 0, 0)
    for k in range(first, last):
        for j in range(-4, nj):
            if -2 <= j < 0:
                if -2 <= j < nj:
                    for i in range(-1, ni + 1):
                        # kinetic = 0.5 * (u * u + v * v)
                        kinetic[i, (j + 1) & 3] = (
                            0.5
                            * (u[i, j + 1, k] * u[i, j + 1, k] + v[i, j + 1, k] * v[i, j + 1, k])
                        )
                    for i in range(-1, ni + 1):
                        # lap_u = u[1, 0, 0] + u[-1, 0, 0] + u[0, 1, 0] + u[0, -1, 0] - 4.0 * u
                        lap_u[i, (j + 1) & 1] = (
                            u[i + 1, j + 1, k]
                            + u[i - 1, j + 1, k]
                            + u[i, j + 2, k]
                            + u[i, j, k]
                            - 4.0 * u[i, j + 1, k]
                        )
                if -1 <= j < nj:
                    for i in range(0, ni):
                        # flux_uy = lap_u[0, 1, 0] - lap_u
                        new_flux_uy = lap_u[i, (j + 1) & 1] - lap_u[i, j & 1]
                        # flux_uy = 0.0 if flux_uy * (u[0, 1, 0] - u) > 0.0 else flux_uy
                        flux_uy[i, j & 1] = select(
                            new_flux_uy * (u[i, j + 1, k] - u[i, j, k]) > 0.0,
                            f64(0.0),
                            new_flux_uy,
                        )
            if 0 <= j < nj:
                for i in range(-1, 0):
                    # kinetic = 0.5 * (u * u + v * v)
                    kinetic[i, (j + 1) & 3] = 0.5 * (
                        u[i, j + 1, k] * u[i, j + 1, k]
                        + v[i, j + 1, k] * v[i, j + 1, k]
                    )
                for i in range(ni, ni + 1):
                    # kinetic = 0.5 * (u * u + v * v)
                    kinetic[i, (j + 1) & 3] = 0.5 * (
                        u[i, j + 1, k] * u[i, j + 1, k]
                        + v[i, j + 1, k] * v[i, j + 1, k]
                    )
                for i in range(-1, 0):
                    # lap_u = u[1, 0, 0] + u[-1, 0, 0] + u[0, 1, 0] + u[0, -1, 0] - 4.0 * u
                    lap_u[i, (j + 1) & 1] = (
                        u[i + 1, j + 1, k]
                        + u[i - 1, j + 1, k]
                        + u[i, j + 2, k]
                        + u[i, j, k]
                        - 4.0 * u[i, j + 1, k]
                    )
                for i in range(ni, ni + 1):
                    # lap_u = u[1, 0, 0] + u[-1, 0, 0] + u[0, 1, 0] + u[0, -1, 0] - 4.0 * u
                    lap_u[i, (j + 1) & 1] = (
                        u[i + 1, j + 1, k]
                        + u[i - 1, j + 1, k]
                        + u[i, j + 2, k]
                        + u[i, j, k]
                        - 4.0 * u[i, j + 1, k]
                    )
                for i in range(0, ni):
                    # kinetic = 0.5 * (u * u + v * v)
                    kinetic[i, (j + 1) & 3] = 0.5 * (
                        u[i, j + 1, k] * u[i, j + 1, k]
                        + v[i, j + 1, k] * v[i, j + 1, k]
                    )
                    # push_x = theta * (exner[1, 0, 0] - exner[-1, 0, 0]) + kinetic[1, 0, 0] - kinetic[-1, 0, 0]
                    push_x = (
                        theta[i, j, k] * (exner[i + 1, j, k] - exner[i - 1, j, k])
                        + kinetic[i + 1, j & 3]
                        - kinetic[i - 1, j & 3]
                    )
                    # push_y = theta * (exner[0, 1, 0] - exner[0, -1, 0]) + kinetic[0, 1, 0] - kinetic[0, -1, 0]
                    push_y = (
                        theta[i, j, k] * (exner[i, j + 1, k] - exner[i, j - 1, k])
                        + kinetic[i, (j + 1) & 3]
                        - kinetic[i, (j - 1) & 3]
                    )
                    # vorticity = coriolis + 0.5 * (v[1, 0, 0] - v[-1, 0, 0] - u[0, 1, 0] + u[0, -1, 0])
                    vorticity = coriolis + 0.5 * (
                        v[i + 1, j, k]
                        - v[i - 1, j, k]
                        - u[i, j + 1, k]
                        + u[i, j - 1, k]
                    )
                    # u_step = u + courant * (vorticity * v - 0.5 * push_x)
                    u_step[i, j, k] = u[i, j, k] + courant * (vorticity * v[i, j, k] - 0.5 * push_x)
                    # v_step = v - courant * (vorticity * u + 0.5 * push_y)
                    v_step[i, j, k] = v[i, j, k] - courant * (vorticity * u[i, j, k] + 0.5 * push_y)
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
                    # lap_u = u[1, 0, 0] + u[-1, 0, 0] + u[0, 1, 0] + u[0, -1, 0] - 4.0 * u
                    lap_u[i, (j + 1) & 1] = (
                        u[i + 1, j + 1, k]
                        + u[i - 1, j + 1, k]
                        + u[i, j + 2, k]
                        + u[i, j, k]
                        - 4.0 * u[i, j + 1, k]
                    )
                    # flux_uy = lap_u[0, 1, 0] - lap_u
                    new_flux_uy = lap_u[i, (j + 1) & 1] - lap_u[i, j & 1]
                    # flux_uy = 0.0 if flux_uy * (u[0, 1, 0] - u) > 0.0 else flux_uy
                    flux_uy[i, j & 1] = select(
                        new_flux_uy * (u[i, j + 1, k] - u[i, j, k]) > 0.0,
                        f64(0.0),
                        new_flux_uy,
                    )
            if 0 <= j < nj:
                for i in range(0, ni):
                    # flux_ux = lap_u[1, 0, 0] - lap_u
                    flux_ux_im1 = lap_u[i, j & 1] - lap_u[i - 1, j & 1]
                    # flux_ux = 0.0 if flux_ux * (u[1, 0, 0] - u) > 0.0 else flux_ux
                    flux_ux_im1 = select(
                        flux_ux_im1 * (u[i, j, k] - u[i - 1, j, k]) > 0.0,
                        f64(0.0),
                        flux_ux_im1,
                    )
                    # flux_ux = lap_u[1, 0, 0] - lap_u
                    flux_ux = lap_u[i + 1, j & 1] - lap_u[i, j & 1]
                    # flux_ux = 0.0 if flux_ux * (u[1, 0, 0] - u) > 0.0 else flux_ux
                    flux_ux = select(flux_ux * (u[i + 1, j, k] - u[i, j, k]) > 0.0, f64(0.0), flux_ux)
                    # u_step -= damping * (flux_ux - flux_ux[-1, 0, 0] + flux_uy - flux_uy[0, -1, 0])
                    u_step[i, j, k] = (
                        u_step[i, j, k]
                        - damping * (flux_ux - flux_ux_im1 + flux_uy[i, j & 1] - flux_uy[i, (j - 1) & 1])
                    )
            if -2 <= j < 0:
                if -2 <= j < nj:
                    for i in range(-1, ni + 1):
                        # lap_v = v[1, 0, 0] + v[-1, 0, 0] + v[0, 1, 0] + v[0, -1, 0] - 4.0 * v
                        lap_v[i, (j + 1) & 1] = (
                            v[i + 1, j + 1, k]
                            + v[i - 1, j + 1, k]
                            + v[i, j + 2, k]
                            + v[i, j, k]
                            - 4.0 * v[i, j + 1, k]
                        )
                if -1 <= j < nj:
                    for i in range(0, ni):
                        # flux_vy = lap_v[0, 1, 0] - lap_v
                        new_flux_vy = lap_v[i, (j + 1) & 1] - lap_v[i, j & 1]
                        # flux_vy = 0.0 if flux_vy * (v[0, 1, 0] - v) > 0.0 else flux_vy
                        flux_vy[i, j & 1] = select(
                            new_flux_vy * (v[i, j + 1, k] - v[i, j, k]) > 0.0,
                            f64(0.0),
                            new_flux_vy,
                        )
            if 0 <= j < nj:
                for i in range(-1, 0):
                    # lap_v = v[1, 0, 0] + v[-1, 0, 0] + v[0, 1, 0] + v[0, -1, 0] - 4.0 * v
                    lap_v[i, (j + 1) & 1] = (
                        v[i + 1, j + 1, k]
                        + v[i - 1, j + 1, k]
                        + v[i, j + 2, k]
                        + v[i, j, k]
                        - 4.0 * v[i, j + 1, k]
                    )
                for i in range(ni, ni + 1):
                    # lap_v = v[1, 0, 0] + v[-1, 0, 0] + v[0, 1, 0] + v[0, -1, 0] - 4.0 * v
                    lap_v[i, (j + 1) & 1] = (
                        v[i + 1, j + 1, k]
                        + v[i - 1, j + 1, k]
                        + v[i, j + 2, k]
                        + v[i, j, k]
                        - 4.0 * v[i, j + 1, k]
                    )
                for i in range(0, ni):
                    # lap_v = v[1, 0, 0] + v[-1, 0, 0] + v[0, 1, 0] + v[0, -1, 0] - 4.0 * v
                    lap_v[i, (j + 1) & 1] = (
                        v[i + 1, j + 1, k]
                        + v[i - 1, j + 1, k]
                        + v[i, j + 2, k]
                        + v[i, j, k]
                        - 4.0 * v[i, j + 1, k]
                    )
                    # flux_vy = lap_v[0, 1, 0] - lap_v
                    new_flux_vy = lap_v[i, (j + 1) & 1] - lap_v[i, j & 1]
                    # flux_vy = 0.0 if flux_vy * (v[0, 1, 0] - v) > 0.0 else flux_vy
                    flux_vy[i, j & 1] = select(
                        new_flux_vy * (v[i, j + 1, k] - v[i, j, k]) > 0.0,
                        f64(0.0),
                        new_flux_vy,
                    )
                    # flux_vx = lap_v[1, 0, 0] - lap_v
                    flux_vx_im1 = lap_v[i, j & 1] - lap_v[i - 1, j & 1]
                    # flux_vx = 0.0 if flux_vx * (v[1, 0, 0] - v) > 0.0 else flux_vx
                    flux_vx_im1 = select(
                        flux_vx_im1 * (v[i, j, k] - v[i - 1, j, k]) > 0.0,
                        f64(0.0),
                        flux_vx_im1,
                    )
                    # flux_vx = lap_v[1, 0, 0] - lap_v
                    flux_vx = lap_v[i + 1, j & 1] - lap_v[i, j & 1]
                    # flux_vx = 0.0 if flux_vx * (v[1, 0, 0] - v) > 0.0 else flux_vx
                    flux_vx = select(flux_vx * (v[i + 1, j, k] - v[i, j, k]) > 0.0, f64(0.0), flux_vx)
                    # v_step -= damping * (flux_vx - flux_vx[-1, 0, 0] + flux_vy - flux_vy[0, -1, 0])
                    v_step[i, j, k] = (
                        v_step[i, j, k]
                        - damping * (flux_vx - flux_vx_im1 + flux_vy[i, j & 1] - flux_vy[i, (j - 1) & 1])
                    )
            if -4 <= j < -2:
                if -3 <= j < nj:
                    for i in range(-1, ni + 1):
                        # wind_y = 0.5 * courant * (v[0, -1, 0] + v)
                        wind_y = 0.5 * courant * (v[i, j + 1, k] + v[i, j + 2, k])
                        # upwind_y = wind_y * (tracer[0, -1, 0] if wind_y > 0.0 else tracer)
                        upwind_y = wind_y * select(wind_y > 0.0, tracer[i, j + 1, k], tracer[i, j + 2, k])
                        # more_y = 0.5 * wind_y * (tracer[0, -1, 0] + tracer) - upwind_y
                        more_y[i, (j + 2) & 3] = (
                            0.5 * wind_y * (tracer[i, j + 1, k] + tracer[i, j + 2, k])
                            - upwind_y
                        )
                for i in range(-2, ni + 2):
                    # wind_x = 0.5 * courant * (u[-1, 0, 0] + u)
                    wind_x_1 = 0.5 * courant * (u[i - 1, j + 2, k] + u[i, j + 2, k])
                    wind_x_ip1 = 0.5 * courant * (u[i, j + 2, k] + u[i + 1, j + 2, k])
                    # wind_y = 0.5 * courant * (v[0, -1, 0] + v)
                    wind_y_1 = 0.5 * courant * (v[i, j + 1, k] + v[i, j + 2, k])
                    wind_y_jp1 = 0.5 * courant * (v[i, j + 2, k] + v[i, j + 3, k])
                    # upwind_x = wind_x * (tracer[-1, 0, 0] if wind_x > 0.0 else tracer)
                    upwind_x_1 = wind_x_1 * select(
                        wind_x_1 > 0.0,
                        tracer[i - 1, j + 2, k],
                        tracer[i, j + 2, k],
                    )
                    upwind_x_ip1 = wind_x_ip1 * select(
                        wind_x_ip1 > 0.0,
                        tracer[i, j + 2, k],
                        tracer[i + 1, j + 2, k],
                    )
                    # upwind_y = wind_y * (tracer[0, -1, 0] if wind_y > 0.0 else tracer)
                    upwind_y_1 = wind_y_1 * select(wind_y_1 > 0.0, tracer[i, j + 1, k], tracer[i, j + 2, k])
                    upwind_y_jp1 = wind_y_jp1 * select(
                        wind_y_jp1 > 0.0,
                        tracer[i, j + 2, k],
                        tracer[i, j + 3, k],
                    )
                    # moved = tracer - (upwind_x[1, 0, 0] - upwind_x + upwind_y[0, 1, 0] - upwind_y)
                    moved[i, (j + 2) & 3] = (
                        tracer[i, j + 2, k]
                        - (upwind_x_ip1 - upwind_x_1 + upwind_y_jp1 - upwind_y_1)
                    )
            if -2 <= j < nj:
                for i in range(ni + 1, ni + 2):
                    # wind_x = 0.5 * courant * (u[-1, 0, 0] + u)
                    wind_x = 0.5 * courant * (u[i - 1, j + 1, k] + u[i, j + 1, k])
                    # upwind_x = wind_x * (tracer[-1, 0, 0] if wind_x > 0.0 else tracer)
                    upwind_x = wind_x * select(wind_x > 0.0, tracer[i - 1, j + 1, k], tracer[i, j + 1, k])
                    # more_x = 0.5 * wind_x * (tracer[-1, 0, 0] + tracer) - upwind_x
                    more_x[i, (j + 1) & 1] = (
                        0.5 * wind_x * (tracer[i - 1, j + 1, k] + tracer[i, j + 1, k])
                        - upwind_x
                    )
                for i in range(-2, -1):
                    # wind_x = 0.5 * courant * (u[-1, 0, 0] + u)
                    wind_x_1 = 0.5 * courant * (u[i - 1, j + 2, k] + u[i, j + 2, k])
                    wind_x_ip1 = 0.5 * courant * (u[i, j + 2, k] + u[i + 1, j + 2, k])
                    # wind_y = 0.5 * courant * (v[0, -1, 0] + v)
                    wind_y_1 = 0.5 * courant * (v[i, j + 1, k] + v[i, j + 2, k])
                    wind_y_jp1 = 0.5 * courant * (v[i, j + 2, k] + v[i, j + 3, k])
                    # upwind_x = wind_x * (tracer[-1, 0, 0] if wind_x > 0.0 else tracer)
                    upwind_x_1 = wind_x_1 * select(
                        wind_x_1 > 0.0,
                        tracer[i - 1, j + 2, k],
                        tracer[i, j + 2, k],
                    )
                    upwind_x_ip1 = wind_x_ip1 * select(
                        wind_x_ip1 > 0.0,
                        tracer[i, j + 2, k],
                        tracer[i + 1, j + 2, k],
                    )
                    # upwind_y = wind_y * (tracer[0, -1, 0] if wind_y > 0.0 else tracer)
                    upwind_y_1 = wind_y_1 * select(wind_y_1 > 0.0, tracer[i, j + 1, k], tracer[i, j + 2, k])
                    upwind_y_jp1 = wind_y_jp1 * select(
                        wind_y_jp1 > 0.0,
                        tracer[i, j + 2, k],
                        tracer[i, j + 3, k],
                    )
                    # moved = tracer - (upwind_x[1, 0, 0] - upwind_x + upwind_y[0, 1, 0] - upwind_y)
                    moved[i, (j + 2) & 3] = (
                        tracer[i, j + 2, k]
                        - (upwind_x_ip1 - upwind_x_1 + upwind_y_jp1 - upwind_y_1)
                    )
                for i in range(ni + 1, ni + 2):
                    # wind_x = 0.5 * courant * (u[-1, 0, 0] + u)
                    wind_x_1 = 0.5 * courant * (u[i - 1, j + 2, k] + u[i, j + 2, k])
                    wind_x_ip1 = 0.5 * courant * (u[i, j + 2, k] + u[i + 1, j + 2, k])
                    # wind_y = 0.5 * courant * (v[0, -1, 0] + v)
                    wind_y_1 = 0.5 * courant * (v[i, j + 1, k] + v[i, j + 2, k])
                    wind_y_jp1 = 0.5 * courant * (v[i, j + 2, k] + v[i, j + 3, k])
                    # upwind_x = wind_x * (tracer[-1, 0, 0] if wind_x > 0.0 else tracer)
                    upwind_x_1 = wind_x_1 * select(
                        wind_x_1 > 0.0,
                        tracer[i - 1, j + 2, k],
                        tracer[i, j + 2, k],
                    )
                    upwind_x_ip1 = wind_x_ip1 * select(
                        wind_x_ip1 > 0.0,
                        tracer[i, j + 2, k],
                        tracer[i + 1, j + 2, k],
                    )
                    # upwind_y = wind_y * (tracer[0, -1, 0] if wind_y > 0.0 else tracer)
                    upwind_y_1 = wind_y_1 * select(wind_y_1 > 0.0, tracer[i, j + 1, k], tracer[i, j + 2, k])
                    upwind_y_jp1 = wind_y_jp1 * select(
                        wind_y_jp1 > 0.0,
                        tracer[i, j + 2, k],
                        tracer[i, j + 3, k],
                    )
                    # moved = tracer - (upwind_x[1, 0, 0] - upwind_x + upwind_y[0, 1, 0] - upwind_y)
                    moved[i, (j + 2) & 3] = (
                        tracer[i, j + 2, k]
                        - (upwind_x_ip1 - upwind_x_1 + upwind_y_jp1 - upwind_y_1)
                    )
                for i in range(-1, ni + 1):
                    # wind_x = 0.5 * courant * (u[-1, 0, 0] + u)
                    wind_x = 0.5 * courant * (u[i - 1, j + 1, k] + u[i, j + 1, k])
                    # upwind_x = wind_x * (tracer[-1, 0, 0] if wind_x > 0.0 else tracer)
                    upwind_x = wind_x * select(wind_x > 0.0, tracer[i - 1, j + 1, k], tracer[i, j + 1, k])
                    # more_x = 0.5 * wind_x * (tracer[-1, 0, 0] + tracer) - upwind_x
                    more_x[i, (j + 1) & 1] = (
                        0.5 * wind_x * (tracer[i - 1, j + 1, k] + tracer[i, j + 1, k])
                        - upwind_x
                    )
                    # wind_y = 0.5 * courant * (v[0, -1, 0] + v)
                    wind_y = 0.5 * courant * (v[i, j + 1, k] + v[i, j + 2, k])
                    # upwind_y = wind_y * (tracer[0, -1, 0] if wind_y > 0.0 else tracer)
                    upwind_y = wind_y * select(wind_y > 0.0, tracer[i, j + 1, k], tracer[i, j + 2, k])
                    # more_y = 0.5 * wind_y * (tracer[0, -1, 0] + tracer) - upwind_y
                    more_y[i, (j + 2) & 3] = (
                        0.5 * wind_y * (tracer[i, j + 1, k] + tracer[i, j + 2, k])
                        - upwind_y
                    )
                    # wind_x = 0.5 * courant * (u[-1, 0, 0] + u)
                    wind_x_1 = 0.5 * courant * (u[i - 1, j + 2, k] + u[i, j + 2, k])
                    wind_x_ip1 = 0.5 * courant * (u[i, j + 2, k] + u[i + 1, j + 2, k])
                    # wind_y = 0.5 * courant * (v[0, -1, 0] + v)
                    wind_y_1 = 0.5 * courant * (v[i, j + 1, k] + v[i, j + 2, k])
                    wind_y_jp1 = 0.5 * courant * (v[i, j + 2, k] + v[i, j + 3, k])
                    # upwind_x = wind_x * (tracer[-1, 0, 0] if wind_x > 0.0 else tracer)
                    upwind_x_1 = wind_x_1 * select(
                        wind_x_1 > 0.0,
                        tracer[i - 1, j + 2, k],
                        tracer[i, j + 2, k],
                    )
                    upwind_x_ip1 = wind_x_ip1 * select(
                        wind_x_ip1 > 0.0,
                        tracer[i, j + 2, k],
                        tracer[i + 1, j + 2, k],
                    )
                    # upwind_y = wind_y * (tracer[0, -1, 0] if wind_y > 0.0 else tracer)
                    upwind_y_1 = wind_y_1 * select(wind_y_1 > 0.0, tracer[i, j + 1, k], tracer[i, j + 2, k])
                    upwind_y_jp1 = wind_y_jp1 * select(
                        wind_y_jp1 > 0.0,
                        tracer[i, j + 2, k],
                        tracer[i, j + 3, k],
                    )
                    # moved = tracer - (upwind_x[1, 0, 0] - upwind_x + upwind_y[0, 1, 0] - upwind_y)
                    moved[i, (j + 2) & 3] = (
                        tracer[i, j + 2, k]
                        - (upwind_x_ip1 - upwind_x_1 + upwind_y_jp1 - upwind_y_1)
                    )
            if -2 <= j < nj:
                for i in range(-1, ni + 1):
                    # high_x = max(moved[-1, 0, 0], moved[1, 0, 0])
                    high_x = maximum(moved[i - 1, (j + 1) & 3], moved[i + 1, (j + 1) & 3])
                    # high_y = max(moved[0, -1, 0], moved[0, 1, 0])
                    high_y = maximum(moved[i, j & 3], moved[i, (j + 2) & 3])
                    # low_x = min(moved[-1, 0, 0], moved[1, 0, 0])
                    low_x = minimum(moved[i - 1, (j + 1) & 3], moved[i + 1, (j + 1) & 3])
                    # low_y = min(moved[0, -1, 0], moved[0, 1, 0])
                    low_y = minimum(moved[i, j & 3], moved[i, (j + 2) & 3])
                    # room_above = max(moved, max(high_x, high_y)) - moved
                    room_above = (
                        maximum(moved[i, (j + 1) & 3], maximum(high_x, high_y))
                        - moved[i, (j + 1) & 3]
                    )
                    # room_below = moved - min(moved, min(low_x, low_y))
                    room_below = moved[i, (j + 1) & 3] - minimum(moved[i, (j + 1) & 3], minimum(low_x, low_y))
                    # gain = max(more_x, 0.0) - min(more_x[1, 0, 0], 0.0) + max(more_y, 0.0) - min(more_y[0, 1, 0], 0.0)
                    gain = (
                        maximum(more_x[i, (j + 1) & 1], f64(0.0))
                        - minimum(more_x[i + 1, (j + 1) & 1], f64(0.0))
                        + maximum(more_y[i, (j + 1) & 3], f64(0.0))
                        - minimum(more_y[i, (j + 2) & 3], f64(0.0))
                    )
                    # loss = max(more_x[1, 0, 0], 0.0) - min(more_x, 0.0) + max(more_y[0, 1, 0], 0.0) - min(more_y, 0.0)
                    loss = (
                        maximum(more_x[i + 1, (j + 1) & 1], f64(0.0))
                        - minimum(more_x[i, (j + 1) & 1], f64(0.0))
                        + maximum(more_y[i, (j + 2) & 3], f64(0.0))
                        - minimum(more_y[i, (j + 1) & 3], f64(0.0))
                    )
                    # share_in = min(room_above / (gain + 1.0e-9), 1.0)
                    share_in[i, (j + 1) & 1] = minimum(room_above / (gain + 1e-09), f64(1.0))
                    # share_out = min(room_below / (loss + 1.0e-9), 1.0)
                    share_out[i, (j + 1) & 1] = minimum(room_below / (loss + 1e-09), f64(1.0))
            if -1 <= j < 0:
                if -1 <= j < nj:
                    for i in range(0, ni):
                        # more_y *= ( min(share_in, share_out[0, -1, 0]) if more_y > 0.0 else min(share_in[0, -1, 0], share...
                        more_y[i, (j + 1) & 3] = (
                            more_y[i, (j + 1) & 3]
                            * select(
                                more_y[i, (j + 1) & 3] > 0.0,
                                minimum(share_in[i, (j + 1) & 1], share_out[i, j & 1]),
                                minimum(share_in[i, j & 1], share_out[i, (j + 1) & 1]),
                            )
                        )
            if 0 <= j < nj:
                for i in range(ni, ni + 1):
                    # more_x *= ( min(share_in, share_out[-1, 0, 0]) if more_x > 0.0 else min(share_in[-1, 0, 0], share...
                    more_x[i, j & 1] = (
                        more_x[i, j & 1]
                        * select(
                            more_x[i, j & 1] > 0.0,
                            minimum(share_in[i, j & 1], share_out[i - 1, j & 1]),
                            minimum(share_in[i - 1, j & 1], share_out[i, j & 1]),
                        )
                    )
                for i in range(0, ni):
                    # more_x *= ( min(share_in, share_out[-1, 0, 0]) if more_x > 0.0 else min(share_in[-1, 0, 0], share...
                    more_x[i, j & 1] = (
                        more_x[i, j & 1]
                        * select(
                            more_x[i, j & 1] > 0.0,
                            minimum(share_in[i, j & 1], share_out[i - 1, j & 1]),
                            minimum(share_in[i - 1, j & 1], share_out[i, j & 1]),
                        )
                    )
                    # more_y *= ( min(share_in, share_out[0, -1, 0]) if more_y > 0.0 else min(share_in[0, -1, 0], share...
                    more_y[i, (j + 1) & 3] = (
                        more_y[i, (j + 1) & 3]
                        * select(
                            more_y[i, (j + 1) & 3] > 0.0,
                            minimum(share_in[i, (j + 1) & 1], share_out[i, j & 1]),
                            minimum(share_in[i, j & 1], share_out[i, (j + 1) & 1]),
                        )
                    )
            if 0 <= j < nj:
                for i in range(0, ni):
                    # tracer_new = moved - (more_x[1, 0, 0] - more_x + more_y[0, 1, 0] - more_y)
                    tracer_new[i, j, k] = (
                        moved[i, j & 3]
                        - (
                            more_x[i + 1, j & 1]
                            - more_x[i, j & 1]
                            + more_y[i, (j + 1) & 3]
                            - more_y[i, j & 3]
                        )
                    )


@kernel()
def dynamical_core_2(
    diffusivity_array, u_new_array, v_new_array, theta_new_array, u_step_array, v_step_array,
    theta_step_array, diffusivity_i, diffusivity_j, diffusivity_k, u_new_i, u_new_j, u_new_k, v_new_i,
    v_new_j, v_new_k, theta_new_i, theta_new_j, theta_new_k, ni, nk, mixing, first, last,
):
    above_array = stack_unit0(f64, 0, 64)
    cp_array = stack_unit0(f64, 0, 64, nk)
    u_new_held_array = stack_unit0(f64, 0, 64, 2)
    v_new_held_array = stack_unit0(f64, 0, 64, 2)
    theta_new_held_array = stack_unit0(f64, 0, 64, 2)
    diffusivity = view_unit0(diffusivity_array, diffusivity_i, diffusivity_j, diffusivity_k)
    u_new = view_unit0(u_new_array, u_new_i, u_new_j, u_new_k)
    v_new = view_unit0(v_new_array, v_new_i, v_new_j, v_new_k)
    theta_new = view_unit0(theta_new_array, theta_new_i, theta_new_j, theta_new_k)
    u_step = view_unit0(u_step_array, 0, 0, 0)
    v_step = view_unit0(v_step_array, 0, 0, 0)
    theta_step = view_unit0(theta_step_array, 0, 0, 0)
    for j in range(first, last):
        for strip in range(0, ni, 64):
            above = view_unit0(above_array, -strip)
            cp = view_unit0(cp_array, -strip, 0)
            u_new_held = view_unit0(u_new_held_array, -strip, 0)
            v_new_held = view_unit0(v_new_held_array, -strip, 0)
            theta_new_held = view_unit0(theta_new_held_array, -strip, 0)
            for k in range(0, nk):
                if 0 <= k < 1:
                    for i in range(strip, min(strip + 64, ni)):
                        # above = mixing * diffusivity[0, 0, 1]
                        new_above = mixing * diffusivity[i, j, k + 1]
                        above[i] = new_above
                        # m = 1.0 / (1.0 + above)
                        m = 1.0 / (1.0 + new_above)
                        # cp = above * m
                        cp[i, k] = new_above * m
                        # u_new = u_step * m
                        new_u_new_held = u_step[i, j, k] * m
                        u_new_held[i, k & 1] = new_u_new_held
                        u_new[i, j, k] = new_u_new_held
                        # v_new = v_step * m
                        new_v_new_held = v_step[i, j, k] * m
                        v_new_held[i, k & 1] = new_v_new_held
                        v_new[i, j, k] = new_v_new_held
                        # theta_new = theta_step * m
                        new_theta_new_held = theta_step[i, j, k] * m
                        theta_new_held[i, k & 1] = new_theta_new_held
                        theta_new[i, j, k] = new_theta_new_held
                if 1 <= k < nk:
                    for i in range(strip, min(strip + 64, ni)):
                        # above = 0.0
                        above[i] = 0.0
                if 1 <= k < nk - 1:
                    for i in range(strip, min(strip + 64, ni)):
                        # above = mixing * diffusivity[0, 0, 1]
                        above[i] = mixing * diffusivity[i, j, k + 1]
                if 1 <= k < nk:
                    for i in range(strip, min(strip + 64, ni)):
                        # below = mixing * diffusivity
                        below = mixing * diffusivity[i, j, k]
                        # m = 1.0 / (1.0 + above + below - below * cp[0, 0, -1])
                        m = 1.0 / (1.0 + above[i] + below - below * cp[i, k - 1])
                        # cp = above * m
                        cp[i, k] = above[i] * m
                        # u_new = (u_step + below * u_new[0, 0, -1]) * m
                        new_u_new_held = (u_step[i, j, k] + below * u_new_held[i, (k - 1) & 1]) * m
                        u_new_held[i, k & 1] = new_u_new_held
                        u_new[i, j, k] = new_u_new_held
                        # v_new = (v_step + below * v_new[0, 0, -1]) * m
                        new_v_new_held = (v_step[i, j, k] + below * v_new_held[i, (k - 1) & 1]) * m
                        v_new_held[i, k & 1] = new_v_new_held
                        v_new[i, j, k] = new_v_new_held
                        # theta_new = (theta_step + below * theta_new[0, 0, -1]) * m
                        new_theta_new_held = (
                            (theta_step[i, j, k] + below * theta_new_held[i, (k - 1) & 1])
                            * m
                        )
                        theta_new_held[i, k & 1] = new_theta_new_held
                        theta_new[i, j, k] = new_theta_new_held
            for k in range(nk - 2, -1, -1):
                for i in range(strip, min(strip + 64, ni)):
                    # u_new += cp * u_new[0, 0, 1]
                    u_new[i, j, k] = u_new[i, j, k] + cp[i, k] * u_new[i, j, k + 1]
                    # v_new += cp * v_new[0, 0, 1]
                    v_new[i, j, k] = v_new[i, j, k] + cp[i, k] * v_new[i, j, k + 1]
                    # theta_new += cp * theta_new[0, 0, 1]
                    theta_new[i, j, k] = theta_new[i, j, k] + cp[i, k] * theta_new[i, j, k + 1]


def run(
    u_array, v_array, theta_array, tracer_array, diffusivity_array, u_new_array, v_new_array, theta_new_array,
    tracer_new_array, exner_array, u_step_array, v_step_array, theta_step_array, u_i, u_j, u_k, v_i, v_j, v_k,
    theta_i, theta_j, theta_k, tracer_i, tracer_j, tracer_k, diffusivity_i, diffusivity_j, diffusivity_k,
    u_new_i, u_new_j, u_new_k, v_new_i, v_new_j, v_new_k, theta_new_i, theta_new_j, theta_new_k, tracer_new_i,
    tracer_new_j, tracer_new_k, ni, nj, nk, layer, coriolis, courant, damping, mixing,
):
    # Workspace exner_array: f64 (ni + 2) x (nj + 2) x nk, unit stride on axis 0.
    dynamical_core_0(theta_array, exner_array, theta_i, theta_j, theta_k, ni, nk, layer, -1, nj + 1)
    # Workspace u_step_array: f64 ni x nj x nk, unit stride on axis 0.
    # Workspace v_step_array: f64 ni x nj x nk, unit stride on axis 0.
    # Workspace theta_step_array: f64 ni x nj x nk, unit stride on axis 0.
    dynamical_core_1(
        u_array, v_array, theta_array, tracer_array, tracer_new_array, exner_array, u_step_array,
        v_step_array, theta_step_array, u_i, u_j, u_k, v_i, v_j, v_k, theta_i, theta_j, theta_k, tracer_i,
        tracer_j, tracer_k, tracer_new_i, tracer_new_j, tracer_new_k, ni, nj, coriolis, courant, damping, 0,
        nk,
    )
    dynamical_core_2(
        diffusivity_array, u_new_array, v_new_array, theta_new_array, u_step_array, v_step_array,
        theta_step_array, diffusivity_i, diffusivity_j, diffusivity_k, u_new_i, u_new_j, u_new_k, v_new_i,
        v_new_j, v_new_k, theta_new_i, theta_new_j, theta_new_k, ni, nk, mixing, 0, nj,
    )


@parallel_driver
def run_parallel(
    u_array, v_array, theta_array, tracer_array, diffusivity_array, u_new_array, v_new_array, theta_new_array,
    tracer_new_array, exner_array, u_step_array, v_step_array, theta_step_array, u_i, u_j, u_k, v_i, v_j, v_k,
    theta_i, theta_j, theta_k, tracer_i, tracer_j, tracer_k, diffusivity_i, diffusivity_j, diffusivity_k,
    u_new_i, u_new_j, u_new_k, v_new_i, v_new_j, v_new_k, theta_new_i, theta_new_j, theta_new_k, tracer_new_i,
    tracer_new_j, tracer_new_k, ni, nj, nk, layer, coriolis, courant, damping, mixing, chunks,
):
    # Workspace exner_array: f64 (ni + 2) x (nj + 2) x nk, unit stride on axis 0.
    for share in prange(0, chunks):
        chunk = i64(share)
        dynamical_core_0(
            theta_array, exner_array, theta_i, theta_j, theta_k, ni, nk, layer,
            cut(-1, nj + 1, chunk, chunks), cut(-1, nj + 1, chunk + 1, chunks),
        )
    # Workspace u_step_array: f64 ni x nj x nk, unit stride on axis 0.
    # Workspace v_step_array: f64 ni x nj x nk, unit stride on axis 0.
    # Workspace theta_step_array: f64 ni x nj x nk, unit stride on axis 0.
    for share in prange(0, chunks):
        chunk = i64(share)
        dynamical_core_1(
            u_array, v_array, theta_array, tracer_array, tracer_new_array, exner_array, u_step_array,
            v_step_array, theta_step_array, u_i, u_j, u_k, v_i, v_j, v_k, theta_i, theta_j, theta_k, tracer_i,
            tracer_j, tracer_k, tracer_new_i, tracer_new_j, tracer_new_k, ni, nj, coriolis, courant, damping,
            cut(0, nk, chunk, chunks), cut(0, nk, chunk + 1, chunks),
        )
    for share in prange(0, chunks):
        chunk = i64(share)
        dynamical_core_2(
            diffusivity_array, u_new_array, v_new_array, theta_new_array, u_step_array, v_step_array,
            theta_step_array, diffusivity_i, diffusivity_j, diffusivity_k, u_new_i, u_new_j, u_new_k, v_new_i,
            v_new_j, v_new_k, theta_new_i, theta_new_j, theta_new_k, ni, nk, mixing,
            cut(0, nj, chunk, chunks), cut(0, nj, chunk + 1, chunks),
        )

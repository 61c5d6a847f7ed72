"""What the stencils of terrain.py compute, in NumPy: slices, and a loop over levels where it must be."""

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Array: TypeAlias = npt.NDArray[np.float64]


def numpy_hdiff(inp: Array, coeff: Array, out: Array) -> None:
    lap = inp[2:, 1:-1] + inp[:-2, 1:-1] + inp[1:-1, 2:] + inp[1:-1, :-2] - 4.0 * inp[1:-1, 1:-1]
    flux_x = lap[1:, 1:-1] - lap[:-1, 1:-1]
    flux_x[flux_x * (inp[2:-1, 2:-2] - inp[1:-2, 2:-2]) > 0.0] = 0.0
    flux_y = lap[1:-1, 1:] - lap[1:-1, :-1]
    flux_y[flux_y * (inp[2:-2, 2:-1] - inp[2:-2, 1:-2]) > 0.0] = 0.0
    change = flux_x[1:] - flux_x[:-1] + flux_y[:, 1:] - flux_y[:, :-1]
    out[2:-2, 2:-2] = inp[2:-2, 2:-2] - coeff[2:-2, 2:-2] * change


def numpy_vertical_diffusion(
    theta: Array, diffusivity: Array, thickness: Array, dt: float, out: Array
) -> None:
    inf, sup = np.zeros_like(theta), np.zeros_like(theta)
    pairs = thickness[..., 1:] + thickness[..., :-1]
    inf[..., 1:] = -2.0 * dt * diffusivity[..., 1:] / (thickness[..., 1:] * pairs)
    sup[..., :-1] = -2.0 * dt * diffusivity[..., 1:] / (thickness[..., :-1] * pairs)
    numpy_tridiagonal(inf, 1.0 - inf - sup, sup, theta, out)


def numpy_tridiagonal(inf: Array, diag: Array, sup: Array, rhs: Array, out: Array) -> None:
    cp, dp = np.empty_like(rhs), np.empty_like(rhs)
    levels = rhs.shape[2]
    cp[..., 0] = sup[..., 0] / diag[..., 0]
    dp[..., 0] = rhs[..., 0] / diag[..., 0]
    for k in range(1, levels):
        m = 1.0 / (diag[..., k] - inf[..., k] * cp[..., k - 1])
        cp[..., k] = sup[..., k] * m
        dp[..., k] = (rhs[..., k] - inf[..., k] * dp[..., k - 1]) * m
    out[..., -1] = dp[..., -1]
    for k in range(levels - 2, -1, -1):
        out[..., k] = dp[..., k] - cp[..., k] * out[..., k + 1]


def numpy_vertical_advection(
    utens_stage: Array, u_stage: Array, wcon: Array, u_pos: Array, utens: Array, dtr_stage: float
) -> None:
    cp, dp = np.empty_like(u_pos), np.empty_like(u_pos)
    levels = u_pos.shape[2]
    b: Array | float
    for k in range(levels):
        b = dtr_stage
        d = dtr_stage * u_pos[..., k] + utens[..., k] + utens_stage[..., k]
        if k > 0:
            a = -0.125 * (wcon[1:, :, k] + wcon[:-1, :, k])
            b = b - a
            d = d - a * (u_stage[..., k - 1] - u_stage[..., k])
        if k < levels - 1:
            c = 0.125 * (wcon[1:, :, k + 1] + wcon[:-1, :, k + 1])
            b = b - c
            d = d - c * (u_stage[..., k + 1] - u_stage[..., k])
        if k == 0:
            cp[..., k] = c / b
            dp[..., k] = d / b
        elif k < levels - 1:
            m = 1.0 / (b - a * cp[..., k - 1])
            cp[..., k] = c * m
            dp[..., k] = (d - a * dp[..., k - 1]) * m
        else:
            dp[..., k] = (d - a * dp[..., k - 1]) / (b - a * cp[..., k - 1])
    u_new = dp[..., -1]
    utens_stage[..., -1] = dtr_stage * (u_new - u_pos[..., -1])
    for k in range(levels - 2, -1, -1):
        u_new = dp[..., k] - cp[..., k] * u_new
        utens_stage[..., k] = dtr_stage * (u_new - u_pos[..., k])

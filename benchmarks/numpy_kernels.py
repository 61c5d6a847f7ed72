"""NumPy versions of stencils of the catalogue, as a careful person writes them: the yardstick."""

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from benchmarks.numpy_dynamical_core import dynamical_core
from examples.terrain_numpy import numpy_hdiff, numpy_tridiagonal

Array: TypeAlias = npt.NDArray[np.floating]


def vadv(
    utens_stage: Array, u_stage: Array, wcon: Array, u_pos: Array, utens: Array, dtr_stage: np.floating
) -> None:
    ni, nk = wcon.shape[0] - 1, wcon.shape[2]
    utens_stage, u_stage, u_pos, utens = (a[:ni] for a in (utens_stage, u_stage, u_pos, utens))
    ccol, dcol = np.empty_like(u_pos), np.empty_like(u_pos)
    b: Array | np.floating
    d: Array | np.floating
    for k in range(nk):
        b = dtr_stage
        d = dtr_stage * u_pos[..., k] + utens[..., k] + utens_stage[..., k]
        correction: Array | float = 0.0
        divided: Array | np.floating
        if k > 0:
            gav = -0.25 * (wcon[1:, :, k] + wcon[:-1, :, k])
            acol = gav * 0.5
            b = b - acol
            correction = -acol * (u_stage[..., k - 1] - u_stage[..., k])
        if k < nk - 1:
            gcv = 0.25 * (wcon[1:, :, k + 1] + wcon[:-1, :, k + 1])
            c = gcv * 0.5
            b = b - c
            correction = correction - c * (u_stage[..., k + 1] - u_stage[..., k])
        d = d + correction
        if k > 0:
            divided = 1.0 / (b - ccol[..., k - 1] * acol)
            d = d - dcol[..., k - 1] * acol
        else:
            divided = 1.0 / b
        dcol[..., k] = d * divided
        if k < nk - 1:
            ccol[..., k] = c * divided
    u = dcol[..., -1]
    utens_stage[..., -1] = dtr_stage * (u - u_pos[..., -1])
    for k in range(nk - 2, -1, -1):
        u = dcol[..., k] - ccol[..., k] * u
        utens_stage[..., k] = dtr_stage * (u - u_pos[..., k])


def jacobi7(inp: Array, out: Array) -> None:
    here = slice(1, -1)
    out[here, here, here] = (
        inp[here, here, here]
        + inp[:-2, here, here]
        + inp[2:, here, here]
        + inp[here, :-2, here]
        + inp[here, 2:, here]
        + inp[here, here, :-2]
        + inp[here, here, 2:]
    ) * (1.0 / 7.0)


def upwind(
    q: Array, u: Array, v: Array, w: Array, out: Array, dt_dx: np.floating, dt_dz: np.floating
) -> None:
    here = slice(1, -1)
    inner = q[here, here]

    def advective(velocity: Array, behind: Array, ahead: Array) -> Array:
        velocity = velocity[here, here]
        return velocity * np.where(velocity > 0.0, inner - behind, ahead - inner)

    below, above = np.empty_like(inner), np.empty_like(inner)
    below[..., 0], below[..., 1:] = inner[..., 0], inner[..., :-1]
    above[..., -1], above[..., :-1] = inner[..., -1], inner[..., 1:]
    horizontal = advective(u, q[:-2, here], q[2:, here]) + advective(v, q[here, :-2], q[here, 2:])
    out[here, here] = inner - dt_dx * horizontal - dt_dz * advective(w, below, above)


def box_filter(inp: Array, out: Array) -> None:
    rows = inp[:-2] + inp[1:-1] + inp[2:]
    planes = rows[:, :-2] + rows[:, 1:-1] + rows[:, 2:]
    inner = out[1:-1, 1:-1]
    inner[..., 0] = (planes[..., 0] + planes[..., 1]) / 18.0
    inner[..., 1:-1] = (planes[..., :-2] + planes[..., 1:-1] + planes[..., 2:]) / 27.0
    inner[..., -1] = (planes[..., -2] + planes[..., -1]) / 18.0


def smagorinsky(
    u: Array, v: Array, u_out: Array, v_out: Array, weight: np.floating, background: np.floating
) -> None:
    # Tension begins at the domain's first column, shear at the one before.
    tension = u[1:, 1:] - u[:-1, 1:] - v[1:, 1:] + v[1:, :-1]
    tension = tension * tension
    shear = u[:-1, 1:] - u[:-1, :-1] + v[1:, :-1] - v[:-1, :-1]
    shear = shear * shear
    strain_u = np.sqrt(0.5 * (tension[:-1, :-1] + tension[1:, :-1] + shear[1:, 1:] + shear[1:, :-1]))
    strain_v = np.sqrt(0.5 * (tension[:-1, :-1] + tension[:-1, 1:] + shear[1:, 1:] + shear[:-1, 1:]))
    here = slice(1, -1)
    for field, strain, result in ((u, strain_u, u_out), (v, strain_v, v_out)):
        strength = np.minimum(np.maximum(weight * strain - background, 0.0), 0.5)
        around = field[2:, here] + field[:-2, here] + field[here, 2:] + field[here, :-2]
        result[here, here] = field[here, here] + strength * (around - 4.0 * field[here, here])


def kessler(
    temperature: Array,
    pressure: Array,
    density: Array,
    vapour: Array,
    cloud: Array,
    rain: Array,
    dt: np.floating,
    dt_dz: np.floating,
) -> None:
    collected = 2.2 * dt * cloud * rain**0.875
    formed = np.minimum(np.maximum(1.0e-3 * dt * (cloud - 1.0e-3), 0.0) + collected, cloud)
    cloud -= formed
    rain += formed
    saturation_pressure = 610.78 * np.exp(17.27 * (temperature - 273.16) / (temperature - 35.86))
    saturation = 0.622 * saturation_pressure / (pressure - saturation_pressure)
    deficit = saturation - vapour
    slope = 1.0 + 4.0e3 * saturation / (temperature * temperature)
    condensed = np.maximum(-deficit / slope, -cloud)
    ventilated = dt * np.maximum(deficit - cloud, 0.0) * (density * rain) ** 0.525
    evaporated = np.minimum(0.1 * ventilated, rain)
    cloud += condensed
    rain -= evaporated
    vapour += evaporated - condensed
    temperature += 2.5e3 * (condensed - evaporated)
    flux = 36.34 * density * rain * (1.0e-3 * density * rain) ** 0.1364
    gain = -flux
    gain[..., :-1] += flux[..., 1:]
    rain[...] = np.maximum(rain + dt_dz * gain / density, 0.0)


NUMPY_KERNELS: Final[Mapping[str, Callable[..., None]]] = {
    "hdiff": numpy_hdiff,
    "vadv": vadv,
    "tridiagonal": numpy_tridiagonal,
    "jacobi7": jacobi7,
    "upwind": upwind,
    "box_filter": box_filter,
    "smagorinsky": smagorinsky,
    "dynamical_core": dynamical_core,
}
"""By the names of the catalogue, with the parameters that they have there: the same bits."""

NEARLY_EQUAL: Final[Mapping[str, Callable[..., None]]] = {"kessler": kessler}
"""As `NUMPY_KERNELS`; but NumPy's exponentials and powers are not libm's to the last bit."""

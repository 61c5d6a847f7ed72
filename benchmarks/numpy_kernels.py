"""NumPy versions of stencils of the catalogue, as a careful person writes them: the yardstick."""

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

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


NUMPY_KERNELS: Final[Mapping[str, Callable[..., None]]] = {
    "hdiff": numpy_hdiff,
    "vadv": vadv,
    "tridiagonal": numpy_tridiagonal,
    "jacobi7": jacobi7,
    "upwind": upwind,
    "box_filter": box_filter,
}
"""By the names of the catalogue, with the parameters that they have there."""

"""The dynamical core of the catalogue in NumPy, on whole fields."""

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Array: TypeAlias = npt.NDArray[np.floating]


def dynamical_core(
    u: Array,
    v: Array,
    theta: Array,
    tracer: Array,
    diffusivity: Array,
    u_new: Array,
    v_new: Array,
    theta_new: Array,
    tracer_new: Array,
    layer: np.floating,
    coriolis: np.floating,
    courant: np.floating,
    damping: np.floating,
    mixing: np.floating,
) -> None:
    domain = slice(3, -3), slice(3, -3)
    push_x, push_y = _pushes(u, v, theta, _pressure(theta, layer))
    vorticity = coriolis + 0.5 * (_at(v, 1) - _at(v, -1) - _at(u, 0, 1) + _at(u, 0, -1))
    # The diffusion is subtracted from what has been rounded.
    u_new[domain] = _at(u) + courant * (vorticity * _at(v) - 0.5 * push_x)
    v_new[domain] = _at(v) - courant * (vorticity * _at(u) + 0.5 * push_y)
    u_new[domain] -= damping * _spread(u)
    v_new[domain] -= damping * _spread(v)
    theta_x = _at(u) * np.where(_at(u) > 0.0, _at(theta) - _at(theta, -1), _at(theta, 1) - _at(theta))
    theta_y = _at(v) * np.where(_at(v) > 0.0, _at(theta) - _at(theta, 0, -1), _at(theta, 0, 1) - _at(theta))
    theta_new[domain] = _at(theta) - courant * (theta_x + theta_y)
    tracer_new[domain] = _transported(u, v, tracer, courant)
    _mix((u_new[domain], v_new[domain], theta_new[domain]), mixing * _at(diffusivity))


def _at(field: Array, i: int = 0, j: int = 0) -> Array:
    """The field at an offset, on the domain."""
    ni, nj, _ = field.shape
    return field[3 + i : ni - 3 + i, 3 + j : nj - 3 + j]


def _pressure(theta: Array, layer: np.floating) -> Array:
    exner = np.empty_like(theta)
    exner[..., -1] = 0.5 * layer / theta[..., -1]
    for k in range(theta.shape[2] - 2, -1, -1):
        exner[..., k] = exner[..., k + 1] + 2.0 * layer / (theta[..., k] + theta[..., k + 1])
    return exner


def _pushes(u: Array, v: Array, theta: Array, exner: Array) -> tuple[Array, Array]:
    kinetic = 0.5 * (u * u + v * v)
    push_x = _at(theta) * (_at(exner, 1) - _at(exner, -1)) + _at(kinetic, 1) - _at(kinetic, -1)
    push_y = _at(theta) * (_at(exner, 0, 1) - _at(exner, 0, -1)) + _at(kinetic, 0, 1) - _at(kinetic, 0, -1)
    return push_x, push_y


def _spread(field: Array) -> Array:
    here = field[1:-1, 1:-1]
    lap = field[2:, 1:-1] + field[:-2, 1:-1] + field[1:-1, 2:] + field[1:-1, :-2] - 4.0 * here
    flux_x, flux_y = lap[1:] - lap[:-1], lap[:, 1:] - lap[:, :-1]
    flux_x[flux_x * (here[1:] - here[:-1]) > 0.0] = 0.0
    flux_y[flux_y * (here[:, 1:] - here[:, :-1]) > 0.0] = 0.0
    along_x, along_y = flux_x[:, 2:-2], flux_y[2:-2]
    change: Array = along_x[2:-1] - along_x[1:-2] + along_y[:, 2:-1] - along_y[:, 1:-2]
    return change


def _transported(u: Array, v: Array, tracer: Array, courant: np.floating) -> Array:
    """Faces are those below the points of the same index; `moved` has two points around the domain."""
    upwind_x, more_x = _fluxes(u[:-1, 1:-1], u[1:, 1:-1], tracer[:-1, 1:-1], tracer[1:, 1:-1], courant)
    upwind_y, more_y = _fluxes(v[1:-1, :-1], v[1:-1, 1:], tracer[1:-1, :-1], tracer[1:-1, 1:], courant)
    moved = tracer[1:-1, 1:-1] - (upwind_x[1:] - upwind_x[:-1] + upwind_y[:, 1:] - upwind_y[:, :-1])
    share_in, share_out = _shares(moved, more_x, more_y)
    x = _limited(more_x[2:-2, 2:-2], share_in[:, 1:-1], share_out[:, 1:-1])
    y = _limited(
        more_y[2:-2, 2:-2].swapaxes(0, 1), share_in[1:-1].swapaxes(0, 1), share_out[1:-1].swapaxes(0, 1)
    )
    y = y.swapaxes(0, 1)
    return moved[2:-2, 2:-2] - (x[1:] - x[:-1] + y[:, 1:] - y[:, :-1])


def _fluxes(
    wind_behind: Array, wind_here: Array, behind: Array, here: Array, courant: np.floating
) -> tuple[Array, Array]:
    wind = 0.5 * courant * (wind_behind + wind_here)
    upwind = wind * np.where(wind > 0.0, behind, here)
    return upwind, 0.5 * wind * (behind + here) - upwind


def _shares(moved: Array, more_x: Array, more_y: Array) -> tuple[Array, Array]:
    """How much of what flows in and out of a point makes no new extremes; one point around the domain."""
    here, west, east = moved[1:-1, 1:-1], moved[:-2, 1:-1], moved[2:, 1:-1]
    south, north = moved[1:-1, :-2], moved[1:-1, 2:]
    highest = np.maximum(here, np.maximum(np.maximum(west, east), np.maximum(south, north)))
    lowest = np.minimum(here, np.minimum(np.minimum(west, east), np.minimum(south, north)))
    x, x_next = more_x[1:-2, 1:-1], more_x[2:-1, 1:-1]
    y, y_next = more_y[1:-1, 1:-2], more_y[1:-1, 2:-1]
    gain = np.maximum(x, 0.0) - np.minimum(x_next, 0.0) + np.maximum(y, 0.0) - np.minimum(y_next, 0.0)
    loss = np.maximum(x_next, 0.0) - np.minimum(x, 0.0) + np.maximum(y_next, 0.0) - np.minimum(y, 0.0)
    room_above, room_below = highest - here, here - lowest
    return np.minimum(room_above / (gain + 1.0e-9), 1.0), np.minimum(room_below / (loss + 1.0e-9), 1.0)


def _limited(more: Array, share_in: Array, share_out: Array) -> Array:
    forth, back = np.minimum(share_in[1:], share_out[:-1]), np.minimum(share_in[:-1], share_out[1:])
    return more * np.where(more > 0.0, forth, back)


def _mix(fields: tuple[Array, ...], strength: Array) -> None:
    cp = np.empty_like(strength)
    levels = strength.shape[2]
    for k in range(levels):
        above = strength[..., k + 1] if k < levels - 1 else np.zeros_like(strength[..., k])
        if k == 0:
            m = 1.0 / (1.0 + above)
        else:
            below = strength[..., k]
            m = 1.0 / (1.0 + above + below - below * cp[..., k - 1])
        cp[..., k] = above * m
        for field in fields:
            carried = field[..., k] if k == 0 else field[..., k] + below * field[..., k - 1]
            field[..., k] = carried * m
    for k in range(levels - 2, -1, -1):
        for field in fields:
            field[..., k] += cp[..., k] * field[..., k + 1]

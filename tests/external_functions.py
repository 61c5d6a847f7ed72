"""Functions that random stencils call."""

import numba


@numba.njit
def mix(x: float, y: float) -> float:
    return x * 0.5 + y


@numba.njit
def split(x: float, y: float) -> tuple[float, float]:
    return x - y, y * 0.25

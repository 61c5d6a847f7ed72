"""Functions that stencils call, and that no library can hold."""

import ctypes

import numba
import numpy as np

_absolute = ctypes.CDLL(None).labs
_absolute.argtypes = (ctypes.c_long,)
_absolute.restype = ctypes.c_long


@numba.njit
def at_an_address(x: float) -> float:
    return x + _absolute(-3)


@numba.njit
def allocating(x: float) -> float:
    return np.full(3, x).sum()


@numba.njit
def raising(x: float) -> float:
    if x > 3.0:
        raise ValueError
    return x


def not_compilable(x: float) -> float:
    return float(open(str(x)).read())

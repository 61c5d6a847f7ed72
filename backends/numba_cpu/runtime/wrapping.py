"""Arithmetic of 64-bit integers that wraps.

Numba tells LLVM that ``+``, ``-`` and ``*`` of signed integers never overflow, and LLVM makes use of it.
Narrower integers are computed in 64 bits, where they cannot.
"""

from typing import Any

import numpy as np
from numba import types

from backends.numba_cpu.runtime.machine_code import machine_code


def wrapping_add(left: Any, right: Any) -> Any:
    return np.add(left, right)


def wrapping_subtract(left: Any, right: Any) -> Any:
    return np.subtract(left, right)


def wrapping_multiply(left: Any, right: Any) -> Any:
    return np.multiply(left, right)


def _integers(*arguments: Any) -> Any:
    return types.int64 if all(item == types.int64 for item in arguments) else None


@machine_code(wrapping_add, _integers)
def _add(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.add(*args)


@machine_code(wrapping_subtract, _integers)
def _subtract(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.sub(*args)


@machine_code(wrapping_multiply, _integers)
def _multiply(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.mul(*args)

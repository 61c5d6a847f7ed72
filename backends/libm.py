"""The platform libm's scalar functions, as plain Python callables.

They define every function of the language that IEEE 754 does not: NumPy's vectorised versions have
other bits. Nothing here knows arrays.
"""

import ctypes
import ctypes.util
from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

from iir.dtypes import DType
from iir.expressions import NativeFunction

LIBM_NAMES: Final[Mapping[NativeFunction, str]] = MappingProxyType(
    {
        NativeFunction.CBRT: "cbrt",
        NativeFunction.EXP: "exp",
        NativeFunction.LOG: "log",
        NativeFunction.LOG10: "log10",
        NativeFunction.SIN: "sin",
        NativeFunction.COS: "cos",
        NativeFunction.TAN: "tan",
        NativeFunction.ASIN: "asin",
        NativeFunction.ACOS: "acos",
        NativeFunction.ATAN: "atan",
        NativeFunction.ATAN2: "atan2",
        NativeFunction.SINH: "sinh",
        NativeFunction.COSH: "cosh",
        NativeFunction.TANH: "tanh",
        NativeFunction.ASINH: "asinh",
        NativeFunction.ACOSH: "acosh",
        NativeFunction.ATANH: "atanh",
        NativeFunction.ERF: "erf",
        NativeFunction.ERFC: "erfc",
        NativeFunction.GAMMA: "tgamma",
        NativeFunction.ROUND_AWAY_FROM_ZERO: "round",
    }
)
"""The double precision name of each function that libm defines."""

_TWO_ARGUMENTS: Final = frozenset({"atan2", "pow"})
_LIBRARY: Final = ctypes.CDLL(ctypes.util.find_library("m"))


@cache
def libm_function(name: str, dtype: DType) -> Callable[..., float]:
    """libm's *name* (``exp``, ``pow``, ...) in *dtype*; takes and gives numbers exact in that dtype."""
    number: type[ctypes.c_float | ctypes.c_double]
    match dtype:
        case DType.FLOAT64:
            symbol, number = name, ctypes.c_double
        case DType.FLOAT32:
            symbol, number = f"{name}f", ctypes.c_float
        case _:
            raise ValueError(f"libm has no '{name}' for {dtype}")
    # A name of its own: `_LIBRARY.exp` is one object for all callers, whoever set its types last.
    function = _LIBRARY[symbol]
    function.restype = number
    function.argtypes = (number,) * (2 if name in _TWO_ARGUMENTS else 1)
    return function

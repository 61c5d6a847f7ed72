"""The natural logarithm."""

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from backends.vector_math.arithmetic import Arithmetic, Value, fused_polynomial, split
from iir.dtypes import DType

_LN2: Final[Mapping[DType, tuple[float, float]]] = MappingProxyType(
    {
        DType.FLOAT64: (0.6931471805598903, 5.497923018708371e-14),
        DType.FLOAT32: (0.693145751953125, 1.428606765330187e-06),
    }
)
"""ln 2 as the sum of two numbers; the first one times any exponent is exact."""

# Coefficients of (2 artanh(s) - 2 s) / s^3, by powers of s^2.
_COEFFICIENTS: Final[Mapping[DType, tuple[float, ...]]] = MappingProxyType(
    {
        DType.FLOAT64: (
            *(0.666666666666667, 0.3999999999989889, 0.28571428626253836, 0.22222211089379496),
            *(0.1818289243253687, 0.15331611722055008, 0.14617807153417325),
        ),
        DType.FLOAT32: (0.6666668653488159, 0.3998875916004181, 0.29580986499786377),
    }
)


def log(a: Arithmetic, x: Value) -> Value:
    """ln *x*, as e ln 2 + ln(1 + f), where ln(1 + f) = 2 artanh(f / (2 + f))."""
    fraction, exponent = split(a, x)
    high, low = _LN2[a.format.dtype]
    f = fraction - 1.0
    s = f / (fraction + 1.0)
    square = s * s
    # 2 artanh(s) = 2 s + s R = f - s (f - R), and s f = f^2 / 2 - s f^2 / 2: small terms alone are rounded.
    half = f * f * 0.5
    rest = a.fma(square, fused_polynomial(a, square, _COEFFICIENTS[a.format.dtype]), half)
    tail = a.fma(s, rest, exponent * low)
    result = a.fma(exponent, high, f - (half - tail))
    result = a.select(x > 0.0, result, a.select(x == 0.0, -math.inf, math.nan))
    return a.select(x < math.inf, result, x)

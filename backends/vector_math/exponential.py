"""The exponential function, and what it grows by."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from backends.vector_math.arithmetic import Arithmetic, Value, clamped, polynomial, rounded, scaled
from iir.dtypes import DType


@dataclass(frozen=True, slots=True)
class _Constants:
    """*lowest* and *highest* are arguments whose results are 0 and infinity.

    *high* + *low* is ln 2, where *high* times any exponent is exact; *coefficients* are those of
    (exp(r) - 1 - r) / r^2 for |r| <= ln(2) / 2.
    """

    lowest: float
    highest: float
    high: float
    low: float
    coefficients: tuple[float, ...]


_CONSTANTS: Final[Mapping[DType, _Constants]] = MappingProxyType(
    {
        DType.FLOAT64: _Constants(
            lowest=-746.0,
            highest=710.0,
            high=0.6931471805598903,
            low=5.497923018708371e-14,
            coefficients=(
                *(0.5000000000000013, 0.16666666666666488, 0.04166666666651198, 0.008333333333447256),
                *(0.0013888888947724172, 0.000198412696071822, 2.480148932317748e-05),
                *(2.7557497476723263e-06, 2.763147645239863e-07, 2.502799064142608e-08),
            ),
        ),
        DType.FLOAT32: _Constants(
            lowest=-104.0,
            highest=89.0,
            high=0.693145751953125,
            low=1.428606765330187e-06,
            coefficients=(
                *(0.49999988079071045, 0.166665181517601, 0.041669655591249466),
                *(0.008368960581719875, 0.0013744800817221403),
            ),
        ),
    }
)


def exp(a: Arithmetic, x: Value) -> Value:
    """e^*x*."""
    r, tail, biased = _reduced(a, x)
    # 1 + r loses bits of r, which the tail takes up.
    head = r + 1.0
    return scaled(a, head + ((r - (head - 1.0)) + tail), biased)


def expm1(a: Arithmetic, x: Value) -> Value:
    """e^*x* - 1 of an *x* whose result is no greater than 1 in size."""
    r, tail, biased = _reduced(a, x)
    power = a.number((biased - a.format.bias) << a.format.fraction_bits)
    return (power - 1.0) + power * (r + tail)


def _reduced(a: Arithmetic, x: Value) -> tuple[Value, Value, Value]:
    """Numbers r and t, and the bits that `rounded` gives for n, with e^*x* = 2^n (1 + r + t)."""
    constants = _CONSTANTS[a.format.dtype]
    x = clamped(a, x, constants.lowest, constants.highest)
    exponent, biased = rounded(a, x * (1.0 / math.log(2.0)))
    high = x - exponent * constants.high
    low = exponent * constants.low
    r = high - low
    return r, r * r * polynomial(r, constants.coefficients) + ((high - r) - low), biased

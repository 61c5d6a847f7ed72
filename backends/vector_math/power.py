"""Powers of floats."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, TypeAlias

from backends.vector_math.arithmetic import Arithmetic, Value, clamped, polynomial, rounded, scaled, split
from iir.dtypes import DType

Pair: TypeAlias = tuple[Value, Value]
"""An unevaluated sum, whose second number corrects the first."""


@dataclass(frozen=True, slots=True)
class _Constants:
    """*root* is a number near sqrt(2), chosen since its binary logarithm lies next to *log2_root*, so short
    that the sum with any exponent is exact; *lowest* are the bits of 2^(-1/4) and *middle* is 2^(1/4).
    Results with a binary exponent of *overflow* are infinity or 0.

    By powers of s^2, *linear* + s^2 + *artanh* is 2 artanh(s) / (s ln 2), where *linear* leaves a small
    constant and, for 2 / (3 ln 2) is near 1, a small second coefficient. *exp2* has the coefficients of
    (2^f - 1 - f ln 2) / f^2.
    """

    root: float
    log2_root: float
    lowest: int
    middle: float
    overflow: float
    linear: float
    artanh: tuple[float, ...]
    exp2: tuple[float, ...]


_CONSTANTS: Final[Mapping[DType, _Constants]] = MappingProxyType(
    {
        DType.FLOAT64: _Constants(
            root=1.414213574028638,
            log2_root=0.500000011890279,
            lowest=0x3FEA_E89F_995A_D3AD,
            middle=1.189207115002721,
            overflow=1100.0,
            linear=2.8852472561127755,
            artanh=(
                *(0.00014282566515126568, -0.0382033060740244),
                *(0.5770780163555853, 0.41219858311127466, 0.3205988977534358),
                *(0.2623083157430293, 0.22192051960977335, 0.196214846062427),
            ),
            exp2=(
                *(0.24022650695910072, 0.055504108664821625, 0.009618129107628479),
                *(0.0013333558146400744, 0.000154035303933679, 1.5252733853875074e-05),
                *(1.321548681480244e-06, 1.017804944676077e-07, 7.05489352225751e-09),
                *(4.457276249080426e-10, 2.5736542263282513e-11),
            ),
        ),
        DType.FLOAT32: _Constants(
            root=1.414363145828247,
            log2_root=0.500152587890625,
            lowest=0x3F57_44FD,
            middle=1.1892070770263672,
            overflow=160.0,
            linear=2.885247230529785,
            artanh=(
                *(0.00014285124780144542, -0.03820330649614334),
                *(0.5770757794380188, 0.4146086573600769),
            ),
            exp2=(
                *(0.24022650718688965, 0.05550377070903778, 0.00961809977889061),
                *(0.0013384412741288543, 0.00015447576879523695),
            ),
        ),
    }
)


def power(a: Arithmetic, x: Value, y: Value) -> Value:
    """*x* to the *y*, with the exceptional values of C99's ``pow``."""
    size = a.number(a.bits(x) & (a.format.sign - 1))
    result = _exp2(a, _product(a, y, _log2(a, size)))
    whole, half = a.rint(y), y * 0.5
    is_odd = (whole == y) & (a.rint(half) != half)
    bits = a.bits(result)
    signed = a.number(a.select(is_odd, bits | (a.bits(x) & a.format.sign), bits))
    is_undefined = (size < math.inf) & (x < 0.0) & (whole != y)
    return a.select(is_undefined, math.nan, signed)


def _log2(a: Arithmetic, x: Value) -> Pair:
    """The binary logarithm of a number without sign, to half as many bits again as its format has."""
    constants = _CONSTANTS[a.format.dtype]
    fraction, exponent = split(a, x, constants.lowest)
    # With c of 1 or about sqrt(2): log2(m) = log2(c) + 2 artanh(s) / ln 2 where s = (m - c) / (m + c).
    is_large = fraction > constants.middle
    exponent = a.select(is_large, exponent + constants.log2_root, exponent)
    s, s_low = _quotient(a, fraction, a.select(is_large, constants.root, 1.0))
    # 2 artanh(s) / ln 2 = s (c0 + s^2 + P(s^2)), of which P alone is small enough to be rounded.
    square = s * s
    factor = square + constants.linear
    factor_low = ((constants.linear - factor) + square - a.residual(s, s, square)) + polynomial(
        square, constants.artanh
    )
    product = s * factor
    # The derivative of s^3 makes s_low count twice more.
    product_low = s_low * (factor + (square + square)) - a.residual(s, factor, product)
    high = exponent + product
    low = (exponent - high + product) + product_low
    limit = a.select(x > 0.0, high, -math.inf)
    return a.select(x < math.inf, limit, x), low + s * factor_low


def _quotient(a: Arithmetic, m: Value, c: Value) -> Pair:
    """(*m* - *c*) / (*m* + *c*) of two numbers less than a factor of two apart."""
    numerator = m - c
    denominator = m + c
    denominator_low = m - (denominator - c)
    inverse = 1.0 / denominator
    quotient = numerator * inverse
    remainder = a.residual(quotient, denominator, numerator) - quotient * denominator_low
    return quotient, remainder * inverse


def _product(a: Arithmetic, y: Value, factor: Pair) -> Pair:
    """*y* times *factor*; beyond the exponents of all numbers, any such number."""
    high, low = factor
    overflow = _CONSTANTS[a.format.dtype].overflow
    # 1 to any power and any number to the 0 are 1, also where the other one is infinite or no number.
    is_other = (high != 0.0) & (y != 0.0)
    product = a.select(is_other, y * high, 0.0)
    bounded = clamped(a, product, -overflow, overflow)
    product_low = y * low - a.residual(high, y, product)
    return bounded, a.select(is_other & (bounded == product), product_low, 0.0)


def _exp2(a: Arithmetic, x: Pair) -> Value:
    """2 to the *x*, whose second number is small beside 1."""
    high, low = x
    exponent, biased = rounded(a, high)
    f = (high - exponent) + low
    growth = f * math.log(2.0) + f * f * polynomial(f, _CONSTANTS[a.format.dtype].exp2)
    return scaled(a, growth + 1.0, biased)

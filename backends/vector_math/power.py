"""Powers of floats."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, TypeAlias

from backends.vector_math.arithmetic import (
    Arithmetic,
    Value,
    clamped,
    fused_polynomial,
    rounded,
    scaled,
    split,
)
from iir.dtypes import DType

Pair: TypeAlias = tuple[Value, Value]
"""An unevaluated sum, whose second number corrects the first."""


@dataclass(frozen=True, slots=True)
class _Constants:
    """Results with a binary exponent of *overflow* are infinity or 0.

    By powers of s^2, *linear* + s^2 + *artanh* is 2 artanh(s) / (s ln 2), where *linear* leaves a small
    constant and, for 2 / (3 ln 2) is near 1, a small second coefficient. *exp2* has the coefficients of
    (2^f - 1) / f for |f| <= 0.61: the second numbers of products, which count as f too, reach 0.11.
    """

    overflow: float
    linear: float
    artanh: tuple[float, ...]
    exp2: tuple[float, ...]


_CONSTANTS: Final[Mapping[DType, _Constants]] = MappingProxyType(
    {
        DType.FLOAT64: _Constants(
            overflow=1100.0,
            linear=2.8850850817779268,
            artanh=(
                *(0.00030500000000004043, -0.038203306074024515, 0.5770780163556944),
                *(0.41219858307322815, 0.32059890456956874, 0.2623075455958038),
                *(0.22198990639475935, 0.19113718814273445, 0.19134916908486815),
            ),
            exp2=(
                *(0.6931471805599453, 0.24022650695910072, 0.05550410866482288, 0.009618129107628139),
                *(0.0013333558146189084, 0.00015403530393760624, 1.5252734004264945e-05),
                *(1.3215486620795644e-06, 1.0178002072133115e-07, 7.054935865045658e-09),
                *(4.4627342839441847e-10, 2.5703558907201485e-11),
            ),
        ),
        DType.FLOAT32: _Constants(
            overflow=160.0,
            linear=2.885085105895996,
            artanh=(
                *(0.00030497589614242315, -0.03820332512259483, 0.5770835876464844),
                *(0.4116722047328949, 0.3407385051250458),
            ),
            exp2=(
                *(0.6931471824645996, 0.24022644758224487, 0.05550352856516838),
                *(0.009618803858757019, 0.0013394649140536785, 0.0001526016858406365),
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
    fraction, exponent = split(a, x)
    # log2(m) = 2 artanh(s) / ln 2 where s = f / (2 + f) and f = m - 1.
    f = fraction - 1.0
    inverse = 1.0 / (fraction + 1.0)
    s = f * inverse
    # s (2 + f) is near f, from which 2 s can be taken without rounding.
    s_low = a.fma(-s, f, f - (s + s)) * inverse
    # 2 artanh(s) / ln 2 = s (c0 + s^2 + P(s^2)), of which P alone is small enough to be rounded.
    square = s * s
    factor = a.fma(s, s, constants.linear)
    factor_low = a.fma(s, s, constants.linear - factor)
    product = s * factor
    # The derivative of s^3 makes s_low count twice more.
    product_low = a.fma(s_low, factor + (square + square), a.fma(s, factor, -product))
    high = exponent + product
    low = a.fma(s, factor_low, product_low) + (exponent - high + product)
    low = a.fma(s, fused_polynomial(a, square, constants.artanh), low)
    limit = a.select(x > 0.0, high, -math.inf)
    return a.select(x < math.inf, limit, x), low


def _product(a: Arithmetic, y: Value, factor: Pair) -> Pair:
    """*y* times *factor*; beyond the exponents of all numbers, any such number."""
    high, low = factor
    overflow = _CONSTANTS[a.format.dtype].overflow
    # 1 to any power and any number to the 0 are 1, also where the other one is infinite or no number.
    is_other = (high != 0.0) & (y != 0.0)
    product = a.select(is_other, y * high, 0.0)
    bounded = clamped(a, product, -overflow, overflow)
    product_low = a.fma(y, low, a.fma(y, high, -product))
    return bounded, a.select(is_other & (bounded == product), product_low, 0.0)


def _exp2(a: Arithmetic, x: Pair) -> Value:
    """2 to the *x*, whose second number is at most 0.11 in size."""
    high, low = x
    exponent, biased = rounded(a, high)
    f = (high - exponent) + low
    return scaled(a, a.fma(f, fused_polynomial(a, f, _CONSTANTS[a.format.dtype].exp2), 1.0), biased)

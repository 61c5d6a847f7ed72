"""Multiplication and addition with one rounding, for processors that have no such instruction."""

from typing import TypeAlias

from backends.vector_math.arithmetic import Arithmetic, Format, Value

Pair: TypeAlias = tuple[Value, Value]


def fma(a: Arithmetic, x: Value, y: Value, z: Value) -> Value:
    """See `Arithmetic.fma`; no factor may exceed the largest number over 2^(half the precision + 1).

    After Boldo and Melquiond: with the two small parts rounded to odd, the last rounding is as if it were
    the only one.
    """
    high, low = _product(a.format, x, y)
    middle, lowest = _sum(z, low)
    total, rest = _sum(high, middle)
    return total + _rounded_to_odd(a, rest, lowest)


def _product(fmt: Format, x: Value, y: Value) -> Pair:
    """The rounded product and its error (Dekker)."""
    product = x * y
    x_high, x_low = _halves(fmt, x)
    y_high, y_low = _halves(fmt, y)
    error = x_high * y_high - product
    return product, ((error + x_high * y_low) + x_low * y_high) + x_low * y_low


def _halves(fmt: Format, x: Value) -> Pair:
    """Two numbers of half the precision, whose sum is *x*."""
    scaled = x * float((1 << ((fmt.precision + 1) // 2)) + 1)
    high = scaled - (scaled - x)
    return high, x - high


def _sum(x: Value, y: Value) -> Pair:
    """The rounded sum and its error (Knuth)."""
    total = x + y
    y_part = total - x
    return total, (x - (total - y_part)) + (y - y_part)


def _rounded_to_odd(a: Arithmetic, x: Value, y: Value) -> Value:
    """The sum of both, or where that is no number the one of its two neighbours whose last bit is set."""
    total, error = _sum(x, y)
    bits = a.bits(total)
    nearer_zero = a.select((error > 0.0) ^ (total > 0.0), bits - 1, bits)
    return a.number(a.select(error != 0.0, nearer_zero | 1, bits))

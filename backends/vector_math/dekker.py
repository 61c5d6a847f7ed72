"""Exact products for processors that cannot multiply and add with one rounding, after Dekker."""

from backends.vector_math.arithmetic import Format, Value


def residual(fmt: Format, left: Value, right: Value, total: Value) -> Value:
    """See `Arithmetic.residual`; no factor may exceed the largest number over 2^(half the precision + 1)."""
    product = left * right
    left_high, left_low = _halves(fmt, left)
    right_high, right_low = _halves(fmt, right)
    error = left_high * right_high - product
    error = ((error + left_high * right_low) + left_low * right_high) + left_low * right_low
    return (total - product) - error


def _halves(fmt: Format, x: Value) -> tuple[Value, Value]:
    """Two numbers of half the precision, whose sum is *x*."""
    scaled = x * float((1 << ((fmt.precision + 1) // 2)) + 1)
    high = scaled - (scaled - x)
    return high, x - high

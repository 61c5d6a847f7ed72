"""The hyperbolic tangent."""

from backends.vector_math.arithmetic import Arithmetic, Value
from backends.vector_math.exponential import expm1

_SATURATED = 30.0
"""From there on every result is 1."""


def tanh(a: Arithmetic, x: Value) -> Value:
    """tanh *x*, in size -d / (2 + d) or 1 - 2 (1 + d) / (2 + d) where d = e^(-2 |x|) - 1."""
    size = a.number(a.bits(x) & (a.format.sign - 1))
    decay = expm1(a, a.select(size > _SATURATED, _SATURATED, size) * -2.0)
    is_small = size < 0.55
    quotient = a.select(is_small, decay, (decay + 1.0) * 2.0) / (decay + 2.0)
    result = a.select(is_small, 0.0, 1.0) - quotient
    return a.number((a.bits(result) & (a.format.sign - 1)) | (a.bits(x) & a.format.sign))

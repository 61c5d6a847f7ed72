"""What functions are written in: operators, and the few operations that have none."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, Protocol, TypeAlias

from iir.dtypes import DType

Value: TypeAlias = Any
"""A number, its bits as an unsigned integer, or a truth value: NumPy's, or a code generator's. They know
the operators, beside each other and beside Python's numbers, which take their format."""


@dataclass(frozen=True, slots=True)
class Format:
    """A binary format of IEEE 754 by the *width* of its numbers and the *precision* of their fractions."""

    dtype: DType
    width: int
    precision: int

    @property
    def fraction_bits(self) -> int:
        """Bits of a number that hold the fraction, below those of the exponent."""
        return self.precision - 1

    @property
    def bias(self) -> int:
        return (1 << (self.width - self.precision - 1)) - 1

    @property
    def sign(self) -> int:
        """The bits of -0.0."""
        return 1 << (self.width - 1)

    @property
    def infinity(self) -> int:
        """The bits of infinity."""
        return self.power_of_two(self.bias + 1)

    def power_of_two(self, exponent: int) -> int:
        """The bits of a power of two."""
        return (exponent + self.bias) << self.fraction_bits


FORMATS: Final[Mapping[DType, Format]] = MappingProxyType(
    {DType.FLOAT64: Format(DType.FLOAT64, 64, 53), DType.FLOAT32: Format(DType.FLOAT32, 32, 24)}
)


_SQRT_HALF: Final[Mapping[DType, int]] = MappingProxyType(
    {DType.FLOAT64: 0x3FE6_A09E_667F_3BCD, DType.FLOAT32: 0x3F35_04F3}
)
"""Bits of the square root of one half."""


class Arithmetic(Protocol):
    """Operations on `Value`s of one format."""

    @property
    def format(self) -> Format: ...

    def select(self, condition: Value, if_true: Value, if_false: Value) -> Value:
        """One of two numbers, or of two bit patterns; both are computed."""
        ...

    def bits(self, number: Value) -> Value:
        """The bits of *number*, as an unsigned integer, which wraps."""
        ...

    def number(self, bits: Value) -> Value:
        """The number that has *bits*."""
        ...

    def rint(self, number: Value) -> Value:
        """The nearest whole number, of two the even one."""
        ...

    def fma(self, x: Value, y: Value, z: Value) -> Value:
        """*x* * *y* + *z* with one rounding, unless what the product loses by rounding underflows."""
        ...


Function: TypeAlias = Callable[..., Value]
"""``(arithmetic, *arguments) -> result``, all `Value`s of the arithmetic's format."""


def polynomial(x: Value, coefficients: Sequence[float]) -> Value:
    """The polynomial at *x*, coefficients from the constant one upwards; few operations wait for others."""
    terms: list[Value] = list(coefficients)
    while len(terms) > 1:
        if len(terms) % 2:
            terms[-2:] = [terms[-1] * x + terms[-2]]
        terms = [high * x + low for low, high in zip(terms[::2], terms[1::2], strict=True)]
        x = x * x
    return terms[0]


def fused_polynomial(a: Arithmetic, x: Value, coefficients: Sequence[float]) -> Value:
    """The polynomial at *x*, in as few steps as can be, each with one rounding.

    Each waits for the one before, but processors work on other points of a loop meanwhile.
    """
    *others, result = coefficients
    for coefficient in reversed(others):
        result = a.fma(x, result, coefficient)
    return result


def clamped(a: Arithmetic, x: Value, low: float, high: float) -> Value:
    """*x* between bounds; NaN stays NaN."""
    below = a.select(x > high, high, x)
    return a.select(below < low, low, below)


def rounded(a: Arithmetic, x: Value) -> tuple[Value, Value]:
    """The whole number nearest to a small *x*, and bits whose lowest are that number plus twice the bias.

    Where numbers have no fraction bits left, an addition rounds to whole ones.
    """
    shifter = float((3 << (a.format.fraction_bits - 1)) + 2 * a.format.bias)
    shifted = x + shifter
    return shifted - shifter, a.bits(shifted)


def scaled(a: Arithmetic, x: Value, biased: Value) -> Value:
    """*x* * 2^n for the bits that `rounded` gives for n, with one rounding if it overflows or underflows.

    The power need not be a number of the format, but those of both halves of n are.
    """
    half = biased >> 1
    shift = a.format.fraction_bits
    return x * a.number(half << shift) * a.number((biased - half) << shift)


def split(a: Arithmetic, x: Value) -> tuple[Value, Value]:
    """Numbers m and e with *x* = m * 2^e, of a positive finite *x*; m is between sqrt(1/2) and sqrt(2)."""
    fmt = a.format
    lowest = _SQRT_HALF[fmt.dtype]
    is_subnormal = x < 2.0 ** (1 - fmt.bias)
    normal = a.select(is_subnormal, x * 2.0**fmt.precision, x)
    # Numbers from the least m upwards to twice that are given one exponent.
    moved = a.bits(normal) + (fmt.power_of_two(0) - lowest)
    fraction = a.number((moved & (fmt.power_of_two(1 - fmt.bias) - 1)) + lowest)
    # The exponent's bits are the last ones of the fraction of a number whose lowest bit counts ones.
    exponent = a.number((moved >> fmt.fraction_bits) | fmt.power_of_two(fmt.fraction_bits))
    offset = 2.0**fmt.fraction_bits + fmt.bias
    return fraction, exponent - a.select(is_subnormal, offset + fmt.precision, offset)

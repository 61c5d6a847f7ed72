"""Values that append LLVM instructions when they are computed with.

Whatever `fastmath` allows in the surrounding code, these operations stay what they are. Numba gives its
flags to each operation that has none: so each has one, that means nothing to it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

from llvmlite import ir
from llvmlite.ir.instructions import FastMathFlags
from numba.core import cgutils

from backends.vector_math import dekker
from backends.vector_math.arithmetic import FORMATS, Format
from iir.dtypes import DType

# Reciprocals concern divisions only, and contraction what they are no part of.
_NO_DIVISION: Final = ("arcp",)
_DIVISION: Final = ("contract",)


class _NoFlags(FastMathFlags):  # type: ignore[misc]  # llvmlite has no types
    """The flags of a call that takes none."""

    def add(self, name: str) -> None:
        pass


@dataclass(frozen=True, slots=True, eq=False)
class Word:
    """A float, an unsigned integer or a truth value."""

    builder: Any
    value: Any

    def __add__(self, other: Any) -> Word:
        return self._arithmetic("add", self, other)

    def __radd__(self, other: Any) -> Word:
        return self._arithmetic("add", other, self)

    def __sub__(self, other: Any) -> Word:
        return self._arithmetic("sub", self, other)

    def __rsub__(self, other: Any) -> Word:
        return self._arithmetic("sub", other, self)

    def __mul__(self, other: Any) -> Word:
        return self._arithmetic("mul", self, other)

    def __rmul__(self, other: Any) -> Word:
        return self._arithmetic("mul", other, self)

    def __truediv__(self, other: Any) -> Word:
        return self._arithmetic("div", self, other)

    def __rtruediv__(self, other: Any) -> Word:
        return self._arithmetic("div", other, self)

    def __neg__(self) -> Word:
        return Word(self.builder, self.builder.fneg(self.value, flags=_NO_DIVISION))

    def __and__(self, other: Any) -> Word:
        return self._plain("and_", other)

    def __or__(self, other: Any) -> Word:
        return self._plain("or_", other)

    def __xor__(self, other: Any) -> Word:
        return self._plain("xor", other)

    def __lshift__(self, other: int) -> Word:
        return self._plain("shl", other)

    def __rshift__(self, other: int) -> Word:
        return self._plain("lshr", other)

    def __invert__(self) -> Word:
        return Word(self.builder, self.builder.not_(self.value))

    def __lt__(self, other: Any) -> Word:
        return self._comparison("<", other)

    def __gt__(self, other: Any) -> Word:
        return self._comparison(">", other)

    def __eq__(self, other: object) -> Word:  # type: ignore[override]  # the answer is known at run time
        return self._comparison("==", other)

    def __ne__(self, other: object) -> Word:  # type: ignore[override]  # the answer is known at run time
        return self._comparison("!=", other)

    __hash__ = None  # type: ignore[assignment]  # what equality gives is no truth value

    def like(self, other: Any) -> Word:
        """*other*, if it is one of Python's numbers as a constant of the type of *self*."""
        if isinstance(other, Word):
            return other
        return Word(self.builder, _constant(self.builder, self.value.type, other))

    def _arithmetic(self, name: str, left: Any, right: Any) -> Word:
        operands = self.like(left).value, self.like(right).value
        if isinstance(self.value.type, ir.IntType):
            return Word(self.builder, getattr(self.builder, name)(*operands))
        flags = _DIVISION if name == "div" else _NO_DIVISION
        return Word(self.builder, getattr(self.builder, f"f{name}")(*operands, flags=flags))

    def _plain(self, name: str, other: Any) -> Word:
        return Word(self.builder, getattr(self.builder, name)(self.value, self.like(other).value))

    def _comparison(self, symbol: str, other: Any) -> Word:
        # NaN differs from everything.
        compare = self.builder.fcmp_unordered if symbol == "!=" else self.builder.fcmp_ordered
        return Word(self.builder, compare(symbol, self.value, self.like(other).value, flags=_NO_DIVISION))


def _constant(builder: Any, kind: Any, number: float) -> Any:
    """*number* as an operand.

    Code may lie anywhere in memory: what is a constant to LLVM has its address computed again in each turn
    of a loop with more constants than registers. What is loaded before the loop is kept on the stack.
    Of weak symbols LLVM does not look the value up.
    """
    value = ir.Constant(kind, number)
    if isinstance(kind, ir.IntType) or number == 0.0 or not math.isfinite(number):
        return value
    module, name = builder.module, f"stencil.{kind}.{float(number).hex()}"
    if name not in module.globals:
        variable = cgutils.add_global_variable(module, kind, name)
        variable.initializer, variable.linkage, variable.global_constant = value, "weak", True
    return builder.load(module.globals[name])


@dataclass(frozen=True, slots=True)
class Instructions:
    """The `Arithmetic` of `Word`s; *fuses* says that the processor multiplies and adds in one rounding."""

    format: Format
    fuses: bool

    def select(self, condition: Word, if_true: Any, if_false: Any) -> Word:
        typed = if_true if isinstance(if_true, Word) else if_false
        if not isinstance(typed, Word):
            typed = Word(condition.builder, ir.Constant(self._number_type, 0.0))
        arms = typed.like(if_true).value, typed.like(if_false).value
        return Word(condition.builder, condition.builder.select(condition.value, *arms))

    def bits(self, number: Word) -> Word:
        integer = ir.IntType(self.format.width)
        return Word(number.builder, number.builder.bitcast(number.value, integer))

    def number(self, bits: Word) -> Word:
        return Word(bits.builder, bits.builder.bitcast(bits.value, self._number_type))

    def rint(self, number: Word) -> Word:
        return self._call("rint", number)

    def fma(self, x: Word, y: Any, z: Any) -> Word:
        if not self.fuses:
            result: Word = dekker.fma(self, x, x.like(y), x.like(z))
            return result
        return self._call("fma", x, x.like(y), x.like(z))

    @property
    def _number_type(self) -> Any:
        return ir.DoubleType() if self.format.dtype is DType.FLOAT64 else ir.FloatType()

    def _call(self, name: str, *arguments: Word) -> Word:
        builder, number = arguments[0].builder, self._number_type
        function_type = ir.FunctionType(number, [number] * len(arguments))
        full_name = f"llvm.{name}.f{self.format.width}"
        function = cgutils.get_or_insert_function(builder.module, function_type, full_name)
        call = builder.call(function, [item.value for item in arguments])
        call.fastmath = _NoFlags()
        return Word(builder, call)


def instructions(number: Any, context: Any) -> Instructions:
    """The arithmetic of the LLVM type *number* on the processor that *context* compiles for."""
    dtype = DType.FLOAT64 if number == ir.DoubleType() else DType.FLOAT32
    return Instructions(FORMATS[dtype], _fuses(*context.codegen().magic_tuple()))


def _fuses(triple: str, processor: str, features: str) -> bool:
    """Whether there is an instruction for it; where that is not known, products are split."""
    is_known = "+fma" in features.split(",") or processor in ("x86-64-v3", "x86-64-v4")
    return is_known or triple.startswith(("aarch64", "arm64"))

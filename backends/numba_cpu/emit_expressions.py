"""Expressions of the loop program as Python that Numba types as the program says."""

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, assert_never

from backends.loopnest.expressions import (
    Affine,
    BinaryOperation,
    Choice,
    Conversion,
    Cut,
    Greatest,
    Index,
    Least,
    Literal,
    Load,
    Native,
    Position,
    Slot,
    UnaryOperation,
    Value,
    Variable,
    Whole,
)
from iir.dtypes import DType
from iir.expressions import NativeFunction, Operator, UnaryOperator

CAST: Final[Mapping[DType, str]] = MappingProxyType(
    {dtype: "bool_" if dtype is DType.BOOL else dtype.value for dtype in DType}
)
"""Names of the number types in generated code."""

_UNARY: Final[Mapping[UnaryOperator, tuple[str, int]]] = MappingProxyType(
    {UnaryOperator.NEG: ("-", 10), UnaryOperator.NOT: ("not ", 2)}
)
# `&` and `|` on bools evaluate both sides without a branch; they bind tighter than comparisons.
_BINARY: Final[Mapping[Operator, tuple[str, int]]] = MappingProxyType(
    {
        Operator.LT: ("<", 3),
        Operator.LE: ("<=", 3),
        Operator.GT: (">", 3),
        Operator.GE: (">=", 3),
        Operator.EQ: ("==", 3),
        Operator.NE: ("!=", 3),
        Operator.OR: ("|", 4),
        Operator.AND: ("&", 5),
        Operator.ADD: ("+", 6),
        Operator.SUB: ("-", 6),
        Operator.MUL: ("*", 7),
        Operator.DIV: ("/", 7),
    }
)
_FUNCTIONS: Final[Mapping[Operator, str]] = MappingProxyType(
    {Operator.FLOORDIV: "floordiv", Operator.MOD: "floormod", Operator.POW: "power"}
)
# Signed overflow of Numba's own operators is undefined.
_WRAPPING: Final[Mapping[Operator, str]] = MappingProxyType(
    {
        Operator.ADD: "wrapping_add",
        Operator.SUB: "wrapping_subtract",
        Operator.MUL: "wrapping_multiply",
    }
)
_RENAMED: Final[Mapping[NativeFunction, str]] = MappingProxyType(
    {
        NativeFunction.ABS: "absolute",
        NativeFunction.MIN: "minimum",
        NativeFunction.MAX: "maximum",
        NativeFunction.MOD: "floormod",
        NativeFunction.FMOD: "truncmod",
        NativeFunction.GAMMA: "tgamma",
        NativeFunction.POW2: "square",
        NativeFunction.POW3: "cube",
        NativeFunction.POW4: "fourth",
        NativeFunction.ROUND: "rint",
        NativeFunction.ROUND_AWAY_FROM_ZERO: "round_away",
    }
)


def native_name(function: NativeFunction) -> str:
    """The name in `backends.numba_cpu.runtime` of a native function."""
    return _RENAMED.get(function, function.value)


def value_source(value: Value, outer: int = 0) -> str:
    """*value* as Python, in parentheses if it binds less tightly than *outer*."""
    match value:
        case Literal(number, dtype):
            return f"{CAST[dtype]}({_digits(number, dtype)})"
        case Variable(name):
            return name
        case Load(view, index):
            return f"{view}[{', '.join(map(index_source, index))}]"
        case UnaryOperation(unary_operator, operand):
            symbol, strength = _UNARY[unary_operator]
            return _within(f"{symbol}{value_source(operand, strength)}", strength, outer)
        case BinaryOperation():
            return _binary_source(value, outer)
        case Choice() | Native() | Conversion():
            return _call_source(value)
        case _:
            assert_never(value)


def index_source(index: Index) -> str:
    match index:
        case Slot(Affine() as inner, slots):
            # Slots are a power of two: this is the remainder, of negative indices too.
            text = position_source(inner)
            return f"({text}) & {slots - 1}" if " " in text else f"{text} & {slots - 1}"
        case Affine():
            return position_source(index)
        case _:
            assert_never(index)


def stored_source(value: Value) -> str:
    """*value* where the place it goes to fixes its dtype: a literal may stand bare."""
    return _bare(value) or value_source(value)


def position_source(position: Position, plus: int = 0) -> str:
    """An index or a bound, *plus* a constant."""
    match position:
        case Affine(None, offset):
            return str(offset + plus)
        case Affine(str(name), offset, factor):
            return f"{'' if factor == 1 else '-'}{name}{_addend(offset + plus)}"
        case Least(items):
            return f"min({', '.join(map(position_source, items))}){_addend(plus)}"
        case Greatest(items):
            return f"max({', '.join(map(position_source, items))}){_addend(plus)}"
        case Cut(start, stop, chunk, chunks):
            parts = ", ".join((*map(position_source, (start, stop, chunk)), chunks))
            return f"cut({parts}){_addend(plus)}"
        case Whole(bound, lanes):
            # Shifts tell a compiler what it would not see in a division.
            shift = lanes.bit_length() - 1
            return f"({position_source(bound)} >> {shift} << {shift}){_addend(plus)}"
        case _:
            raise AssertionError(position)


def _addend(number: int) -> str:
    if number == 0:
        return ""
    return f" + {number}" if number > 0 else f" - {-number}"


def call_parts(value: Value) -> tuple[str, tuple[Value, ...]] | None:
    """Function and arguments of what is printed as a call."""
    match value:
        case Choice(condition, if_true, if_false):
            return "select", (condition, if_true, if_false)
        case Native(function, arguments):
            return native_name(function), arguments
        case Conversion(operand, dtype, saturates):
            return f"saturate_{dtype.value}" if saturates else CAST[dtype], (operand,)
        case BinaryOperation(operator, left, right) if operator in _FUNCTIONS:
            return _FUNCTIONS[operator], (left, right)
        case BinaryOperation(operator, left, right, DType.INT64) if operator in _WRAPPING:
            return _WRAPPING[operator], (left, right)
        case _:
            return None


def operator_of(operation: BinaryOperation) -> tuple[str, int]:
    """The symbol that stands between the operands, and how tightly it binds."""
    return _BINARY[operation.operator]


def _call_source(value: Value) -> str:
    parts = call_parts(value)
    assert parts is not None
    return f"{parts[0]}({', '.join(map(value_source, parts[1]))})"


def _binary_source(operation: BinaryOperation, outer: int) -> str:
    if call_parts(operation) is not None:
        return _call_source(operation)
    symbol, strength = operator_of(operation)
    left, right = operand_sources(operation)
    return _within(f"{left} {symbol} {right}", strength, outer)


def operand_sources(operation: BinaryOperation) -> tuple[str, str]:
    """Both sides of an operator, in parentheses where they need some."""
    strength = operator_of(operation)[1]
    left, right = operation.left, operation.right
    # A comparison in a comparison would be a chain.
    left_strength = strength + (strength == _BINARY[Operator.LT][1])
    return _operand(left, right, left_strength), _operand(right, left, strength + 1)


def _operand(value: Value, other: Value, strength: int) -> str:
    """An operand; a literal stands bare beside something that has its dtype."""
    bare = "" if isinstance(other, Literal) else _bare(value)
    return bare or value_source(value, strength)


def _bare(value: Value) -> str:
    """The digits of a literal that Python, NumPy and Numba give the right dtype by themselves."""
    match value:
        case Literal(number, DType.FLOAT64) if math.isfinite(number):
            return repr(float(number))
        case Literal(number, DType.INT64):
            return str(int(number))
        case _:
            return ""


def _digits(number: bool | int | float, dtype: DType) -> str:
    if dtype in (DType.FLOAT32, DType.FLOAT64):
        return repr(float(number))
    return repr(bool(number) if dtype is DType.BOOL else int(number))


def _within(text: str, strength: int, outer: int) -> str:
    return f"({text})" if strength < outer else text

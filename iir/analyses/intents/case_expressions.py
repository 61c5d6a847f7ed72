"""Conditions of cases as SymPy expressions."""

from collections.abc import Mapping
from typing import Any, Final, TypeAlias, assert_never

import sympy

from iir.analyses.dtypes import expression_dtype
from iir.analyses.intents.case_text import levels_name
from iir.analyses.intents.cases import LEVELS, Atom, Comparison, Literal, Terms, natural
from iir.dtypes import DType, is_integer
from iir.expressions import (
    Binary,
    Call,
    Cast,
    Constant,
    Expr,
    FieldAccess,
    NativeFunction,
    Operator,
    ScalarRef,
    Select,
    Unary,
    UnaryOperator,
)
from iir.nodes import Declaration

Names: TypeAlias = Mapping[str, Declaration]
Condition: TypeAlias = Any
"""A SymPy Boolean; SymPy has no types."""

_BINARY: Final[Mapping[Operator, Any]] = {
    Operator.ADD: lambda a, b: a + b,
    Operator.SUB: lambda a, b: a - b,
    Operator.MUL: lambda a, b: a * b,
    Operator.DIV: lambda a, b: a / b,
    Operator.FLOORDIV: lambda a, b: sympy.floor(a / b),
    Operator.MOD: sympy.Mod,
    Operator.POW: sympy.Pow,
    Operator.LT: sympy.Lt,
    Operator.LE: sympy.Le,
    Operator.GT: sympy.Gt,
    Operator.GE: sympy.Ge,
    Operator.EQ: sympy.Eq,
    Operator.NE: sympy.Ne,
    Operator.AND: sympy.And,
    Operator.OR: sympy.Or,
}
_RELATIONS: Final[Mapping[str, Any]] = {
    ">=": sympy.Ge,
    ">": sympy.Gt,
    "<=": sympy.Le,
    "<": sympy.Lt,
    "==": sympy.Eq,
}
_LOGICAL_EQUALITY: Final[Mapping[Operator, Any]] = {
    Operator.EQ: sympy.Equivalent,
    Operator.NE: sympy.Xor,
}
_CALLS: Final[Mapping[NativeFunction, Any]] = {
    NativeFunction.ABS: sympy.Abs,
    NativeFunction.MIN: sympy.Min,
    NativeFunction.MAX: sympy.Max,
    NativeFunction.MOD: sympy.Mod,
    NativeFunction.SQRT: sympy.sqrt,
    NativeFunction.EXP: sympy.exp,
    NativeFunction.LOG: sympy.log,
    NativeFunction.FLOOR: sympy.floor,
    NativeFunction.CEIL: sympy.ceiling,
    NativeFunction.POW2: lambda a: a**2,
    NativeFunction.POW3: lambda a: a**3,
    NativeFunction.POW4: lambda a: a**4,
}


def condition_expression(terms: Terms, names: Names) -> Condition:
    """*terms* over plain symbols named as the scalars, and ``nk`` for the number of levels."""
    return sympy.Or(*(sympy.And(*(_literal(item, names) for item in term)) for term in terms))


def _literal(literal: Literal, names: Names) -> Condition:
    match literal:
        case Atom(condition, holds):
            value = _expression(condition, names)
            return value if holds else sympy.Not(value)
        case Comparison():
            return _comparison(natural(literal), names)
        case _:
            assert_never(literal)


def _comparison(item: Comparison, names: Names) -> Condition:
    left = _symbol(item.name, names)
    right = sympy.Integer(item.constant) + (0 if item.base is None else _symbol(item.base, names))
    return _RELATIONS[item.relation](left, right)


def _symbol(name: str, names: Names) -> Any:
    return sympy.Symbol(levels_name(names) if name == LEVELS else name)


def _expression(expr: Expr, names: Names) -> Any:
    match expr:
        case Constant(value, dtype):
            return _constant(value, dtype)
        case ScalarRef(name):
            return sympy.Symbol(name)
        case Unary(operator, operand):
            value = _expression(operand, names)
            return sympy.Not(value) if operator is UnaryOperator.NOT else -value
        case Binary(operator, left, right):
            is_logical = expression_dtype(left, names) is DType.BOOL
            table = _LOGICAL_EQUALITY if is_logical and operator in _LOGICAL_EQUALITY else _BINARY
            return table[operator](_expression(left, names), _expression(right, names))
        case Select(condition, if_true, if_false):
            parts = [_expression(part, names) for part in (condition, if_true, if_false)]
            is_logical = expression_dtype(if_true, names) is DType.BOOL
            return (
                sympy.ITE(*parts) if is_logical else sympy.Piecewise((parts[1], parts[0]), (parts[2], True))
            )
        case Call(function, arguments):
            values = [_expression(item, names) for item in arguments]
            return _CALLS.get(function, sympy.Function(function.value))(*values)
        case Cast(dtype, operand):
            value = _expression(operand, names)
            is_exact = not is_integer(dtype) or is_integer(expression_dtype(operand, names))
            return value if is_exact else sympy.Function(dtype.value)(value)
        case FieldAccess():
            raise AssertionError("conditions of cases read scalars only")
        case _:
            assert_never(expr)


def _constant(value: bool | int | float, dtype: DType) -> Any:
    if dtype is DType.BOOL:
        return sympy.true if value else sympy.false
    if isinstance(value, float) and not value.is_integer():
        return sympy.Float(value)
    return sympy.Integer(int(value))

"""The value of an expression of scalars, where it can be known exactly without running a kernel."""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias, assert_never

import numpy as np

from iir.dtypes import DType, is_float, numpy_dtype
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

Value: TypeAlias = np.generic

_BINARY: Final[Mapping[Operator, Callable[..., Any]]] = {
    Operator.ADD: np.add,
    Operator.SUB: np.subtract,
    Operator.MUL: np.multiply,
    Operator.DIV: np.divide,
    Operator.LT: np.less,
    Operator.LE: np.less_equal,
    Operator.GT: np.greater,
    Operator.GE: np.greater_equal,
    Operator.EQ: np.equal,
    Operator.NE: np.not_equal,
    Operator.AND: np.logical_and,
    Operator.OR: np.logical_or,
}
_CALLS: Final[Mapping[NativeFunction, Callable[..., Any]]] = {
    NativeFunction.ABS: np.abs,
    NativeFunction.SQRT: np.sqrt,
    NativeFunction.FLOOR: np.floor,
    NativeFunction.CEIL: np.ceil,
    NativeFunction.TRUNC: np.trunc,
}


def scalar_value(
    expr: Expr, scalars: Mapping[str, Any], declarations: Mapping[str, Declaration]
) -> Value | None:
    """The value of *expr* with the bits that a kernel computes; None where a scalar is not given or
    the operation is not one of the exact ones."""
    with np.errstate(all="ignore"):
        return _value(expr, scalars, declarations)


def _value(expr: Expr, scalars: Mapping[str, Any], names: Mapping[str, Declaration]) -> Value | None:
    match expr:
        case Constant():
            return numpy_dtype(expr.dtype).type(expr.value)
        case ScalarRef(name):
            return numpy_dtype(names[name].dtype).type(scalars[name]) if name in scalars else None
        case Unary(UnaryOperator.NOT, operand):
            return _applied(np.logical_not, (operand,), scalars, names)
        case Unary(_, operand):
            return _applied(np.negative, (operand,), scalars, names)
        case Binary(operator, left, right) if operator in _BINARY:
            return _applied(_BINARY[operator], (left, right), scalars, names)
        case Select(condition, if_true, if_false):
            choice = _value(condition, scalars, names)
            return None if choice is None else _value(if_true if choice else if_false, scalars, names)
        case Call(function, arguments) if function in _CALLS:
            return _applied(_CALLS[function], arguments, scalars, names)
        case Cast():
            operand_value = _value(expr.operand, scalars, names)
            return None if operand_value is None else _cast(expr.dtype, operand_value)
        case FieldAccess() | Binary() | Call():
            return None
        case _:
            assert_never(expr)


def _applied(
    operation: Callable[..., Any],
    operands: tuple[Expr, ...],
    scalars: Mapping[str, Any],
    names: Mapping[str, Declaration],
) -> Value | None:
    values = [_value(operand, scalars, names) for operand in operands]
    if any(value is None for value in values):
        return None
    result = operation(*values)
    assert isinstance(result, np.generic)
    return result


def _cast(dtype: DType, value: Value) -> Value | None:
    """Float to integer saturates in the language and not in NumPy: left to the kernel."""
    if isinstance(value, np.floating) and not is_float(dtype):
        return None
    return numpy_dtype(dtype).type(value)

"""Expressions of the IIR as those of one iteration."""

from typing import assert_never

from backends.loopnest.bodies import AXES
from backends.loopnest.expressions import (
    Affine,
    BinaryOperation,
    Choice,
    Conversion,
    Index,
    Literal,
    Load,
    Native,
    Slot,
    UnaryOperation,
    Value,
    Variable,
)
from backends.loopnest.names import INDEX
from backends.loopnest.scope import Scope
from iir.dtypes import DType, is_float, is_integer
from iir.expressions import (
    COMPARISONS,
    LOGICAL,
    Binary,
    Call,
    Cast,
    Constant,
    Expr,
    FieldAccess,
    Operator,
    ScalarRef,
    Select,
    Unary,
)

_NARROW = frozenset({DType.INT8, DType.INT16, DType.INT32})


def lower_expression(expr: Expr, scope: Scope) -> Value:
    """The value of *expr* at the point of the loops around it."""
    dtype = scope.dtype(expr)

    def lower(part: Expr) -> Value:
        return lower_expression(part, scope)

    match expr:
        case Constant(value, _):
            return Literal(value, dtype)
        case ScalarRef(name):
            return Variable(scope.names[name].name, dtype)
        case FieldAccess():
            return _lower_access(expr, dtype, scope)
        case Unary(operator, operand):
            return _wrapped(UnaryOperation(operator, lower(operand), dtype))
        case Binary(binary_operator, left, right):
            return _lower_binary(BinaryOperation(binary_operator, lower(left), lower(right), dtype))
        case Select(condition, if_true, if_false):
            return Choice(lower(condition), lower(if_true), lower(if_false), dtype)
        case Call(function, arguments):
            return Native(function, tuple(lower(argument) for argument in arguments), dtype)
        case Cast(_, operand):
            return _lower_cast(dtype, lower(operand))
        case _:
            assert_never(expr)


def access_index(access: FieldAccess, scope: Scope) -> tuple[Index, ...]:
    """The indices of *access*, one for each axis by which its name is indexed."""
    by_axis = {
        axis: Affine(name, lead + offset)
        for axis, name, lead, offset in zip(AXES, INDEX, scope.lead, access.offset, strict=True)
    }
    slots = scope.slots(access.name)
    return tuple(
        Slot(by_axis[axis], slots[axis]) if axis in slots else by_axis[axis]
        for axis in scope.axes(access.name)
    )


def _lower_access(access: FieldAccess, dtype: DType, scope: Scope) -> Value:
    variable = scope.variable(access)
    if variable is not None:
        return Variable(variable, dtype)
    return Load(scope.names[access.name].name, access_index(access, scope), dtype)


_FUNCTIONS = frozenset({Operator.FLOORDIV, Operator.MOD, Operator.POW})


def _lower_binary(operation: BinaryOperation) -> Value:
    """Functions compute in the width of their operands, operators on narrow integers in 64 bits."""
    if operation.operator in COMPARISONS | LOGICAL | _FUNCTIONS:
        return operation
    return _wrapped(operation)


def _wrapped(operation: UnaryOperation | BinaryOperation) -> Value:
    return Conversion(operation, operation.dtype) if operation.dtype in _NARROW else operation


def _lower_cast(dtype: DType, operand: Value) -> Value:
    if operand.dtype is dtype:
        return operand
    if dtype is DType.BOOL:
        zero = Literal(0.0 if is_float(operand.dtype) else 0, operand.dtype)
        return BinaryOperation(Operator.NE, operand, zero, dtype)
    return Conversion(operand, dtype, saturates=is_float(operand.dtype) and is_integer(dtype))

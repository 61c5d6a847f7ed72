"""Positions as values."""

from backends.loopnest.expressions import Affine, BinaryOperation, Literal, Value, Variable
from iir.dtypes import DType
from iir.expressions import Operator


def position_value(position: Affine) -> Value:
    """*position* as a number to compute with."""
    offset = integer(position.offset)
    if position.name is None:
        return offset
    variable = Variable(position.name, DType.INT64)
    if position == Affine(position.name):
        return variable
    return operation(Operator.ADD if position.factor == 1 else Operator.SUB, offset, variable)


def operation(operator: Operator, left: Value, right: Value) -> Value:
    return BinaryOperation(operator, left, right, DType.INT64)


def integer(value: int) -> Value:
    return Literal(value, DType.INT64)

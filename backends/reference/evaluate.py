"""The values of an expression on a box of points."""

from collections.abc import Mapping
from typing import assert_never

import numpy as np

from backends.base import Array
from backends.reference.arithmetic import binary, call, cast, unary
from backends.reference.storage import Box, FieldView
from iir.dtypes import numpy_dtype
from iir.expressions import Binary, Call, Cast, Constant, Expr, FieldAccess, ScalarRef, Select, Unary


def evaluate(
    expr: Expr, box: Box, fields: Mapping[str, FieldView], scalars: Mapping[str, Array], math: str
) -> Array:
    """*expr* on every point of *box*, in an array that broadcasts to the box and shares no memory.

    *math* is that of `backends.base.Options`.
    """

    def value(part: Expr) -> Array:
        return evaluate(part, box, fields, scalars, math)

    match expr:
        case Constant(number, dtype):
            return np.array(number, dtype=numpy_dtype(dtype))
        case ScalarRef(name):
            return scalars[name]
        case FieldAccess(name, offset):
            return fields[name].read(box, offset)
        case Unary(operator, operand):
            return unary(operator, value(operand))
        case Binary(binary_operator, left, right):
            return binary(binary_operator, value(left), value(right), math)
        case Select(condition, if_true, if_false):
            return np.where(value(condition), value(if_true), value(if_false))
        case Call(function, arguments):
            return call(function, [value(argument) for argument in arguments], math)
        case Cast(dtype, operand):
            return cast(dtype, value(operand))
        case _:
            assert_never(expr)

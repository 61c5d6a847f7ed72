"""The dtype of an expression; it follows from declarations, constants and casts alone."""

from collections.abc import Mapping
from typing import assert_never

from iir.dtypes import DType
from iir.expressions import (
    COMPARISONS,
    LOGICAL,
    PREDICATES,
    Binary,
    Call,
    Cast,
    Constant,
    Expr,
    FieldAccess,
    ScalarRef,
    Select,
    Unary,
)
from iir.nodes import Declaration


def expression_dtype(expr: Expr, declarations: Mapping[str, Declaration]) -> DType:
    """The dtype of *expr* in a tree that the verifier accepts."""
    while True:
        match expr:
            case Constant(_, dtype) | Cast(dtype, _):
                return dtype
            case ScalarRef(name) | FieldAccess(name, _):
                return declarations[name].dtype
            case Unary(_, operand):
                expr = operand
            case Binary(operator, left, _):
                if operator in COMPARISONS or operator in LOGICAL:
                    return DType.BOOL
                expr = left
            case Select(_, if_true, _):
                expr = if_true
            case Call(function, arguments):
                if function in PREDICATES:
                    return DType.BOOL
                expr = arguments[0]
            case _:
                assert_never(expr)

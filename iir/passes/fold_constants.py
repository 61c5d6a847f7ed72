"""Evaluate what depends on constants alone.

Legal because the result is computed in the constants' dtype by the rules of the language, bit for
bit: IEEE arithmetic and comparisons, integers that wrap, casts that saturate. Functions of libm and
integer division are left to run time. Of the identities only those of logic are used: ``x + 0.0``
is not ``x``.
"""

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from iir.base import Node
from iir.dtypes import DType, is_float, is_integer, numpy_dtype
from iir.expressions import (
    COMPARISONS,
    Binary,
    Cast,
    Constant,
    Expr,
    Operator,
    Select,
    Unary,
    UnaryOperator,
)
from iir.nodes import Stencil
from iir.traversal import rewrite

_BINARY: Final[Mapping[Operator, Callable[[Any, Any], Any]]] = {
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
_UNARY: Final[Mapping[UnaryOperator, Callable[[Any], Any]]] = {
    UnaryOperator.NEG: np.negative,
    UnaryOperator.NOT: np.logical_not,
}


def fold_constants(ir: Stencil) -> Stencil:
    """Replace operators, casts and selections on constants by what they give."""
    with np.errstate(all="ignore"):
        return rewrite(ir, _fold)


def _fold(node: Node) -> Node:
    match node:
        case Binary(operator, Constant() as left, Constant() as right) if operator in _BINARY:
            value = _BINARY[operator](_number(left), _number(right))
            is_truth = operator in COMPARISONS or left.dtype is DType.BOOL
            return _constant(value, DType.BOOL if is_truth else left.dtype, node)
        case Binary(Operator.AND | Operator.OR, Constant() as known, other):
            return _decide(node, known, other)
        case Binary(Operator.AND | Operator.OR, other, Constant() as known):
            return _decide(node, known, other)
        case Unary(operator, Constant() as operand):
            return _constant(_UNARY[operator](_number(operand)), operand.dtype, node)
        case Cast(dtype, Constant() as operand):
            return _constant(_cast(dtype, operand), dtype, node)
        case Select(Constant(value), if_true, if_false):
            return if_true if value else if_false
        case _:
            return node


def _decide(node: Binary, known: Constant, other: Expr) -> Node:
    """``True and x`` is ``x``, ``False and x`` is False, and so on: evaluating x has no effect."""
    is_neutral = bool(known.value) == (node.operator is Operator.AND)
    return other if is_neutral else _constant(known.value, DType.BOOL, node)


def _cast(dtype: DType, operand: Constant) -> Any:
    """Integers saturate for floats and wrap for integers, NaN gives 0."""
    value = operand.value
    if not (is_float(operand.dtype) and is_integer(dtype)):
        return np.asarray(_number(operand)).astype(numpy_dtype(dtype))[()]
    if math.isnan(value):
        return 0
    limits = np.iinfo(numpy_dtype(dtype).name)
    if math.isinf(value):
        return limits.max if value > 0 else limits.min
    return min(max(int(value), int(limits.min)), int(limits.max))


def _number(constant: Constant) -> Any:
    return numpy_dtype(constant.dtype).type(constant.value)


def _constant(value: Any, dtype: DType, replaced: Node) -> Constant:
    return Constant(numpy_dtype(dtype).type(value).item(), dtype, span=replaced.span)

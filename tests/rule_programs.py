"""One small stencil for each scalar rule: an operation in a dtype, on all pairs of notable values."""

from collections.abc import Iterator
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from iir.dtypes import FLOATS, DType, is_float, numpy_dtype
from iir.expressions import (
    ANY_NUMBER,
    COMPARISONS,
    LOGICAL,
    PREDICATES,
    TWO_ARGUMENTS,
    Binary,
    Call,
    Cast,
    Expr,
    FieldAccess,
    NativeFunction,
    Operator,
    Unary,
    UnaryOperator,
)
from iir.interval import FULL
from iir.nodes import DoMethod, FieldDecl, LoopOrder, MultiStage, Stage, Stencil
from iir.statements import Assign
from iir.traversal import walk
from tests import random_calls

Array: TypeAlias = npt.NDArray[Any]

_A: Final = FieldAccess("a")
_B: Final = FieldAccess("b")


def rule_programs() -> Iterator[tuple[str, Stencil, random_calls.Call]]:
    """A name, ``out = operation(a, b)`` and its arguments, for every operation and dtype."""
    for dtype in DType:
        for name, value, result in _operations(dtype):
            fields = FieldDecl("a", dtype), FieldDecl("b", dtype), FieldDecl("out", result)
            do_method = DoMethod(FULL, (Assign(FieldAccess("out"), value),))
            multistage = MultiStage(LoopOrder.PARALLEL, (Stage((do_method,)),))
            ir = Stencil("rule", fields, (), (multistage,))
            yield f"{name} {dtype.value}", ir, _call(dtype, result, is_binary=_B in walk(value))


def notable_values(dtype: DType) -> Array:
    """Zeros, small numbers, halves, the ends of the range and what lies around them."""
    number = numpy_dtype(dtype)
    if dtype is DType.BOOL:
        return np.array([False, True])
    if not is_float(dtype):
        limits = np.iinfo(number.name)
        return np.array(
            [0, 1, -1, 2, -2, 3, -3, 7, 10, 63, limits.min, limits.min + 1, limits.max, limits.max - 1],
            number,
        )
    limits_f = np.finfo(number.name)
    positive = [
        *(0.0, 0.1, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 2.5, 3.0, 7.0, 10.3, 127.0, 128.5),
        *(0.49999999999999994, 2147483647.0, 2147483648.0, 9.2e18, 2.0**63, 1e20, 4503599627370497.5),
        *(limits_f.tiny, limits_f.smallest_subnormal, limits_f.max, np.inf, np.nan),
    ]
    values = np.array(positive, number)
    return np.concatenate([values, -values])


def _operations(dtype: DType) -> Iterator[tuple[str, Expr, DType]]:
    for target in DType:
        if target is not dtype:
            yield f"cast to {target.value}", Cast(target, _A), target
    if dtype is DType.BOOL:
        yield "not", Unary(UnaryOperator.NOT, _A), dtype
    else:
        yield "neg", Unary(UnaryOperator.NEG, _A), dtype
    for operator in Operator:
        if _takes(operator, dtype):
            gives_bool = operator in COMPARISONS or operator in LOGICAL
            yield operator.value, Binary(operator, _A, _B), DType.BOOL if gives_bool else dtype
    for function in NativeFunction:
        if dtype in FLOATS or (function in ANY_NUMBER and dtype is not DType.BOOL):
            arguments = (_A, _B) if function in TWO_ARGUMENTS else (_A,)
            result = DType.BOOL if function in PREDICATES else dtype
            yield function.value, Call(function, arguments), result


def _takes(operator: Operator, dtype: DType) -> bool:
    if dtype is DType.BOOL:
        return operator in LOGICAL or operator in (Operator.EQ, Operator.NE)
    return operator not in LOGICAL and (operator is not Operator.DIV or is_float(dtype))


def _call(dtype: DType, result: DType, is_binary: bool) -> random_calls.Call:
    """Every value of *a* along i meets every value of *b* along j."""
    values = notable_values(dtype)
    ni, nj = len(values), len(values) if is_binary else 1
    arrays = {name: _field(values.dtype, ni, nj) for name in "ab"}
    arrays["a"][:, :, 0] = values[:, np.newaxis]
    arrays["b"][:, :, 0] = values[np.newaxis, :nj]
    arrays["out"] = _field(numpy_dtype(result), ni, nj)
    origins = dict.fromkeys(arrays, (0, 0, 0))
    return random_calls.Call((ni, nj, 1), arrays, origins, {}, dict.fromkeys(arrays, "C"))


def _field(dtype: np.dtype[Any], ni: int, nj: int) -> Array:
    return np.zeros(ni * nj, dtype).reshape(ni, nj, 1)

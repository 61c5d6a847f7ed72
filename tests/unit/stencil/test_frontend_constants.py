"""Arithmetic between numbers that are known when the stencil is built."""

import math
from itertools import product

import numpy as np
import pytest

from iir.diagnostics import StencilError
from iir.dtypes import DType
from iir.expressions import TWO_ARGUMENTS, NativeFunction, Operator, UnaryOperator
from iir.span import Span
from stencil.frontend.constants import convert, fold
from stencil.frontend.drafts import Literal, Operation

SPAN = Span("here.py", 1, 0, 1, 1)
VALUES = (
    0,
    1,
    -1,
    3,
    -7,
    2**1023,
    0.0,
    -0.0,
    0.5,
    2.5,
    -3.0,
    171.0,
    1e308,
    5e-324,
    math.inf,
    -math.inf,
    math.nan,
)
MULTIPLICATIONS = {NativeFunction.POW2, NativeFunction.POW3, NativeFunction.POW4}
OPERATIONS = [
    item for kind in (UnaryOperator, Operator, NativeFunction) for item in kind if item not in MULTIPLICATIONS
]


def weak(operation: Operation, *values: bool | int | float) -> bool | int | float | None:
    folded = fold(operation, tuple(Literal(value, None, SPAN) for value in values), SPAN)
    return None if folded is None else folded.value


@pytest.mark.parametrize("operation", OPERATIONS, ids=str)
def test_every_operation_gives_a_python_number_or_the_documented_error(operation: Operation) -> None:
    binary = isinstance(operation, Operator) or operation in TWO_ARGUMENTS
    for values in product(VALUES, repeat=2 if binary else 1):
        try:
            result = weak(operation, *values)
        except StencilError as problem:
            assert problem.kind in {"literal-overflow", "negative-power"}
            continue
        assert isinstance(result, bool | int | float) and not isinstance(result, np.generic)


@pytest.mark.parametrize(
    ("operation", "values", "result"),
    [
        (Operator.DIV, (1, 3), 1 / 3),
        (Operator.DIV, (1, 0), math.inf),
        (Operator.DIV, (-1.0, 0), -math.inf),
        (Operator.FLOORDIV, (-7, 2), -4),
        (Operator.FLOORDIV, (7, 0), 0),
        (Operator.MOD, (-7, 3), 2),
        (Operator.MOD, (7, 0), 0),
        (NativeFunction.FMOD, (-7, 3), -1),
        (Operator.POW, (2, 10), 1024),
        (Operator.POW, (2.0, -1), 0.5),
        (Operator.POW, (2, -1.0), 0.5),
        (Operator.POW, (3.0, 2), 9.0),
        (Operator.POW, (2.0, 0.5), math.sqrt(2.0)),
        (Operator.POW, (0.0, -1), math.inf),
        (NativeFunction.LOG, (0,), -math.inf),
        (NativeFunction.EXP, (1000,), math.inf),
        (NativeFunction.GAMMA, (-0.0,), -math.inf),
        (NativeFunction.ROUND, (2.5,), 2.0),
        (NativeFunction.ROUND, (3,), 3),
        (NativeFunction.ROUND_AWAY_FROM_ZERO, (2.5,), 3.0),
        (NativeFunction.ROUND_AWAY_FROM_ZERO, (-2.5,), -3.0),
        (NativeFunction.MIN, (3, 1, 2), 1),
        (NativeFunction.MAX, (1, 2.5), 2.5),
        (UnaryOperator.NOT, (0,), True),
        (Operator.AND, (1, 0.0), False),
    ],
)
def test_results(operation: Operation, values: tuple[float, ...], result: float) -> None:
    found = weak(operation, *values)
    assert found == result and type(found) is type(result)


@pytest.mark.parametrize(
    ("operation", "values"),
    [
        (NativeFunction.SQRT, (-1,)),
        (NativeFunction.LOG, (-1,)),
        (NativeFunction.GAMMA, (-3.0,)),
        (Operator.POW, (-8, 0.3)),
        (NativeFunction.MIN, (1.0, math.nan)),
        (NativeFunction.MAX, (math.nan, 1.0)),
        (Operator.SUB, (math.inf, math.inf)),
    ],
)
def test_undefined_results_are_nan(operation: Operation, values: tuple[float, ...]) -> None:
    found = weak(operation, *values)
    assert isinstance(found, float) and math.isnan(found)


def test_integers_with_a_width_are_folded_unless_they_wrap() -> None:
    def narrow(value: int) -> Literal:
        return Literal(value, DType.INT8, SPAN)

    assert fold(Operator.ADD, (narrow(100), narrow(27)), SPAN) == narrow(127)
    assert fold(Operator.SUB, (narrow(5), Literal(1, None, SPAN)), SPAN) == narrow(4)
    assert fold(Operator.ADD, (narrow(100), narrow(28)), SPAN) is None
    assert fold(Operator.ADD, (narrow(1), Literal(300, None, SPAN)), SPAN) is None
    assert fold(Operator.ADD, (Literal(1.0, DType.FLOAT32, SPAN), narrow(1)), SPAN) is None


@pytest.mark.parametrize(
    ("value", "dtype", "result"),
    [
        (2, DType.BOOL, True),
        (-1.9, DType.INT8, -1),
        (128, DType.INT8, None),
        (-128, DType.INT8, -128),
        (2**63, DType.INT64, None),
        (math.nan, DType.INT32, None),
        (0.1, DType.FLOAT32, float(np.float32(0.1))),
        (1e39, DType.FLOAT32, None),
        (math.inf, DType.FLOAT32, math.inf),
        (10**400, DType.FLOAT64, None),
        (True, DType.FLOAT64, 1.0),
    ],
)
def test_numbers_in_a_dtype(value: float, dtype: DType, result: float | None) -> None:
    found = convert(value, dtype)
    assert found == result and type(found) is type(result)

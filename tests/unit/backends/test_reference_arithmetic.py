"""The scalar rules of the language, each with the values that tell it from its neighbours."""

import math
from typing import Any

import numpy as np
import pytest

from backends.reference.arithmetic import binary, call, cast, unary
from iir.dtypes import DType, numpy_dtype
from iir.expressions import NativeFunction, Operator, UnaryOperator

NAN, INF = math.nan, math.inf


def array(value: float, dtype: DType) -> Any:
    return np.array(value, numpy_dtype(dtype))


def same(left: Any, right: float) -> bool:
    """Equal, zeros by their sign, NaN to NaN."""
    value = left.item()
    if math.isnan(value) or math.isnan(right):
        return math.isnan(value) and math.isnan(right)
    return bool(value == right) and math.copysign(1, value) == math.copysign(1, right)


@pytest.fixture(autouse=True)
def _no_floating_point_warnings() -> Any:
    with np.errstate(all="ignore"):
        yield


@pytest.mark.parametrize(
    ("function", "left", "right", "expected"),
    [
        (NativeFunction.MIN, NAN, 1.0, NAN),
        (NativeFunction.MIN, 1.0, NAN, NAN),
        (NativeFunction.MIN, 0.0, -0.0, 0.0),
        (NativeFunction.MIN, -0.0, 0.0, -0.0),
        (NativeFunction.MAX, NAN, 1.0, NAN),
        (NativeFunction.MAX, 1.0, NAN, NAN),
        (NativeFunction.MAX, 0.0, -0.0, 0.0),
        (NativeFunction.MAX, -0.0, 0.0, -0.0),
    ],
)
def test_nan_wins_and_of_equal_zeros_the_first(
    function: NativeFunction, left: float, right: float, expected: float
) -> None:
    assert same(call(function, [array(left, DType.FLOAT64), array(right, DType.FLOAT64)]), expected)


@pytest.mark.parametrize("dtype", [DType.INT8, DType.INT16, DType.INT32, DType.INT64])
def test_integers_wrap_in_their_own_width(dtype: DType) -> None:
    limits = np.iinfo(numpy_dtype(dtype).name)
    low, high, one = array(limits.min, dtype), array(limits.max, dtype), array(1, dtype)
    assert binary(Operator.ADD, high, one) == low
    assert binary(Operator.SUB, low, one) == high
    assert binary(Operator.MUL, high, array(2, dtype)) == -2
    assert unary(UnaryOperator.NEG, low) == low
    assert call(NativeFunction.ABS, [low]) == low
    assert binary(Operator.FLOORDIV, low, array(-1, dtype)) == low
    assert binary(Operator.MOD, low, array(-1, dtype)) == 0
    assert binary(Operator.ADD, high, one).dtype == numpy_dtype(dtype)


@pytest.mark.parametrize("dtype", [DType.INT8, DType.INT64])
def test_integer_division_by_zero_gives_zero(dtype: DType) -> None:
    seven, zero = array(7, dtype), array(0, dtype)
    assert binary(Operator.FLOORDIV, seven, zero) == 0
    assert binary(Operator.MOD, seven, zero) == 0
    assert call(NativeFunction.MOD, [seven, zero]) == 0
    assert call(NativeFunction.FMOD, [seven, zero]) == 0


@pytest.mark.parametrize(
    ("base", "exponent", "expected"), [(2, -1, 0), (1, -1, 0), (0, 0, 1), (-2, 3, -8), (2, 8, 0)]
)
def test_integer_power_multiplies_and_is_zero_for_a_negative_exponent(
    base: int, exponent: int, expected: int
) -> None:
    assert binary(Operator.POW, array(base, DType.INT8), array(exponent, DType.INT8)) == expected


@pytest.mark.parametrize("dtype", [DType.INT32, DType.FLOAT32, DType.FLOAT64])
def test_mod_is_floored_and_fmod_truncates(dtype: DType) -> None:
    minus_seven, three = array(-7, dtype), array(3, dtype)
    assert binary(Operator.MOD, minus_seven, three) == 2
    assert binary(Operator.FLOORDIV, minus_seven, three) == -3
    assert call(NativeFunction.MOD, [minus_seven, three]) == 2
    assert call(NativeFunction.FMOD, [minus_seven, three]) == -1


def test_float_division_by_zero_is_ieee() -> None:
    one, zero = array(1, DType.FLOAT64), array(-0.0, DType.FLOAT64)
    assert same(binary(Operator.DIV, one, zero), -INF)
    assert same(binary(Operator.FLOORDIV, one, zero), -INF)
    assert same(binary(Operator.MOD, one, zero), NAN)


@pytest.mark.parametrize(
    ("target", "value", "expected"),
    [
        (DType.INT8, 300.0, 127),
        (DType.INT8, -300.0, -128),
        (DType.INT8, -1.9, -1),
        (DType.INT32, 2.0**31, 2**31 - 1),
        (DType.INT64, INF, 2**63 - 1),
        (DType.INT64, -INF, -(2**63)),
        (DType.INT64, NAN, 0),
        (DType.BOOL, NAN, True),
        (DType.BOOL, -0.0, False),
    ],
)
@pytest.mark.parametrize("source", [DType.FLOAT32, DType.FLOAT64])
def test_cast_from_float_truncates_and_saturates(
    source: DType, target: DType, value: float, expected: int
) -> None:
    result = cast(target, array(value, source))
    assert result == expected
    assert result.dtype == numpy_dtype(target)


def test_cast_between_integers_wraps() -> None:
    assert cast(DType.INT8, array(300, DType.INT32)) == 44


@pytest.mark.parametrize(
    ("function", "value", "expected"),
    [
        (NativeFunction.ROUND, 2.5, 2.0),
        (NativeFunction.ROUND, -0.4, -0.0),
        (NativeFunction.ROUND_AWAY_FROM_ZERO, 2.5, 3.0),
        (NativeFunction.ROUND_AWAY_FROM_ZERO, -2.5, -3.0),
        (NativeFunction.ROUND_AWAY_FROM_ZERO, 0.49999999999999994, 0.0),
        (NativeFunction.CEIL, -0.5, -0.0),
        (NativeFunction.SQRT, -0.0, -0.0),
        (NativeFunction.SQRT, -1.0, NAN),
        (NativeFunction.ABS, -0.0, 0.0),
    ],
)
def test_rounding_and_signed_zeros(function: NativeFunction, value: float, expected: float) -> None:
    assert same(call(function, [array(value, DType.FLOAT64)]), expected)


def test_small_powers_multiply_in_a_fixed_order() -> None:
    x = np.random.default_rng(0).uniform(1.0, 2.0, 100)
    assert (call(NativeFunction.POW3, [x]) == (x * x) * x).all()
    assert (call(NativeFunction.POW4, [x]) == (x * x) * (x * x)).all()
    assert (call(NativeFunction.POW4, [x]) != ((x * x) * x) * x).any()


@pytest.mark.parametrize("dtype", [DType.FLOAT32, DType.FLOAT64])
def test_libm_results_keep_dtype_and_shape(dtype: DType) -> None:
    x = np.linspace(0.1, 3.0, 6, dtype=numpy_dtype(dtype)).reshape(1, 2, 3)
    result = binary(Operator.POW, x, array(0.3, dtype))
    assert result.dtype == numpy_dtype(dtype)
    assert result.shape == (1, 2, 3)

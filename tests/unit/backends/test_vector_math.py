"""Functions without branches: C99's exceptional values, errors against mpmath, one text for all shapes."""

import math
from fractions import Fraction
from typing import Any, Final

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backends.vector_math.arithmetic import Function
from backends.vector_math.functions import FUNCTIONS
from backends.vector_math.on_arrays import on_arrays
from backends.vector_math.power import power
from benchmarks.vector_math import DTYPES, MEASURED, Measured, errors, main
from iir.expressions import NativeFunction
from tests.running import same_bits

inf, nan = math.inf, math.nan
EXP: Final = FUNCTIONS[NativeFunction.EXP]
LOG: Final = FUNCTIONS[NativeFunction.LOG]
TANH: Final = FUNCTIONS[NativeFunction.TANH]

ONE: Final = (
    *((EXP, x, y) for x, y in ((0.0, 1.0), (-0.0, 1.0), (inf, inf), (-inf, 0.0), (nan, nan))),
    *((EXP, x, y) for x, y in ((1e30, inf), (-1e30, 0.0), (1e-30, 1.0), (-1e-30, 1.0))),
    *((LOG, x, y) for x, y in ((1.0, 0.0), (0.0, -inf), (-0.0, -inf), (inf, inf), (nan, nan))),
    *((TANH, x, x) for x in (0.0, -0.0, 1e-45, -1e-30, nan)),
    *((TANH, x, y) for x, y in ((inf, 1.0), (-inf, -1.0), (1e30, 1.0), (-25.0, -1.0))),
    *((LOG, x, nan) for x in (-1.0, -1e-45, -inf)),
)

# C99, F.9.4.4, and whole powers, which keep signs.
POW: Final = (
    *((x, 0.0, 1.0) for x in (0.0, -0.0, 1.0, -3.5, inf, -inf, nan)),
    *((x, -0.0, 1.0) for x in (0.0, -2.0, inf, nan)),
    *((1.0, y, 1.0) for y in (0.5, -1e30, inf, -inf, nan)),
    *((-1.0, y, 1.0) for y in (inf, -inf, 2.0, -4.0, 1e30)),
    *((-1.0, y, -1.0) for y in (1.0, -3.0, 2.0**24 - 1)),
    *((x, nan, nan) for x in (0.0, 0.5, -1.0, inf)),
    *((nan, y, nan) for y in (1.0, -0.5, inf)),
    *((x, y, nan) for x in (-2.5, -1e-45, -1.0) for y in (0.5, -1.5, 1e-30)),
    *((0.0, y, inf) for y in (-1.0, -0.5, -inf)),
    *((-0.0, y, -inf) for y in (-1.0, -7.0)),
    *((-0.0, y, inf) for y in (-2.0, -0.5, -inf)),
    *((0.0, y, 0.0) for y in (3.0, 0.5, 2.0, inf, 1e-45)),
    *((-0.0, y, -0.0) for y in (3.0, 1.0)),
    *((-0.0, y, 0.0) for y in (2.0, 0.5, inf)),
    *((x, -inf, inf) for x in (0.5, -0.5, 1e-45)),
    *((x, inf, 0.0) for x in (0.5, -0.5, 0.0)),
    *((x, -inf, 0.0) for x in (2.0, -2.0, inf)),
    *((x, inf, inf) for x in (1.5, -1.5, inf)),
    *((-inf, y, -0.0) for y in (-1.0, -5.0)),
    *((-inf, y, 0.0) for y in (-2.0, -0.5)),
    *((-inf, y, -inf) for y in (1.0, 9.0)),
    *((-inf, y, inf) for y in (2.0, 0.5)),
    *((inf, y, 0.0) for y in (-0.5, -1e-45, -3.0)),
    *((inf, y, inf) for y in (0.5, 1e-45, 4.0)),
    *((-2.0, y, y_result) for y, y_result in ((3.0, -8.0), (2.0, 4.0), (-1.0, -0.5))),
    *((x, 1e30, inf) for x in (2.0, -2.0)),
    *((x, -1e30, 0.0) for x in (2.0, -2.0)),
    (-2.0, 1e4 + 1.0, -inf),
    (-2.0, -(1e4 + 1.0), -0.0),
)


@pytest.mark.parametrize("dtype", DTYPES)
def test_exceptional_values_of_functions_of_one_number(dtype: type[np.floating[Any]]) -> None:
    for function, x, expected in ONE:
        result = on_arrays(function, np.array([x], dtype))
        assert same_bits(result, np.array([expected], dtype)).all(), (function.__name__, x, result)


@pytest.mark.parametrize("dtype", DTYPES)
def test_exceptional_values_of_powers_are_those_of_c(dtype: type[np.floating[Any]]) -> None:
    for x, y, expected in POW:
        result = on_arrays(power, np.array([x], dtype), np.array([y], dtype))
        assert same_bits(result, np.array([expected], dtype)).all(), (x, y, result)


@pytest.mark.parametrize("dtype", DTYPES)
def test_powers_of_two_are_exact(dtype: type[np.floating[Any]]) -> None:
    limits = np.finfo(dtype)
    whole = np.arange(limits.minexp - limits.nmant, limits.maxexp).astype(dtype)
    expected = np.ldexp(dtype(1), whole.astype(int))
    assert (on_arrays(power, np.full_like(whole, 2), whole) == expected).all()
    assert (on_arrays(power, np.full_like(whole, 0.5), -whole) == expected).all()


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", MEASURED)
def test_errors_stay_below_what_is_promised(name: str, dtype: type[np.floating[Any]]) -> None:
    measured = MEASURED[name]
    for kind, arguments in measured.samples(dtype, 400, np.random.default_rng(2)).items():
        found = errors(measured, arguments)
        worst = int(found.argmax())
        assert found[worst] <= measured.target, (kind, *(item[worst] for item in arguments))


@pytest.mark.parametrize("dtype", DTYPES)
def test_errors_are_seen(dtype: type[np.floating[Any]]) -> None:
    """What is one number beside the right one has an error of about one."""

    def beside(a: Any, x: Any) -> Any:
        return np.nextafter(EXP(a, x), x.dtype.type(inf))

    right = MEASURED["exp"]
    wrong = Measured(beside, right.exact, right.definition, right.target, right.samples)
    x = np.linspace(-2, 2, 50).astype(dtype)
    assert (errors(wrong, (x,)) > 0.4).all()
    assert errors(wrong, (x,)).max() > 1.0 >= errors(right, (x,)).max()


@pytest.mark.parametrize(
    ("function", "boundary", "below"),
    [(EXP, 709.782712893384, 1.797693134862273e308), (EXP, -745.1332191019411, 5e-324)],
)
def test_last_results_before_overflow_and_underflow(
    function: Function, boundary: float, below: float
) -> None:
    x = np.array([boundary, np.nextafter(boundary, 2 * boundary)])
    first, second = on_arrays(function, x)
    assert first == pytest.approx(below, rel=1e-12)
    assert second in (0.0, inf)


finite = st.floats(allow_nan=False, allow_infinity=False)


@given(finite, finite)
def test_any_finite_numbers_have_small_errors(x: float, y: float) -> None:
    for name, arguments in (("exp", (x,)), ("log", (abs(x) or 1.0,)), ("pow", (abs(x) or 1.0, y))):
        measured = MEASURED[name]
        assert errors(measured, tuple(np.array([item]) for item in arguments))[0] <= measured.target


def _rounded(exact: Fraction, dtype: type[np.floating[Any]]) -> np.floating[Any]:
    """The nearest number, of two the one with an even last bit."""
    first = dtype(float(exact))
    around = [np.nextafter(first, dtype(-inf)), first, np.nextafter(first, dtype(inf))]
    bits = f"u{first.itemsize}"
    return min(around, key=lambda item: (abs(Fraction(float(item)) - exact), item.view(bits) & 1))


@pytest.mark.parametrize("dtype", DTYPES)
def test_products_and_sums_are_rounded_once(dtype: type[np.floating[Any]]) -> None:
    random = np.random.default_rng(5)
    x, y = (random.uniform(-2, 2, 4000).astype(dtype) for _ in range(2))
    short = (np.round(y * 64) / 64).astype(dtype)
    scale = (2.0 ** random.integers(-60, 60, x.size)).astype(dtype)
    # Products of these lie beside numbers, and with a summand beside the middle of two.
    ones = [(1 + random.integers(-9, 9, x.size) * np.finfo(dtype).epsneg).astype(dtype) for _ in range(2)]
    whole = random.integers(-9, 9, x.size).astype(dtype)
    points = (
        (x, y, x * scale),
        (x, y, -(x * y)),
        (x, short, scale),
        (x, short, x * short * scale),
        (*ones, whole),
    )
    for arguments in points:
        results = on_arrays(lambda a, *numbers: a.fma(*numbers), *arguments)
        for result, *point in zip(results, *arguments, strict=True):
            one, other, third = (Fraction(float(item)) for item in point)
            assert result == _rounded(one * other + third, dtype), point


@pytest.mark.parametrize("dtype", DTYPES)
def test_shapes_broadcast_and_change_no_bits(dtype: type[np.floating[Any]]) -> None:
    x, y = np.linspace(0.1, 4, 30).astype(dtype).reshape(2, 3, 5), dtype(1.3)
    result = on_arrays(power, x, np.asarray(y))
    assert (result.dtype, result.shape) == (x.dtype, x.shape)
    one_by_one = [on_arrays(power, item, y) for item in x.ravel()]
    assert result.ravel().tolist() == one_by_one


def test_benchmark_prints_errors_and_speed(capsys: pytest.CaptureFixture[str]) -> None:
    main(["exp", "--samples", "5", "--repeats", "1"])
    printed = capsys.readouterr().out
    assert printed.count("ulp") >= len(DTYPES) and "largest error" in printed

"""Functions that kernels call: machine code and plain body give the same bits."""

from collections.abc import Callable, Iterator
from itertools import pairwise, product
from typing import Any, Final

import numpy as np
import pytest
from numba import njit

from backends.numba_cpu.runtime import casts, choice, division, libm, powers, rounding, wrapping
from backends.numba_cpu.runtime.checks import RECORD, bits, report
from backends.numba_cpu.runtime.chunks import cut
from iir.dtypes import from_numpy
from tests.rule_programs import notable_values
from tests.running import same_bits

FLOATS: Final = (np.float32, np.float64)
INTEGERS: Final = (np.int8, np.int16, np.int32, np.int64)
ANY: Final = (*FLOATS, *INTEGERS)

ONE: Final = (
    *((function, ANY) for function in (powers.square, powers.cube, powers.fourth, rounding.absolute)),
    *((getattr(rounding, name), FLOATS) for name in ("sqrt", "floor", "ceil", "trunc", "rint")),
    *((getattr(choice, name), FLOATS) for name in ("isnan", "isinf", "isfinite")),
    *((getattr(casts, f"saturate_i{n}"), FLOATS) for n in (8, 16, 32, 64)),
    *((getattr(libm, name), FLOATS) for name in ("exp", "cbrt", "tgamma", "round_away")),
)
TWO: Final = (
    *((function, ANY) for function in (choice.minimum, choice.maximum, powers.power)),
    *((function, ANY) for function in (division.floordiv, division.floormod, division.truncmod)),
    *((getattr(wrapping, f"wrapping_{name}"), (np.int64,)) for name in ("add", "subtract", "multiply")),
    (libm.atan2, FLOATS),
)


@pytest.mark.parametrize(("function", "dtypes"), ONE, ids=lambda item: getattr(item, "__name__", ""))
def test_functions_of_one_number(
    function: Callable[[Any], Any], dtypes: tuple[type[np.generic], ...]
) -> None:
    @njit(error_model="numpy")
    def compiled(a: Any) -> Any:
        return function(a)

    _assert_same(function, compiled, dtypes, 1)


@pytest.mark.parametrize(("function", "dtypes"), TWO, ids=lambda item: getattr(item, "__name__", ""))
def test_functions_of_two_numbers(
    function: Callable[[Any, Any], Any], dtypes: tuple[type[np.generic], ...]
) -> None:
    @njit(error_model="numpy")
    def compiled(a: Any, b: Any) -> Any:
        return function(a, b)

    _assert_same(function, compiled, dtypes, 2)


def _assert_same(
    plain: Callable[..., Any], compiled: Callable[..., Any], dtypes: tuple[type[np.generic], ...], count: int
) -> None:
    for dtype in dtypes:
        for numbers in _numbers(dtype, count):
            with np.errstate(all="ignore"):
                expected = np.asarray(plain(*numbers))
            actual = np.asarray(compiled(*numbers)).astype(expected.dtype)
            assert same_bits(actual, expected).all(), (numbers, actual, expected)


def _numbers(dtype: type[np.generic], count: int) -> Iterator[tuple[np.generic, ...]]:
    name = from_numpy(np.dtype(dtype))
    assert name is not None
    return product(notable_values(name), repeat=count)


def test_overflow_of_64_bits_stays_defined_through_several_operations() -> None:
    @njit
    def negated_sum(x: Any) -> Any:
        return -wrapping.wrapping_add(np.int64(-(2**63)), x)

    assert negated_sum(-2) == -(2**63) + 2


def _select(condition: Any, if_true: Any, if_false: Any) -> Any:
    return choice.select(condition, if_true, if_false)


def test_select_takes_either_value() -> None:
    compiled = njit(_select)
    for c in (True, False):
        assert compiled(c, 1.5, 2.5) == choice.select(c, 1.5, 2.5) == (1.5 if c else 2.5)


def _cut(start: int, stop: int, chunk: int, chunks: int) -> int:
    return cut(start, stop, chunk, chunks)


@pytest.mark.parametrize(("start", "stop"), [(0, 10), (-2, 3), (5, 5), (4, 1), (0, 2)])
def test_chunks_cover_a_range_once(start: int, stop: int) -> None:
    compiled = njit(_cut)
    for chunks in (1, 2, 3, 7):
        edges = [cut(start, stop, number, chunks) for number in range(chunks + 1)]
        assert edges == [compiled(start, stop, number, chunks) for number in range(chunks + 1)]
        covered = [at for a, b in pairwise(edges) for at in range(a, b)]
        assert covered == list(range(start, stop))


def _report_all(records: Any) -> None:
    report(records, 1, 3, (1, 2, 0, 0, 5), (bits(1.5), bits(np.int32(-7)), bits(True), bits(0)))
    report(records, 1, 4, (1, 2, 0, 0, 4), (bits(np.float32(2.5)), bits(0), bits(0), bits(0)))
    report(records, 1, 5, (1, 3, 0, 0, 0), (bits(0), bits(0), bits(0), bits(0)))


def test_record_keeps_the_failure_with_the_smallest_key() -> None:
    compiled, plain = (np.zeros((2, RECORD), np.int64) for _ in range(2))
    njit(_report_all)(compiled)
    _report_all(plain)
    assert (compiled == plain).all()
    assert plain[0].sum() == 0
    assert plain[1, :6].tolist() == [4, 1, 2, 0, 0, 4]
    assert plain[1, 6:7].view(np.float64)[0] == 2.5

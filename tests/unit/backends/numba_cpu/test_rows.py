"""Rows of views: what is streamed arrives, whole and alone; what is fetched changes nothing."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest
from numba import njit
from numba.core.errors import TypingError

from backends.numba_cpu.runtime.rows import (
    fence,
    prefetch_unit0,
    prefetch_unit1,
    prefetch_unit2,
    stream_unit0,
    stream_unit1,
    stream_unit2,
)
from backends.numba_cpu.runtime.view import view_unit0, view_unit1, view_unit2

DTYPES: Final = (np.bool_, np.int8, np.int16, np.int32, np.int64, np.float32, np.float64)
LINE: Final = 64


def _streams(row: Any, target: Any, start: Any, stop: Any, origin: Any) -> None:
    stream_unit0(view_unit0(target, origin), view_unit0(row, origin), start, stop)
    fence()


_compiled: Final = njit(_streams)
BOTH: Final = pytest.mark.parametrize("run", [_streams, _compiled], ids=["plain", "compiled"])


def _at(misaligned: int, size: int, dtype: type[np.generic]) -> tuple[Any, Any]:
    """Cleared memory, and an array over it that begins so many bytes after the beginning of a line."""
    item = np.dtype(dtype).itemsize
    memory = np.zeros((size + 1) * item + 3 * LINE, np.uint8)
    start = -memory.ctypes.data % LINE + misaligned
    return memory, memory[start : start + size * item].view(dtype)


def _row(size: int, dtype: type[np.generic]) -> Any:
    """Values that differ from zero, and from their neighbours where the dtype has enough."""
    if dtype is np.bool_:
        return np.ones(size, dtype)
    return (np.arange(size) % 100 + 1).astype(dtype)


@BOTH
@pytest.mark.parametrize("dtype", DTYPES)
def test_row_arrives_wherever_it_begins_and_ends(run: Callable[..., None], dtype: type[np.generic]) -> None:
    """Less than a line, lines and parts of lines: nothing else in memory changes."""
    item = np.dtype(dtype).itemsize
    items = LINE // item
    for misaligned in {0, item, LINE // 2, LINE - item}:
        for length in (0, 1, items - 1, items, items + 1, 2 * items, 3 * items + items // 2):
            size = length + 2
            memory, target = _at(misaligned, size, dtype)
            row = _row(size, dtype)
            run(row, target, 1, 1 + length, 0)
            assert (target[1 : 1 + length] == row[1 : 1 + length]).all()
            target[1 : 1 + length] = 0
            assert not memory.any(), (misaligned, length)


@BOTH
def test_row_between_elements_of_lines_arrives(run: Callable[..., None]) -> None:
    """Its elements begin at addresses that are no multiples of their size."""
    for misaligned in (1, 4, 63):
        _, target = _at(misaligned, 40, np.float64)
        run(_row(40, np.float64), target, 0, 40, 0)
        assert (target == _row(40, np.float64)).all()


@BOTH
@pytest.mark.parametrize(("start", "stop"), [(0, 0), (5, 2), (30, -3)])
def test_nothing_is_stored_for_an_empty_range(run: Callable[..., None], start: int, stop: int) -> None:
    memory, target = _at(8, 40, np.float64)
    run(_row(40, np.float64), target, start, stop, 0)
    assert not memory.any()


@BOTH
def test_indices_count_from_the_origin(run: Callable[..., None]) -> None:
    _, target = _at(0, 40, np.float32)
    run(_row(40, np.float32), target, -3, 30, 5)
    assert target[2:35].tolist() == _row(40, np.float32)[2:35].tolist()
    assert not target[:2].any() and not target[35:].any()


@BOTH
def test_bits_arrive_as_they_are(run: Callable[..., None]) -> None:
    bits = np.array([0x7FF0000000000001, 0xFFF8000000000123, 1 << 63, 1] * 6, np.uint64)
    _, target = _at(8, 24, np.float64)
    run(bits.view(np.float64), target, 0, 24, 0)
    assert (target.view(np.uint64) == bits).all()


def _stream0(array: Any, row: Any, n: Any) -> None:
    stream_unit0(view_unit0(array, 0, 0, 0), view_unit0(row, 0), 0, n, 1, 2)


def _stream1(array: Any, row: Any, n: Any) -> None:
    stream_unit1(view_unit1(array, 0, 0, 0), view_unit0(row, 0), 0, n, 1, 2)


def _stream2(array: Any, row: Any, n: Any) -> None:
    stream_unit2(view_unit2(array, 0, 0, 0), view_unit0(row, 0), 0, n, 1, 2)


@pytest.mark.parametrize("is_compiled", [False, True])
@pytest.mark.parametrize(("function", "unit"), [(_stream0, 0), (_stream1, 1), (_stream2, 2)])
def test_row_may_lie_on_any_axis(function: Callable[..., None], unit: int, is_compiled: bool) -> None:
    run = njit(function) if is_compiled else function
    rows = np.zeros((3, 4, 21))
    array = np.moveaxis(rows, 2, unit)
    run(array, _row(21, np.float64), 21)
    assert (rows[1, 2] == _row(21, np.float64)).all()
    rows[1, 2] = 0.0
    assert not rows.any()


def test_row_of_another_stride_is_not_compiled() -> None:
    def stream(array: Any, row: Any) -> None:
        stream_unit0(view_unit1(array, 0, 0), view_unit0(row, 0), 0, 4, 0)

    with pytest.raises(TypingError, match="stream_unit0"):
        njit(stream)(np.zeros((4, 4)), np.zeros(4))


def _fetch0(array: Any, start: Any, stop: Any, j: Any, k: Any) -> None:
    prefetch_unit0(view_unit0(array, 0, 0, 0), start, stop, j, k)


def _fetch1(array: Any, start: Any, stop: Any, j: Any, k: Any) -> None:
    prefetch_unit1(view_unit1(array, 0, 0, 0), start, stop, j, k)


def _fetch2(array: Any, start: Any, stop: Any, j: Any, k: Any) -> None:
    prefetch_unit2(view_unit2(array, 0, 0, 0), start, stop, j, k)


FETCHES: Final = ((_fetch0, 0), (_fetch1, 1), (_fetch2, 2))


@pytest.mark.parametrize("is_compiled", [False, True])
@pytest.mark.parametrize(("function", "unit"), FETCHES)
@pytest.mark.parametrize("dtype", [np.int8, np.float32, np.float64])
def test_fetched_row_stays_as_it_is(
    function: Callable[..., None], unit: int, dtype: type[np.generic], is_compiled: bool
) -> None:
    run = njit(function) if is_compiled else function
    rows = np.arange(3 * 4 * 21).reshape(3, 4, 21).astype(dtype)
    run(np.moveaxis(rows, 2, unit), 0, 21, 1, 2)
    assert (rows == np.arange(3 * 4 * 21).reshape(3, 4, 21).astype(dtype)).all()


@pytest.mark.parametrize(("function", "unit"), FETCHES)
def test_every_line_of_a_row_is_asked_for(function: Callable[..., None], unit: int) -> None:
    compiled = njit(function)
    compiled(np.moveaxis(np.zeros((3, 4, 21)), 2, unit), 0, 21, 1, 2)
    (text,) = compiled.inspect_llvm().values()
    assert "call void @llvm.prefetch.p0" in text and "i32 0, i32 2, i32 1" in text


_FAR: Final = """
import sys
import numpy as np
from numba import njit
from tests.unit.backends.numba_cpu.test_rows import _fetch0, _streams

array = np.zeros((64, 2, 2), order="F")
fetch = njit(_fetch0)
for places in ((0, 64, 2, 0), (-1000, 0, 0, 0), (0, 1 << 16, -(1 << 40), 1 << 40), (0, 64, 1 << 58, 0)):
    fetch(array, *places)
fetch(array, 50, 3, 0, 0)
assert not array.any()
if sys.argv[1] == "store":
    njit(_streams)(np.zeros(1 << 12), array[:, 0, 0], 1 << 44, (1 << 44) + 64, 0)
"""


def _exit_status(what: str) -> int:
    command = (sys.executable, "-c", _FAR, what)
    root = Path(__file__).parents[4]
    return subprocess.run(command, check=False, capture_output=True, cwd=root).returncode


def test_fetching_beyond_the_array_is_harmless() -> None:
    """Beside it, before it, where the process has no memory at all, where an address overflows."""
    assert _exit_status("fetch") == 0


def test_what_is_beyond_the_array_is_where_stores_would_end_the_process() -> None:
    assert _exit_status("store") < 0

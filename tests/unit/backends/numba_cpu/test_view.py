"""Views: indices relative to the domain, compiled and not."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba import njit

from backends import numba_cpu
from backends.base import Options
from backends.numba_cpu.runtime.view import (
    view,
    view_unit0,
    view_unit0_of_chunk,
    view_unit1,
    view_unit1_of_chunk,
    view_unit2,
)
from iir.parser import from_text
from tests.random_calls import Call
from tests.running import build, run

VIEWS = ((view, "C"), (view, "F"), (view_unit0, "F"), (view_unit2, "C"))


@pytest.mark.parametrize(("make", "order"), VIEWS)
def test_compiled_and_plain_views_find_the_same_elements(make: Callable[..., Any], order: Any) -> None:
    def touch(array: Any, result: Any) -> None:
        own = make(array, 1, 2, 0)
        for i in range(-1, 2):
            for j in range(-2, 1):
                for k in range(2):
                    result[i + 1, j + 2, k] = own[i, j, k]
                    own[i, j, k] = own[i, j, k] + 1.0

    values = np.arange(18.0).reshape(3, 3, 2)
    compiled, plain = (np.array(values, order=order) for _ in range(2))
    results = np.zeros((3, 3, 2)), np.zeros((3, 3, 2))
    njit(touch)(compiled, results[0])
    touch(plain, results[1])
    assert (results[0] == values).all() and (results[1] == values).all()
    assert (compiled == values + 1.0).all() and (plain == values + 1.0).all()


@pytest.mark.parametrize("dtype", [np.bool_, np.int8, np.float32])
def test_elements_keep_their_dtype(dtype: type[np.generic]) -> None:
    @njit
    def copy(source: Any, target: Any) -> None:
        a, b = view(source, 0), view(target, 0)
        for i in range(4):
            b[i] = a[i]

    source, target = np.array([1, 0, 1, 1], dtype), np.zeros(4, dtype)
    copy(source, target)
    assert (target == source).all()


def test_second_axis_may_have_unit_stride() -> None:
    @njit
    def read(array: Any) -> Any:
        return view_unit1(array, 1, 1)[-1, 1]

    assert read(np.arange(12.0).reshape(3, 4)) == 2.0


def test_unaligned_and_reversed_arrays_are_read_right() -> None:
    @njit
    def read(array: Any) -> Any:
        own = view(array, 1)
        return own[-1], own[1]

    record = np.zeros(3, dtype=np.dtype([("flag", np.int8), ("value", np.float64)]))
    record["value"] = [1.0, 2.0, 3.0]
    assert read(record["value"][::-1]) == (3.0, 1.0)


@pytest.mark.parametrize(("view_of_chunk", "unit"), [(view_unit0_of_chunk, 0), (view_unit1_of_chunk, 1)])
def test_chunks_are_apart(view_of_chunk: Any, unit: int) -> None:
    @njit
    def fill(stack: Any) -> None:
        for number in range(2):
            own = view_of_chunk(stack, 0, 1, number)
            own[0, -1] = number + 1.0

    stack = np.moveaxis(np.zeros((2, 2, 2)), (2, 0), (unit, 2))
    fill(stack)
    assert stack[0, 0].tolist() == [1.0, 2.0] and stack.sum() == 3.0
    assert view_of_chunk(stack, 0, 1, 1)[0, -1] == 2.0


def test_chunks_may_be_rows() -> None:
    def fill(rows: Any) -> None:
        for number in range(2):
            own = view_unit0_of_chunk(rows, 1, number)
            own[-1] = number + 1.0

    for fill_rows in (fill, njit(fill)):
        rows = np.zeros((3, 2), order="F")
        fill_rows(rows)
        assert rows[0].tolist() == [1.0, 2.0] and rows.sum() == 3.0


@pytest.mark.parametrize("index", [(-2, 0), (2, 0), (0, -1), (0, 2)])
def test_plain_views_refuse_indices_outside_the_array(index: tuple[int, int]) -> None:
    own = view(np.zeros((3, 2)), 1, 0)
    with pytest.raises(IndexError, match="leaves an array"):
        own[index]
    with pytest.raises(IndexError, match="leaves an array"):
        own[index] = 1.0


def test_uncompiled_kernel_notices_an_access_outside_its_arrays(tmp_path: Path) -> None:
    """The control for all tests that rely on it: here the array is too small, and nobody has checked."""
    text = """stencil s(u: f64[IJK], v: f64[IJK])
  multistage parallel
    stage
      do [start, end)
        v = u[1, 0, 0]
"""
    arrays = {"u": np.zeros((2, 1, 1)), "v": np.zeros((2, 1, 1))}
    origins = dict.fromkeys(arrays, (0, 0, 0))
    call = Call((2, 1, 1), arrays, origins, {}, dict.fromkeys(arrays, "C"))
    ir = from_text(text)
    executable = build(numba_cpu.BACKEND, ir, Options(parallel=False, jit=False), tmp_path)
    with pytest.raises(IndexError, match="leaves an array of shape"):
        run(executable, ir, call)

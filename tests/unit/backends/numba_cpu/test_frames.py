"""What kernels may take of the stack is compared with what they have before each call."""

from pathlib import Path

import numpy as np
import pytest

from backends import numba_cpu, reference
from backends.base import STACK_BUDGET, Options
from backends.numba_cpu.executable import NumbaStencil
from backends.numba_cpu.frames import exceed_budget, frame_bytes
from backends.numba_cpu.interface import Frame, Workspace
from iir.dtypes import DType
from iir.nodes import Stencil
from iir.parser import from_text
from iir.schedule import Axis
from tests.random_calls import Call
from tests.running import assert_same_memory, build, run

LAPLACIANS = """stencil s(u: f64[IJK], v: f64[IJK])
  temporary t: f64[IJK]  @ row
  multistage parallel
    stage
      do [start, end)
        t = u[1, 0, 0] + u[0, 1, 0]
    stage
      do [start, end)
        v = t[0, -1, 0] - t[1, 0, 0]
"""
WIDE = STACK_BUDGET // 8
"""Points of a row that takes all of the budget."""


def _row(sizes: tuple[tuple[Axis | None, int], ...]) -> Workspace:
    return Workspace(DType.FLOAT64, sizes, fastest=0, aligned=0, per_chunk=False)


def _frame(*arrays: Workspace) -> Frame:
    return Frame(arrays, budget=200)


def test_rows_take_whole_lines_and_each_array_one_more() -> None:
    assert frame_bytes(_frame(_row(((Axis.I, 1), (None, 2)))), (8, 1, 1)) == 2 * 128 + 64


def test_arrays_of_one_kernel_are_there_together_and_those_of_others_are_not() -> None:
    small, large = _row(((None, 8),)), _row(((None, 16),))
    assert frame_bytes(_frame(small, large), (1, 1, 1)) == 64 + 64 + 128 + 64
    assert not exceed_budget((_frame(small), _frame(large), _frame()), (1, 1, 1))
    assert exceed_budget((_frame(small), _frame(small, large)), (1, 1, 1))


def test_no_array_is_smaller_than_nothing() -> None:
    assert frame_bytes(_frame(_row(((Axis.K, -3), (None, 2)))), (1, 1, 1)) == 64


def _call(ir: Stencil, width: int) -> Call:
    random = np.random.default_rng(3)
    shape = 2, 5, width + 3
    arrays = {name: random.random(shape).T for name in "uv"}
    return Call((width, 2, 2), arrays, dict.fromkeys(arrays, (1, 1, 0)), {}, dict.fromkeys(arrays, "F"))


@pytest.mark.parametrize(
    ("width", "budget", "is_large"),
    [
        (100, STACK_BUDGET, False),
        (WIDE, STACK_BUDGET, True),
        (WIDE, 4 * STACK_BUDGET, False),
        (100, 1000, True),
        (100, 0, True),
    ],
)
@pytest.mark.parametrize("parallel", [False, True])
def test_temporaries_that_the_budget_has_no_room_for_are_on_the_heap_and_results_the_same(
    width: int, budget: int, is_large: bool, parallel: bool, tmp_path: Path
) -> None:
    ir = from_text(LAPLACIANS)
    actual, expected = _call(ir, width), _call(ir, width)
    options = Options(parallel=parallel, jit=False, stack_budget=budget)
    executable = build(numba_cpu.BACKEND, ir, options, tmp_path)
    assert isinstance(executable, NumbaStencil)
    run(executable, ir, actual)
    run(build(reference.BACKEND, ir, Options(), tmp_path), ir, expected)
    assert_same_memory(actual, expected)
    text = executable.source.text
    assert ("stack_unit0(" in text) is not is_large
    assert ("t_array, " in text.split("def run(")[1]) is is_large


@pytest.mark.parametrize("width", [100, WIDE])
def test_compiled_kernels_have_temporaries_on_the_stack_or_on_the_heap(width: int, tmp_path: Path) -> None:
    ir = from_text(LAPLACIANS)
    actual, expected = _call(ir, width), _call(ir, width)
    run(build(numba_cpu.BACKEND, ir, Options(parallel=False), tmp_path), ir, actual)
    run(build(reference.BACKEND, ir, Options(), tmp_path), ir, expected)
    assert_same_memory(actual, expected)


@pytest.mark.parametrize(
    ("of_stencil", "of_multistage", "is_on_stack"),
    [(STACK_BUDGET, 0, False), (0, STACK_BUDGET, True), (STACK_BUDGET, 1000, False), (0, None, False)],
)
def test_budget_of_a_multistage_wins_over_that_of_its_stencil(
    of_stencil: int, of_multistage: int | None, is_on_stack: bool, tmp_path: Path
) -> None:
    own = "" if of_multistage is None else f"  @ parallel(k) stack({of_multistage})"
    ir = from_text(LAPLACIANS.replace("multistage parallel", f"multistage parallel{own}"))
    actual, expected = _call(ir, 200), _call(ir, 200)
    options = Options(parallel=False, jit=False, stack_budget=of_stencil)
    executable = build(numba_cpu.BACKEND, ir, options, tmp_path)
    assert isinstance(executable, NumbaStencil)
    run(executable, ir, actual)
    run(build(reference.BACKEND, ir, Options(), tmp_path), ir, expected)
    assert_same_memory(actual, expected)
    assert ("stack_unit0(" in executable.source.text) is is_on_stack

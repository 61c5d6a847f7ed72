"""Arrays in the stack frame of a kernel."""

import re
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba import njit

from backends.loopnest.expressions import Affine, Load
from backends.loopnest.nodes import ArrayParameter, Function, IndexParameter, Memory, Store
from backends.loopnest.stack_arrays import stack_arrays
from backends.loopnest.stack_rules import Rule
from backends.numba_cpu.runtime import stack
from backends.numba_cpu.runtime.view import view_unit0, view_unit1
from iir.dtypes import DType
from tests.unit.backends.loopnest.arrays import allocate, free, let, loop, store, view
from tests.unit.backends.loopnest.compiled import written


def test_array_of_constant_size_is_in_the_entry_block() -> None:
    @njit
    def kernel(n: Any) -> Any:
        total = 0.0
        for k in range(n):
            scratch = view_unit0(stack.stack_unit0(np.float64, 0, 512), 0)
            for i in range(512):
                scratch[i] = i * k
            total += scratch[(7 * k) % 512]
        return total

    assert kernel(100) == sum((7 * k) % 512 * k for k in range(100))
    (text,) = kernel.inspect_llvm().values()
    found = re.findall(r"alloca [^\n]*", text)
    assert [line for line in found if "4160 x i8" in line]
    assert all("i64 %" not in line for line in found), "no allocation is dynamic"


def test_array_of_constant_size_keeps_its_place_from_iteration_to_iteration() -> None:
    @njit
    def kernel(n: Any) -> Any:
        total = 0.0
        for i in range(n):
            scratch = view_unit0(stack.stack_unit0(np.float64, 0, 512), 0)
            if i == 0:
                scratch[7] = 1.0
            total += scratch[7]
        return total

    assert kernel(10) == 10.0


@pytest.mark.parametrize("aligned", [-1, 0, 3])
def test_rows_begin_where_their_aligned_element_begins_a_line(aligned: int) -> None:
    @njit
    def kernel(ni: Any, nk: Any, aligned: Any) -> Any:
        array = stack.stack_unit1(np.float64, aligned, nk, ni)
        rows = view_unit1(array, 0, 0)
        for k in range(nk):
            for i in range(ni):
                rows[k, i] = 10 * k + i
        total = 0.0
        for k in range(nk):
            for i in range(ni):
                total += rows[k, i] * (k + 1)
        return total

    assert kernel(9, 4, aligned) == sum((10 * k + i) * (k + 1) for k in range(4) for i in range(9))


def test_size_below_nothing_takes_no_stack() -> None:
    @njit
    def kernel(n: Any) -> Any:
        before = view_unit0(stack.stack_unit0(np.float64, 0, 4), 0)
        before[3] = 5.0
        for _ in range(3):
            stack.stack_unit0(np.float64, 0, n - 100_000)
        after = view_unit0(stack.stack_unit0(np.float64, 0, n + 4), 0)
        after[0] = 1.0
        return before[3] + after[0]

    assert kernel(0) == 6.0
    assert stack.stack_unit0(np.float64, 0, -1).size == 0


def _iterations(memory: Memory) -> Function:
    """Each of *n* iterations has a scratch array of *m* elements, of which it uses the last one."""
    last = Affine("length", -1)
    body = (
        let("length", "m"),
        replace(allocate("scratch_array", "length"), memory=memory),
        view("scratch_array", 0),
        Store("scratch", (last,), Load("u", (Affine("k"),), DType.FLOAT64)),
        # As far as compilers know, this may be the same element: it takes memory to find out.
        store("scratch", "zero"),
        Store("u", (Affine("k"),), Load("scratch", (last,), DType.FLOAT64)),
        free("scratch_array"),
    )
    names = (IndexParameter("n"), IndexParameter("m"), IndexParameter("zero"))
    parameters = ArrayParameter("u_array", DType.FLOAT64, 1), *names
    return Function("f", parameters, (view("u_array", 0), loop("k", *body, stop=Affine("n"))))


_RUN = """
import sys
from pathlib import Path
import numpy as np
from backends.numba_cpu.module_file import import_module_file
u = np.arange(100_000.0)
import_module_file(Path(sys.argv[1])).f(u, len(u), 2**20 // 8, 0)
assert (u == np.arange(100_000.0)).all()
"""


def _exit_status(function: Function, folder: Path) -> int:
    command = (sys.executable, "-c", _RUN, str(written(function, folder)))
    return subprocess.run(command, capture_output=True, check=False).returncode


def test_many_iterations_with_an_array_of_their_own_do_not_let_the_stack_grow(tmp_path: Path) -> None:
    stacked = stack_arrays(_iterations(Memory.HEAP))
    assert stacked.rules == {"scratch_array": Rule.SAVED_AND_RESTORED}
    assert _exit_status(stacked.function, tmp_path) == 0


def test_they_would_if_they_did_not_give_it_back(tmp_path: Path) -> None:
    assert _exit_status(_iterations(Memory.STACK), tmp_path) == -signal.SIGSEGV

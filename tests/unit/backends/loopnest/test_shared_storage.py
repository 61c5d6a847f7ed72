"""Temporaries that live one after another have the same memory."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from backends import numba_cpu, reference
from backends.base import Options
from backends.loopnest.heap_arguments import workspace_parameter
from backends.loopnest.nodes import Allocate, Free, Function, Invoke, Program, Step
from backends.loopnest.shared_storage import share_storage
from iir.dtypes import DType
from iir.parser import from_text
from tests.random_calls import Call
from tests.running import assert_same_memory, build, run
from tests.unit.backends.loopnest.lowered import lowered

CHAIN = """stencil s(u: f64[IJK], v: f64[IJK])
  temporary a: f64[IJK]  @ field
  temporary b: f64[IJK]  @ field
  temporary c: f64[IJK]  @ field
  multistage parallel
    stage
      do [start, end)
        a = u * u
  multistage parallel
    stage
      do [start, end)
        b = a - 1.0
  multistage parallel
    stage
      do [start, end)
        c = 3.0 * b
  multistage parallel
    stage
      do [start, end)
        v = c + u
"""
A, B, C = (Allocate(name, DType.FLOAT64, (), fastest=0) for name in "abc")


def _program(*kernels: tuple[Allocate, ...]) -> Program:
    """A driver of kernels that use some arrays; each lives from its first use to its last."""
    body: list[Step] = []
    for number, used in enumerate(kernels):
        before = {item for other in kernels[:number] for item in other}
        after = {item for other in kernels[number + 1 :] for item in other}
        body += [item for item in used if item not in before]
        body.append(Invoke(f"kernel{number}", tuple(item.array for item in used)))
        body += [Free(item.array) for item in used if item not in after]
    workspaces = tuple({item: None for used in kernels for item in used})
    driver = Function("run", tuple(map(workspace_parameter, workspaces)), tuple(body))
    return replace(lowered(CHAIN), serial=driver, parallel=None, workspaces=workspaces)


def _arguments(program: Program) -> list[tuple[object, ...]]:
    return [step.arguments for step in share_storage(program).serial.body if isinstance(step, Invoke)]


def test_array_has_the_memory_of_an_equal_one_that_is_freed_before() -> None:
    program = _program((A,), (A, B), (B, C), (C,))
    assert _arguments(program) == [("a",), ("a", "b"), ("b", "a"), ("a",)]
    shared = share_storage(program)
    assert shared.workspaces == (A, B)
    assert [item.name for item in shared.serial.parameters] == ["a", "b"]


def test_arrays_of_one_kernel_have_memory_of_their_own() -> None:
    program = _program((A, B), (B, C), (A, C))
    assert share_storage(program) is program


@pytest.mark.parametrize(
    "other",
    [
        replace(B, dtype=DType.FLOAT32),
        replace(B, per_chunk=True),
        replace(B, aligned=1),
        replace(B, must_be_heap=True),
        replace(B, escapes=True),
    ],
)
def test_arrays_of_different_kinds_and_those_that_others_see_share_nothing(other: Allocate) -> None:
    for program in (_program((A,), (other,)), _program((other,), (A,))):
        assert share_storage(program) is program


def test_memory_is_passed_on_more_than_once() -> None:
    assert _arguments(_program((A,), (B,), (C,))) == [("a",), ("a",), ("a",)]


@pytest.mark.parametrize("parallel", [False, True])
def test_results_are_those_of_arrays_with_their_own_memory(parallel: bool, tmp_path: Path) -> None:
    ir = from_text(CHAIN)
    program = lowered(CHAIN)
    assert [item.array for item in program.workspaces] == ["a_array", "b_array"]
    calls = []
    for backend in (numba_cpu.BACKEND, reference.BACKEND):
        random = np.random.default_rng(5)
        arrays = {name: random.random((3, 4, 5)).T for name in "uv"}
        call = Call((5, 4, 3), arrays, dict.fromkeys(arrays, (0, 0, 0)), {}, dict.fromkeys(arrays, "F"))
        run(build(backend, ir, Options(parallel=parallel, jit=False), tmp_path), ir, call)
        calls.append(call)
    assert_same_memory(*calls)

"""Each rule of the loop program, broken once."""

from dataclasses import replace

import pytest

from backends.loopnest.expressions import Affine, Literal, Load
from backends.loopnest.nodes import (
    Allocate,
    Free,
    Function,
    Invoke,
    LaneAllocate,
    Let,
    Loop,
    LoopKind,
    MakeView,
    Memory,
    Program,
    RestoreStack,
    SaveStack,
    Step,
    Store,
    Within,
)
from backends.loopnest.verifier import verify
from iir.diagnostics import InvalidIIRError
from iir.dtypes import DType
from tests.unit.backends.loopnest.arrays import allocate, loop, view
from tests.unit.backends.loopnest.lowered import lowered

TEXT = """stencil s(u: f64[IJK], v: f64[IJK])
  temporary t: f64[IJK]
  multistage parallel
    stage
      do [start, end)
        t = u
    stage
      do [start, end)
        v = t[1, 0, 0]
"""
ZERO = Affine(None, 0)


@pytest.fixture
def program() -> Program:
    """With a temporary of a kernel."""
    return lowered(TEXT)


@pytest.fixture
def with_workspace() -> Program:
    """With a temporary that the caller provides."""
    return lowered(TEXT.replace("t: f64[IJK]", "t: f64[IJK]  @ field"))


def _assert_refused(program: Program, rule: str) -> None:
    with pytest.raises(InvalidIIRError, match=rule):
        verify(program)


def _with_kernel(program: Program, function: Function) -> Program:
    return replace(program, kernels=(function, *program.kernels[1:]))


def _with_step(program: Program, *steps: Step) -> Program:
    (kernel,) = program.kernels
    return _with_kernel(program, replace(kernel, body=(*kernel.body, *steps)))


def test_lowered_program_is_accepted(program: Program) -> None:
    assert verify(program) is program


def test_functions_have_different_names(program: Program) -> None:
    _assert_refused(replace(program, kernels=program.kernels * 2), "'s_0' is defined 2 times")


def test_parameters_have_different_names(program: Program) -> None:
    (kernel,) = program.kernels
    function = replace(kernel, parameters=(*kernel.parameters, kernel.parameters[0]))
    _assert_refused(_with_kernel(program, function), "Parameter 'u_array' occurs 2 times")


def test_names_are_defined_before_they_are_used(program: Program) -> None:
    loop = Loop("i", Affine("unknown"), ZERO, ())
    _assert_refused(_with_step(program, loop), "'unknown' is used but not defined")


def test_index_of_a_loop_ends_with_it(program: Program) -> None:
    store = Store("u", (Affine("i"), ZERO, ZERO), Literal(0.0, DType.FLOAT64))
    _assert_refused(_with_step(program, store), "'i' is used but not defined")


def test_only_views_are_indexed(program: Program) -> None:
    let = Let("x", Load("ni", (ZERO,), DType.FLOAT64))
    _assert_refused(_with_step(program, let), "'ni' is indexed but is no view")


def test_views_have_as_many_indices_as_axes(program: Program) -> None:
    let = Let("x", Load("u", (ZERO, ZERO), DType.FLOAT64))
    _assert_refused(_with_step(program, let), "'u' has 3 axes and 2 indices")


def test_an_array_has_one_view(program: Program) -> None:
    view = MakeView("w", "u_array", (ZERO,) * 3, DType.FLOAT64, unit=0)
    _assert_refused(_with_step(program, view), "'u_array' has more than one view")


def test_views_fit_their_array(program: Program) -> None:
    view = next(step for step in program.kernels[0].body if isinstance(step, MakeView) and step.name == "u")
    body = tuple(replace(s, origin=(ZERO,)) if s is view else s for s in program.kernels[0].body)
    function = replace(program.kernels[0], body=body)
    _assert_refused(_with_kernel(program, function), "'u' does not fit the axes of its array")


def test_array_arguments_do_not_overlap(program: Program) -> None:
    body = tuple(_with_same_arrays(step) for step in program.serial.body)
    _assert_refused(replace(program, serial=replace(program.serial, body=body)), "must not overlap")


def _with_same_arrays(step: Step) -> Step:
    if isinstance(step, Invoke):
        return replace(step, arguments=(step.arguments[0], step.arguments[0], *step.arguments[2:]))
    return step


def test_workspaces_are_freed(with_workspace: Program) -> None:
    body = tuple(step for step in with_workspace.serial.body if not isinstance(step, Free))
    _assert_refused(_with_serial(with_workspace, body), "'t_array' is never freed")


def test_workspaces_are_allocated_before_they_are_freed(with_workspace: Program) -> None:
    body = tuple(step for step in with_workspace.serial.body if not isinstance(step, Allocate))
    _assert_refused(_with_serial(with_workspace, body), "freed but not allocated")


def test_workspaces_are_not_used_after_their_end(with_workspace: Program) -> None:
    body = with_workspace.serial.body
    again = (step for step in body if isinstance(step, Invoke))
    _assert_refused(_with_serial(with_workspace, (*body, *again)), "after its end")


def _with_serial(program: Program, body: tuple[Step, ...]) -> Program:
    return replace(program, serial=replace(program.serial, body=body))


def test_kernels_exist_and_get_all_arguments(program: Program) -> None:
    unknown = replace(program.serial, body=(*program.serial.body, Invoke("unknown", ())))
    _assert_refused(replace(program, serial=unknown), "There is no kernel 'unknown'")
    few = replace(program.serial, body=(*program.serial.body, Invoke("s_0", ())))
    _assert_refused(replace(program, serial=few), "wrong number of arguments")


def test_shared_loops_are_not_nested(program: Program) -> None:
    inner = Loop("n", ZERO, ZERO, (), LoopKind.PARALLEL)
    _assert_refused(
        _with_step(program, Loop("m", ZERO, ZERO, (inner,), LoopKind.PARALLEL)), "stands in another"
    )


def test_kernels_have_no_array_on_the_heap(program: Program) -> None:
    _assert_refused(_with_step(program, allocate("x", 4)), "'x' is allocated on the heap in 's_0'")


def test_arrays_on_the_stack_may_have_several_views(program: Program) -> None:
    views = view("x_array", 0), replace(view("x_array", 2), name="y")
    assert verify(_with_step(program, _on_stack("x_array", 4), *views))


def test_lane_scratch_is_given_to_lanes(program: Program) -> None:
    step = LaneAllocate("x", DType.FLOAT64, (ZERO,), lanes=4)
    _assert_refused(_with_step(program, step), "Lane scratch 'x' has not been given to its lanes")


@pytest.mark.parametrize("kind", [LoopKind.LANES, LoopKind.PARALLEL])
def test_iterations_that_run_side_by_side_do_not_share_an_array(program: Program, kind: LoopKind) -> None:
    step = loop("m", Within("m", ZERO, ZERO, (_on_stack("x", 4),)), kind=kind)
    _assert_refused(_with_step(program, step), "Iterations over 'm' may run side by side and share an array")


def test_no_loop_lets_the_stack_grow(program: Program) -> None:
    dynamic, message = _on_stack("x", "ni"), "Each iteration of a loop puts 'x' on the stack"
    assert verify(_with_step(program, dynamic))
    assert verify(_with_step(program, loop("m", _on_stack("x", 4))))
    _assert_refused(_with_step(program, loop("m", Within("m", ZERO, ZERO, (dynamic,)))), message)
    scope = SaveStack("s"), dynamic, RestoreStack("s")
    assert verify(_with_step(program, loop("m", *scope)))
    _assert_refused(_with_step(program, SaveStack("s"), loop("m", dynamic), RestoreStack("s")), message)


def test_stack_is_restored_to_what_was_last_saved(program: Program) -> None:
    message = "The stack is restored to 's', which is not what was last saved"
    _assert_refused(_with_step(program, RestoreStack("s")), message)
    crossed = SaveStack("s"), SaveStack("t"), RestoreStack("s"), RestoreStack("t")
    _assert_refused(_with_step(program, *crossed), message)
    _assert_refused(_with_step(program, SaveStack("s")), "'s' is saved and not restored")


def _on_stack(array: str, *sizes: int | str) -> Allocate:
    return replace(allocate(array, *sizes), memory=Memory.STACK)

"""Each lane of a loop has scratch memory for itself."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from textwrap import dedent
from typing import Any

import numpy as np
import pytest

from backends.base import Options
from backends.loopnest.expressions import Affine, Conversion, Least, Load, Slot, Variable
from backends.loopnest.inlining import inline_calls
from backends.loopnest.lane_buffers import block_length
from backends.loopnest.lane_scratch import privatise_lanes
from backends.loopnest.nodes import (
    Allocate,
    ArrayParameter,
    Comment,
    Function,
    IndexParameter,
    Invoke,
    LaneAllocate,
    Loop,
    LoopKind,
    Return,
    Step,
    Store,
    Within,
)
from backends.loopnest.stack_arrays import stack_arrays
from backends.loopnest.stack_policy import StackPolicy
from backends.loopnest.stack_rules import Rule
from backends.loopnest.steps import all_steps
from iir.dtypes import DType
from tests.unit.backends.loopnest.arrays import (
    ZERO,
    allocate,
    body_text,
    branch,
    free,
    function,
    let,
    loop,
    size,
    store,
    view,
)
from tests.unit.backends.loopnest.compiled import compiled

LANES = LoopKind.LANES


def scratch(anchor: str, *sizes: int | str, lanes: int = 4) -> LaneAllocate:
    return LaneAllocate(anchor, DType.FLOAT64, tuple(map(size, sizes)), lanes)


def lanes_loop(*steps: Step, start: Affine = ZERO, lanes: int = 4) -> Loop:
    stop = Least((replace(start, offset=start.offset + lanes), Affine("n")))
    return Loop("i", start, stop, steps, LANES)


def _private(*steps: Step) -> str:
    return body_text(privatise_lanes(function(*steps)))


def _expect(actual: str, expected: str) -> None:
    assert actual == dedent(expected).strip("\n")


def _arrays(function: Function) -> list[Allocate]:
    return [step for step in all_steps(function.body) if isinstance(step, Allocate)]


def test_interleaved_scratch_has_the_lanes_side_by_side() -> None:
    use = loop("q", store("t", "q")), store("t", 2)
    _expect(
        _private(
            loop("strip", lanes_loop(scratch("t_array", 3), view("t_array", 0), *use, start=size("strip")))
        ),
        """
        allocate t_array: f64 4 x 3, unit stride on axis 0 on the heap
        serial strip in [0, 3)
            lanes i in [strip, min(strip + 4, n))
                t = view of t_array at [-strip, 0], unit stride on axis 0
                serial q in [0, 3)
                    t[i, q] = 1.0:f64
                t[i, 2] = 1.0:f64
        free t_array
        """,
    )


def strip_scratch(*sizes: int | str, lanes: int = 4) -> LaneAllocate:
    return replace(scratch("t_array", *sizes, lanes=lanes), first=Affine("strip"))


def _strip(step: LaneAllocate, *before: Step) -> tuple[Step, ...]:
    """One loop over the lanes of a strip leaves *step* to the next one."""
    first, second = (lanes_loop(use, start=size("strip")) for use in (store("t", 0), store("t", "k")))
    return (loop("strip", *before, step, view("t_array", 1), loop("k", first), loop("k", second)),)


def test_loops_over_the_lanes_of_a_strip_leave_scratch_to_each_other() -> None:
    assert str(strip_scratch("m")) == "allocate t_array: f64 m for each of 4 lanes from strip"
    _expect(
        _private(*_strip(strip_scratch("m"))),
        """
        allocate t_array: f64 4 x m, unit stride on axis 0 on the heap
        serial strip in [0, 3)
            t = view of t_array at [-strip, 1], unit stride on axis 0
            serial k in [0, 3)
                lanes i in [strip, min(strip + 4, n))
                    t[i, 0] = 1.0:f64
            serial k in [0, 3)
                lanes i in [strip, min(strip + 4, n))
                    t[i, k] = 1.0:f64
        free t_array
        """,
    )


def test_lanes_of_a_strip_are_never_used_in_turn_and_not_rounded() -> None:
    (array,) = _arrays(privatise_lanes(function(*_strip(strip_scratch("m", lanes=6)))))
    assert array.sizes == (Affine(None, 6), Affine("m"))


def test_one_number_that_is_left_to_the_next_loop_over_lanes_is_no_variable() -> None:
    for step in (strip_scratch(), strip_scratch(1)):
        steps = step, view("t_array", *([0] * len(step.sizes)))
        (array,) = _arrays(privatise_lanes(function(loop("strip", *steps))))
        assert array.sizes == (Affine(None, 4), *step.sizes)


def test_strip_scratch_of_a_size_that_the_strip_tells_is_allocated_there() -> None:
    private = privatise_lanes(function(*_strip(strip_scratch("x"), let("x", "strip"))))
    begin = ["serial strip in [0, 3)", "    x = strip", f"    {_arrays(private)[0]}"]
    assert body_text(private).splitlines()[:3] == begin
    assert [item.sizes for item in _arrays(private)] == [(Affine(None, 4), Affine("x"))]
    assert stack_arrays(private).rules == {"t_array": Rule.SAVED_AND_RESTORED}


def test_scratch_that_must_be_on_the_heap_is_no_variable_and_stays_there() -> None:
    step = replace(scratch("t_array", 1), must_be_heap=True)
    private = privatise_lanes(function(lanes_loop(step, view("t_array", 0), store("t", 0))))
    assert stack_arrays(private).rules == {"t_array": Rule.MUST_BE_HEAP}


def test_scratch_belongs_to_the_lanes_that_it_stands_in_not_to_those_inside() -> None:
    inner = loop("p", store("t", 2), kind=LANES)
    _expect(
        _private(lanes_loop(scratch("t_array", 3), view("t_array", 0), inner, start=Affine("m", 1))),
        """
        allocate t_array: f64 4 x 3, unit stride on axis 0 on the heap
        lanes i in [m + 1, min(m + 5, n))
            t = view of t_array at [-m - 1, 0], unit stride on axis 0
            lanes p in [0, 3)
                t[i, 2] = 1.0:f64
        free t_array
        """,
    )


def test_lanes_around_lanes_that_have_scratch_become_serial() -> None:
    inner = lanes_loop(scratch("t_array", 3), view("t_array", 0), store("t", 2))
    remark = "# Serial: loops over lanes inside have one 't_array' for all iterations."
    expected = [remark, "serial p in [0, 3)", "    lanes i in [0, min(4, n))"]
    assert _private(loop("p", inner, kind=LANES)).splitlines()[1:4] == expected
    around = _private(loop("p", *_strip(strip_scratch(3)), kind=LANES)).splitlines()
    assert around[1:4] == [remark, "serial p in [0, 3)", "    serial strip in [0, 3)"]


def test_lanes_inside_those_of_a_strip_use_what_these_have() -> None:
    inner = lanes_loop(loop("p", store("t", 2), kind=LANES), start=size("strip"))
    private = _private(loop("strip", strip_scratch(3), view("t_array", 0), inner))
    assert "t[i, 2] = 1.0:f64" in private
    assert "Serial" not in private


def test_way_out_before_an_ordinary_array_is_allocated_does_not_free_it() -> None:
    _expect(
        _private(loop("k", branch(Return()), scratch("t_array", "k"), view("t_array", 0), branch(Return()))),
        """
        serial k in [0, 3)
            if True:bool
                return
            allocate t_array: f64 k, unit stride on axis 0 on the heap
            t = view of t_array at [0], unit stride on axis 0
            if True:bool
                free t_array
                return
            free t_array
        """,
    )


def test_lanes_may_begin_at_a_difference() -> None:
    steps = scratch("t_array", 3), view("t_array", 0), store("t", 2)
    lanes = Loop("i", Affine("m", 2, -1), Affine("m", 5, -1), steps, LANES)
    assert "t = view of t_array at [m - 2, 0]" in _private(lanes)


def test_loop_of_more_iterations_uses_the_lanes_in_turn() -> None:
    more = loop("i", scratch("t_array", 3), view("t_array", 0), store("t", 2), stop=Affine("n"), kind=LANES)
    (made,) = (step for step in all_steps(privatise_lanes(function(more)).body) if isinstance(step, Store))
    assert made.index == (Slot(Affine("i"), 4), Affine(None, 2))


def test_lanes_are_rounded_up_so_that_they_can_be_used_in_turn() -> None:
    (array,) = _arrays(privatise_lanes(function(lanes_loop(scratch("t_array", 3, lanes=6), lanes=6))))
    assert array.sizes == (Affine(None, 8), Affine(None, 3))


def test_buffer_is_in_the_frame_once_and_its_lanes_count_in_the_budget() -> None:
    steps = loop("k", lanes_loop(scratch("t_array", 100), view("t_array", 0), store("t", 7)))
    private = privatise_lanes(function(steps))
    fits, exceeds = (stack_arrays(private, StackPolicy(budget=8 * 4 * 100 - less)) for less in (0, 1))
    assert fits.rules == {"t_array": Rule.CONSTANT_SIZE}
    assert fits.function.body[0] == replace(_arrays(private)[0], memory=_arrays(fits.function)[0].memory)
    assert exceeds.rules == {"t_array": Rule.OVER_BUDGET}


def test_size_may_be_an_argument() -> None:
    assert _private(lanes_loop(scratch("t_array", "m"))).startswith("allocate t_array: f64 4 x m,")


def test_blocks_of_lanes_are_aligned() -> None:
    """20 bytes on multiples of 16, for 4 lanes: 128 bytes, blocks begin at 0, 32, 64 and 96."""
    assert block_length(20, 16, item=4) * 4 == 32
    handed = LaneAllocate("t_array", DType.INT32, (size(5),), lanes=4, align=16, is_handed_out=True)
    assert str(handed) == "allocate t_array: i32 5 for each of 4 lanes, in blocks on multiples of 16 bytes"
    steps = lanes_loop(handed, view("t_array", 0), store("t", 2), start=Affine("m", 1))
    private = privatise_lanes(function(steps))
    (array,) = _arrays(private)
    assert [item.offset * 4 for item in array.sizes] == [128]
    _expect(
        body_text(private),
        """
        allocate t_array: i32 32, unit stride on axis 0 on the heap
        lanes i in [m + 1, min(m + 5, n))
            t_block = ((i - (1:i64 + m)) * 8:i64)
            t = view of t_array at [t_block], unit stride on axis 0
            t[2] = 1.0:f64
        free t_array
        """,
    )


def test_block_is_no_shorter_than_an_element() -> None:
    assert block_length(12, 1, item=4) == 3
    assert block_length(20, 2, item=8) == 3


def test_scratch_of_one_element_is_a_variable() -> None:
    load = Load("t", (ZERO,), DType.FLOAT64)
    use = store("t", 0), branch(Store("t", (ZERO,), load)), Store("u", (Affine("i"),), load)
    _expect(
        _private(lanes_loop(scratch("t_array", 1), view("t_array", 0), *use)),
        """
        lanes i in [0, min(4, n))
            t = 1.0:f64
            if True:bool
                t = t
            u[i] = t
        """,
    )


@pytest.mark.parametrize(
    "step",
    [
        replace(scratch("t_array", 1), is_handed_out=True),
        scratch("t_array", 2),
        scratch("t_array", "m"),
    ],
)
def test_scratch_that_others_index_or_of_more_elements_is_no_variable(step: LaneAllocate) -> None:
    assert _arrays(privatise_lanes(function(lanes_loop(step, view("t_array", 0), store("t", 0)))))


def test_scratch_of_one_element_that_is_indexed_is_no_variable() -> None:
    assert _arrays(privatise_lanes(function(lanes_loop(scratch("t", 1), view("t", 0), store("t", "i")))))


def test_scratch_outside_of_lanes_is_an_ordinary_array() -> None:
    steps = scratch("t_array", "k"), view("t_array", 0), store("t", 2), let("x")
    _expect(
        _private(loop("k", *steps)),
        """
        serial k in [0, 3)
            allocate t_array: f64 k, unit stride on axis 0 on the heap
            t = view of t_array at [0], unit stride on axis 0
            t[2] = 1.0:f64
            x = 1:i64
            free t_array
        """,
    )


def test_shared_scratch_makes_the_loop_serial_and_a_remark_says_why() -> None:
    """A size that each lane finds out by itself leaves no way to allocate all of them at once."""
    private = privatise_lanes(function(lanes_loop(let("x", "i"), scratch("t_array", "x"))))
    _expect(
        body_text(private),
        """
        # Serial: only each lane can tell how large its 't_array' is.
        serial i in [0, min(4, n))
            x = i
            allocate t_array: f64 x, unit stride on axis 0 on the heap
            free t_array
        """,
    )
    assert stack_arrays(private).rules == {"t_array": Rule.SAVED_AND_RESTORED}


def test_ordinary_array_in_a_loop_over_lanes_is_refused() -> None:
    """The stack-arrays pass would move it out of the loop."""
    steps = lanes_loop(allocate("t_array", 3), free("t_array"))
    with pytest.raises(AssertionError, match="'t_array' would be one array for all lanes"):
        privatise_lanes(function(steps))


def test_loop_that_shares_nothing_stays_parallel_and_has_no_remark() -> None:
    steps = privatise_lanes(function(lanes_loop(scratch("t_array", 3)))).body
    assert not any(isinstance(step, Comment) for step in steps)
    assert [step.kind for step in steps if isinstance(step, Loop)] == [LANES]


def test_vector_body_and_remainder_share_the_widest_buffer() -> None:
    vector = lanes_loop(scratch("t_array", 3, lanes=8), view("t_array", 0), store("t", 1), lanes=8)
    rest = replace(vector, body=(scratch("t_array", 3, lanes=1), *vector.body[1:]), start=Affine("m"))
    private = privatise_lanes(function(rest, vector))
    (array,) = _arrays(private)
    assert array.sizes == (Affine(None, 8), Affine(None, 3))


def test_unrolling_does_not_multiply_the_buffer() -> None:
    once = scratch("t_array", 3), view("t_array", 0), store("t", 1)
    assert _arrays(privatise_lanes(function(lanes_loop(*once, *once)))) == _arrays(
        privatise_lanes(function(lanes_loop(*once)))
    )


def test_unrolling_does_not_multiply_ordinary_arrays() -> None:
    once = scratch("t_array", "k"), view("t_array", 0), store("t", 1)
    assert len(_arrays(privatise_lanes(function(loop("k", *once, *once))))) == 1


def test_two_equal_pieces_of_scratch_are_not_merged() -> None:
    private = privatise_lanes(function(lanes_loop(scratch("s_array", 3), scratch("t_array", 3))))
    s, t = _arrays(private)
    assert {s.array, t.array} == {"s_array", "t_array"}
    assert stack_arrays(private).rules == dict.fromkeys(("t_array", "s_array"), Rule.CONSTANT_SIZE)


KERNEL = Function(
    "kernel",
    (ArrayParameter("u_array", DType.FLOAT64, 1), IndexParameter("n"), IndexParameter("at")),
    (
        view("u_array", 0),
        allocate("t_array", 5),
        view("t_array", 0),
        loop("q", Store("t", (Affine("q"),), Load("u", (Affine("at", 1),), DType.FLOAT64))),
        free("t_array"),
    ),
)


def _caller(*steps: Step) -> Function:
    return Function("f", (ArrayParameter("v_array", DType.FLOAT64, 1), IndexParameter("n")), steps)


def test_inlining_into_lanes_gives_each_of_them_the_arrays_of_the_kernel() -> None:
    call = Invoke("kernel", ("v_array", Affine("n"), Affine("i", 2)))
    inlined = inline_calls(_caller(lanes_loop(call)), {"kernel": KERNEL}, lanes=4)
    _expect(
        body_text(inlined),
        """
        lanes i in [0, min(4, n))
            u = view of v_array at [0], unit stride on axis 0
            allocate t_array: f64 5 for each of 4 lanes
            t = view of t_array at [0], unit stride on axis 0
            serial q in [0, 3)
                t[q] = u[i + 3]
        """,
    )


def test_inlining_elsewhere_leaves_arrays_as_they_are() -> None:
    call = Invoke("kernel", ("v_array", Affine("n"), ZERO))
    inlined = inline_calls(_caller(loop("i", call)), {"kernel": KERNEL}, lanes=4)
    assert _arrays(inlined) == [allocate("t_array", 5)]
    assert free("t_array") in tuple(all_steps(inlined.body))


def test_names_of_an_inlined_kernel_do_not_meet_those_of_its_caller() -> None:
    call = Invoke("kernel", ("v_array", Affine("n"), ZERO))
    inlined = inline_calls(_caller(let("t"), call, call), {"kernel": KERNEL}, lanes=4)
    assert [item.array for item in _arrays(inlined)] == ["t_array", "t_array_"]
    assert "t_ = view of t_array" in body_text(inlined)
    assert "t__ = view of t_array_" in body_text(inlined)


def test_arguments_that_are_no_sums_and_memory_that_others_see_keep_a_call() -> None:
    least = Invoke("kernel", ("v_array", Affine("n"), Least((ZERO, Affine("n")))))
    assert inline_calls(_caller(least), {"kernel": KERNEL}, lanes=4) == _caller(least)
    visible = replace(KERNEL, body=(allocate("t_array", 5, must_be_heap=True), free("t_array")))
    call = Invoke("kernel", ("v_array", Affine("n"), ZERO))
    assert inline_calls(_caller(call), {"kernel": visible}, lanes=4) == _caller(call)


def test_parameter_that_is_compared_with_a_range_gets_a_name() -> None:
    inside = Within("at", ZERO, Affine("n"), (let("x", "at"),))
    kernel = replace(KERNEL, body=(inside,))
    inlined = inline_calls(_caller(Invoke("kernel", ("v_array", "n", Affine("n", 2)))), {"kernel": kernel}, 4)
    _expect(
        body_text(inlined),
        """
        at = (2:i64 + n)
        if at in [0, n)
            x = at
        """,
    )


def test_kernel_whose_lanes_need_memory_on_the_heap_stays_a_call() -> None:
    step = replace(scratch("t_array", 3), must_be_heap=True)
    call = Invoke("kernel", ("v_array", Affine("n"), ZERO))
    kernel = replace(KERNEL, body=(lanes_loop(step),))
    assert inline_calls(_caller(call), {"kernel": kernel}, lanes=4) == _caller(call)


def _reversing(step: LaneAllocate, count: int) -> Function:
    """Each lane fills its scratch with numbers of its own and reads it backwards into a row."""
    value = Conversion(Variable("i", DType.INT64), DType.FLOAT64)
    body = (
        step,
        view("t_array", 0),
        loop("q", Store("t", (Affine("q"),), value), stop=count),
        loop(
            "q",
            Store("u", (Affine("i"), Affine("q")), Load("t", (Affine("q", count - 1, -1),), step.dtype)),
            stop=count,
        ),
    )
    parameters = ArrayParameter("u_array", DType.FLOAT64, 2), IndexParameter("n")
    return Function("f", parameters, (view("u_array", 0, 0), loop("i", *body, stop=Affine("n"), kind=LANES)))


FORMS = {
    "interleaved": scratch("t_array", 512, lanes=8),
    "blocked": replace(scratch("t_array", 512, lanes=8), align=64, is_handed_out=True),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("jit", [False, True])
def test_every_lane_reads_what_it_has_stored(form: str, jit: bool, tmp_path: Path) -> None:
    stacked = stack_arrays(privatise_lanes(_reversing(FORMS[form], 512)))
    assert stacked.rules == {"t_array": Rule.CONSTANT_SIZE}
    run: Callable[..., Any] = compiled(stacked.function, tmp_path, Options(jit=jit))
    rows = np.zeros((19, 512), order="F")
    run(rows, 19)
    assert (rows == np.arange(19.0)[:, None]).all()

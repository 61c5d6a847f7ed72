"""Where arrays and the scratch of lanes are makes no difference: random functions leave the same results."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from math import prod
from pathlib import Path
from typing import Final

import numpy as np
import pytest

from backends.base import Options
from backends.loopnest.expressions import Affine
from backends.loopnest.heap_arguments import heap_arguments
from backends.loopnest.lane_buffers import Form, lane_buffers
from backends.loopnest.lane_scratch import privatise_lanes
from backends.loopnest.memory_rules import broken_kernel_memory
from backends.loopnest.nodes import (
    Allocate,
    Branch,
    Comment,
    Free,
    Function,
    Invoke,
    LaneAllocate,
    Loop,
    LoopKind,
    RestoreStack,
    Return,
    SaveStack,
    Step,
)
from backends.loopnest.stack_arrays import Stacked, constant_bytes
from backends.loopnest.stack_rules import Rule
from backends.loopnest.steps import all_steps, blocks, replaced
from tests.loop_runs import Results, generated, inlined, interpreted, private, stacked
from tests.random_loops import SIDE_BY_SIDE, LoopProgram, random_loops
from tests.strategies import COUNT, SEED

SAMPLE: Final = range(0, COUNT, 5)
PROGRAMS: Final = 150
COMPILED: Final = range(3, COUNT, max(1, COUNT // 2))

STRUCTURES: Final[Mapping[str, Callable[[Step], bool]]] = {
    "call": lambda step: isinstance(step, Invoke),
    "way out": lambda step: isinstance(step, Return),
    "scope": lambda step: isinstance(step, SaveStack),
    "free on one path": lambda step: (
        isinstance(step, Branch) and _frees(step.then) and not _frees(step.orelse)
    ),
    "free on both paths": lambda step: isinstance(step, Branch) and _frees(step.then) and _frees(step.orelse),
    "scratch of a strip": lambda step: isinstance(step, LaneAllocate) and step.first is not None,
    "scratch that is handed out": lambda step: isinstance(step, LaneAllocate) and step.is_handed_out,
    "lanes made serial": lambda step: isinstance(step, Comment),
    "lanes in lanes": lambda step: (
        isinstance(step, Loop) and step.kind is LoopKind.LANES and _has_lanes(step)
    ),
}
"""What one of the steps of a random function shows."""


@pytest.mark.parametrize("index", SAMPLE)
def test_results_are_the_same_where_lanes_run_side_by_side(index: int) -> None:
    results, _ = interpreted(_stacked(index).function, _program(index), SIDE_BY_SIDE)
    _assert_expected(results, index)


def test_results_of_generated_code_are_the_same(tmp_path: Path) -> None:
    for index in SAMPLE:
        _assert_expected(_generated(index, Options(jit=False), tmp_path), index)


@pytest.mark.parametrize("index", COMPILED)
def test_results_of_compiled_code_are_the_same(index: int, tmp_path: Path) -> None:
    _assert_expected(_generated(index, Options(), tmp_path), index)


def _generated(index: int, options: Options, folder: Path) -> Results:
    function = replace(_stacked(index).function, name=f"loops_{index}")
    return generated(function, _program(index), options, folder)


@pytest.mark.parametrize("index", SAMPLE)
def test_what_is_on_the_stack_was_freed_on_the_way_that_a_call_takes(index: int) -> None:
    program = _program(index)
    on_stack = {name for name, rule in _stacked(index).rules.items() if rule.is_for_stack}
    for sizes in (program.sizes, (1, 1)):
        _, left = interpreted(_private(index), replace(program, sizes=sizes))
        assert not left & on_stack


def test_arrays_of_constant_size_keep_the_budget_in_program_order() -> None:
    for index in SAMPLE:
        left, rules = _program(index).policy.budget, _stacked(index).rules
        for array, size in _constant_sizes(_private(index)).items():
            assert (rules[array] is not Rule.OVER_BUDGET) or size > left, (index, array)
            left -= size if rules[array] is Rule.CONSTANT_SIZE else 0
            assert left >= 0, (index, array)


def test_arrays_have_room_for_all_lanes() -> None:
    """So these count in the budget."""
    for index in SAMPLE:
        arrays = {step.array: step for step in _steps(_private(index)) if isinstance(step, Allocate)}
        forms = {name: item.form for name, item in lane_buffers(_inlined(index)).items()}
        scratch = [step for step in _steps(_inlined(index)) if isinstance(step, LaneAllocate)]
        for step in scratch:
            if forms[step.anchor] in (Form.INTERLEAVED, Form.BLOCKED):
                least = step.lanes * _elements(step.sizes)
                assert _elements(arrays[step.anchor].sizes) >= least, (index, step.anchor)


def test_memory_of_kernels_neither_grows_nor_is_shared() -> None:
    for index in SAMPLE:
        kernel, _ = heap_arguments(_stacked(index).function, is_shared=False)
        assert [*broken_kernel_memory(kernel)] == [], index


def test_lanes_that_share_an_array_are_noticed() -> None:
    """The control: scratch that is moved out of its loop like an ordinary array spoils the results."""
    noticed = 0
    for index in SAMPLE:
        try:
            results, _ = interpreted(_with_shared_scratch(_inlined(index)), _program(index), SIDE_BY_SIDE)
        except AssertionError:
            noticed += 1
        else:
            noticed += not np.array_equal(results, _expected(index))
    assert noticed >= len(SAMPLE) // 4


def test_stack_that_is_not_given_back_is_noticed() -> None:
    """The control: without scopes, arrays that are allocated in each iteration pile up."""

    def without_scopes(step: Step) -> tuple[Step, ...]:
        return () if isinstance(step, SaveStack | RestoreStack) else (step,)

    noticed = 0
    for index in SAMPLE:
        function = _stacked(index).function
        try:
            interpreted(replace(function, body=replaced(function.body, without_scopes)), _program(index))
        except AssertionError:
            noticed += 1
    assert noticed >= 3


@pytest.mark.parametrize("rule", Rule)
def test_rules_decide_random_functions(rule: Rule) -> None:
    assert _counts()[rule] >= 3


@pytest.mark.parametrize("form", Form)
def test_lanes_of_random_functions_have_scratch_in_every_form(form: Form) -> None:
    assert _counts()[form] >= 10


@pytest.mark.parametrize(
    "structure",
    (*STRUCTURES, "several copies of scratch"),
)
def test_random_functions_have_every_structure(structure: str) -> None:
    assert _counts()[structure] >= 3


@cache
def _counts() -> Counter[object]:
    counts: Counter[object] = Counter()
    for index in range(PROGRAMS):
        program = random_loops(f"0/{index}")
        function = inlined(program)
        counts.update(stacked(program).rules.values())
        counts.update(item.form for item in lane_buffers(function).values())
        counts.update({*_structures(program.function), *_structures(privatise_lanes(function))})
    return counts


def _structures(function: Function) -> Iterator[str]:
    steps = _steps(function)
    anchors = Counter(step.anchor for step in steps if isinstance(step, LaneAllocate))
    if any(count > 1 for count in anchors.values()):
        yield "several copies of scratch"
    yield from (name for name, is_one in STRUCTURES.items() if any(is_one(step) for step in steps))


def _has_lanes(step: Step) -> bool:
    inner = (one for block in blocks(step) for one in all_steps(block))
    return any(isinstance(one, Loop) and one.kind is LoopKind.LANES for one in inner)


def _frees(steps: tuple[Step, ...]) -> bool:
    return any(isinstance(step, Free) for step in steps)


def _steps(function: Function) -> tuple[Step, ...]:
    return tuple(all_steps(function.body))


@cache
def _program(index: int) -> LoopProgram:
    return random_loops(f"{SEED}/{index}")


@cache
def _inlined(index: int) -> Function:
    return inlined(_program(index))


@cache
def _private(index: int) -> Function:
    return private(_program(index))


@cache
def _stacked(index: int) -> Stacked:
    return stacked(_program(index))


@cache
def _expected(index: int) -> Results:
    """What the function leaves before all passes."""
    return interpreted(_program(index).function, _program(index))[0]


def _assert_expected(results: Results, index: int) -> None:
    assert np.array_equal(results, _expected(index)), f"seed '{SEED}/{index}':\n{_program(index).function}"


def _constant_sizes(function: Function) -> dict[str, int]:
    """Of arrays that may be on the stack, in program order."""
    found: dict[str, int] = {}
    for step in _steps(function):
        if isinstance(step, Allocate) and (size := constant_bytes(step)) is not None:
            found.setdefault(step.array, size)
    return found


def _elements(sizes: tuple[Affine, ...]) -> int:
    return prod(size.offset + (1000 if size.name else 0) for size in sizes)


def _with_shared_scratch(function: Function) -> Function:
    """*function* with one array for all lanes, before everything else, where sizes are constant."""

    def is_moved(step: Step) -> bool:
        return isinstance(step, LaneAllocate) and not step.first and not any(s.name for s in step.sizes)

    moved = {s.anchor: s for s in all_steps(function.body) if isinstance(s, LaneAllocate) and is_moved(s)}
    whole = tuple(Allocate(step.anchor, step.dtype, step.sizes, fastest=0) for step in moved.values())
    body = replaced(function.body, lambda step: () if is_moved(step) else (step,))
    return replace(function, body=(*whole, *body))

"""For each rule about arrays and the scratch of lanes, a stencil or a random function that it decides."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import numpy as np
import pytest

from backends.loopnest.lane_buffers import Form, lane_buffers
from backends.loopnest.layout import FORTRAN, Layout
from backends.loopnest.lowering import lower
from backends.loopnest.nodes import Allocate, Function, MakeView, Memory
from backends.loopnest.stack_policy import DEVICE, NO_STACK, StackPolicy
from backends.loopnest.stack_rules import Rule
from backends.loopnest.steps import all_steps
from backends.loopnest.verifier import verify
from stencil import stencil
from tests.catalogue import CATALOGUE
from tests.loop_runs import inlined, interpreted, private, stacked
from tests.random_loops import SIDE_BY_SIDE, random_loops
from tests.unit.backends.loopnest.lowered import kernels_before_passes

USUAL: Final = StackPolicy()
LARGE: Final = replace(FORTRAN, is_large=True)

CATALOGUE_RULES: Final = (
    (Rule.KNOWN_SIZE, "hdiff", "lap", USUAL, FORTRAN),
    (Rule.KNOWN_SIZE, "tridiagonal", "cp", USUAL, FORTRAN),
    (Rule.CONSTANT_SIZE, "rayleigh_damping", "total", USUAL, FORTRAN),
    (Rule.OVER_BUDGET, "rayleigh_damping", "total", StackPolicy(budget=100), FORTRAN),
    (Rule.TOO_LARGE, "rayleigh_damping", "total", StackPolicy(largest=100), FORTRAN),
    (Rule.RUN_TIME_SIZE, "hdiff", "lap", DEVICE, FORTRAN),
    (Rule.RUN_TIME_SIZE, "vadv", "ccol", USUAL, LARGE),
    (Rule.SWITCHED_OFF, "upwind", "vertical_part", NO_STACK, FORTRAN),
)
RANDOM_RULES: Final = (
    (Rule.MUST_BE_HEAP, "491", "t_3_array"),
    (Rule.ESCAPED, "925", "t_2_array"),
    (Rule.NOT_SURELY_FREED, "736", "t_1_array"),
    (Rule.SWITCHED_OFF, "233", "t_1_array"),
    (Rule.RUN_TIME_SIZE, "751", "t_2_array"),
    (Rule.TOO_LARGE, "325", "t_5_array"),
    (Rule.OVER_BUDGET, "662", "t_3_array"),
    (Rule.FREED_ELSEWHERE, "944", "t_14_array"),
    (Rule.INTERVENING_ALLOCATION, "786", "t_7_array"),
    (Rule.CONSTANT_SIZE, "316", "t_1_array"),
    (Rule.KNOWN_SIZE, "409", "t_6_array"),
    (Rule.SAVED_AND_RESTORED, "637", "t_5_array"),
)
"""Seeds of random functions, and one of their arrays."""

CATALOGUE_FORMS: Final = (
    (Form.INTERLEAVED, "tridiagonal", "cp"),
    (Form.INTERLEAVED, "vadv", "ccol"),
    (Form.INTERLEAVED, "rayleigh_damping", "total"),
)
RANDOM_FORMS: Final = (
    (Form.REGISTER, "731", "t_3_array"),
    (Form.ORDINARY, "491", "t_11_array"),
    (Form.INTERLEAVED, "454", "t_11_array"),
    (Form.INTERLEAVED, "631", "t_5_array"),
    (Form.BLOCKED, "1054", "t_3_array"),
)


@pytest.mark.parametrize(("rule", "name", "temporary", "policy", "layout"), CATALOGUE_RULES)
def test_rule_decides(rule: Rule, name: str, temporary: str, policy: StackPolicy, layout: Layout) -> None:
    ir = stencil(backend="numba")(CATALOGUE[name].define(np.float64)).scheduled
    program = verify(lower(ir, layout, policy=policy))
    array = f"{temporary}_array"
    assert dict(program.stack_rules)[array] is rule
    on_stack = {step.array for kernel in program.kernels for step in _on_stack(kernel)}
    assert (array in on_stack) is rule.is_for_stack
    assert (array in {item.array for item in program.workspaces}) is not rule.is_for_stack


@pytest.mark.parametrize(("rule", "seed", "array"), RANDOM_RULES)
def test_rule_decides_a_random_function(rule: Rule, seed: str, array: str) -> None:
    program = random_loops(seed)
    after = stacked(program)
    assert after.rules[array] is rule
    assert (array in {step.array for step in _on_stack(after.function)}) is rule.is_for_stack
    expected, _ = interpreted(program.function, program)
    results, _ = interpreted(after.function, program, SIDE_BY_SIDE)
    assert np.array_equal(results, expected)


def test_every_rule_decides_something() -> None:
    assert {rule for rule, *_ in RANDOM_RULES} == set(Rule)


@pytest.mark.parametrize(("form", "name", "temporary"), CATALOGUE_FORMS)
def test_lanes_of_a_stencil_have_scratch(form: Form, name: str, temporary: str) -> None:
    ir = stencil(backend="numba")(CATALOGUE[name].define(np.float64)).scheduled
    buffers = {
        anchor: item for kernel in kernels_before_passes(ir) for anchor, item in lane_buffers(kernel).items()
    }
    assert buffers[f"{temporary}_array"].form is form


@pytest.mark.parametrize(("form", "seed", "anchor"), RANDOM_FORMS)
def test_lanes_of_a_random_function_have_scratch(form: Form, seed: str, anchor: str) -> None:
    program = random_loops(seed)
    assert lane_buffers(inlined(program))[anchor].form is form
    function = private(program)
    is_variable = not any(isinstance(s, MakeView) and s.array == anchor for s in all_steps(function.body))
    assert is_variable is (form is Form.REGISTER)
    expected, _ = interpreted(program.function, program)
    results, _ = interpreted(function, program, SIDE_BY_SIDE)
    assert np.array_equal(results, expected)


def test_every_form_of_scratch_occurs() -> None:
    assert {form for form, *_ in RANDOM_FORMS} == set(Form)


def _on_stack(function: Function) -> Iterator[Allocate]:
    for step in all_steps(function.body):
        if isinstance(step, Allocate) and step.memory is Memory.STACK:
            yield step

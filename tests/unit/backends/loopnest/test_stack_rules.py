"""Kernels of the catalogue that a rule about stack arrays decides."""

from dataclasses import replace

import numpy as np
import pytest

from backends.loopnest.layout import FORTRAN, Layout
from backends.loopnest.lowering import lower
from backends.loopnest.nodes import Allocate, Memory
from backends.loopnest.schedule import schedule
from backends.loopnest.stack_policy import DEVICE, NO_STACK, StackPolicy
from backends.loopnest.stack_rules import Rule
from backends.loopnest.steps import all_steps
from backends.loopnest.verifier import verify
from iir.parser import from_text
from iir.schedule import Axis
from stencil import stencil
from tests.catalogue import CATALOGUE

USUAL = StackPolicy()
LONG_STRIPS = replace(FORTRAN, strip=128)
LARGE = replace(FORTRAN, is_large=True)
HEAP = """\
stencil s(u: f64[IJK], v: f64[IJK])
  temporary t: {}
  multistage {}
    stage
      do [start, end)
        t = u
        v = t + t
"""


@pytest.mark.parametrize("policy", [USUAL, NO_STACK, DEVICE])
@pytest.mark.parametrize("layout", [FORTRAN, LARGE, Layout(None, Axis.K)])
@pytest.mark.parametrize(
    ("declaration", "order"),
    [("f64[IJK]", "parallel"), ("f64[IJK]", "forward"), ("f64[IJ]", "backward")],
)
def test_heap_is_decided_by_what_the_user_wants(
    declaration: str, order: str, layout: Layout, policy: StackPolicy
) -> None:
    """What would be a register, or lives as long as the call, too."""
    ir = from_text(HEAP.format(f"{declaration} heap", order))
    program = verify(lower(schedule(ir), layout, policy=policy))
    assert dict(program.stack_rules)["t_array"] is Rule.MUST_BE_HEAP
    assert [item.array for item in program.workspaces] == ["t_array"]


@pytest.mark.parametrize(
    ("rule", "name", "temporary", "policy", "layout"),
    [
        (Rule.KNOWN_SIZE, "hdiff", "lap", USUAL, FORTRAN),
        (Rule.KNOWN_SIZE, "tridiagonal", "cp", USUAL, FORTRAN),
        (Rule.CONSTANT_SIZE, "rayleigh_damping", "total", USUAL, FORTRAN),
        (Rule.OVER_BUDGET, "rayleigh_damping", "total", StackPolicy(budget=1000), FORTRAN),
        (Rule.TOO_LARGE, "rayleigh_damping", "total", DEVICE, LONG_STRIPS),
        (Rule.RUN_TIME_SIZE, "hdiff", "lap", DEVICE, FORTRAN),
        (Rule.RUN_TIME_SIZE, "vadv", "ccol", USUAL, LARGE),
        (Rule.SWITCHED_OFF, "upwind", "vertical_part", NO_STACK, FORTRAN),
    ],
)
def test_rule_decides(rule: Rule, name: str, temporary: str, policy: StackPolicy, layout: Layout) -> None:
    ir = stencil(backend="numba")(CATALOGUE[name].define(np.float64)).scheduled
    program = verify(lower(ir, layout, policy=policy))
    array = f"{temporary}_array"
    assert dict(program.stack_rules)[array] is rule
    steps = (step for kernel in program.kernels for step in all_steps(kernel.body))
    on_stack = {step.array for step in steps if isinstance(step, Allocate) and step.memory is Memory.STACK}
    assert (array in on_stack) is rule.is_for_stack
    assert (array in {item.array for item in program.workspaces}) is not rule.is_for_stack

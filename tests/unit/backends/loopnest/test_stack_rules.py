"""Kernels of the catalogue that a rule about stack arrays decides."""

from dataclasses import replace

import numpy as np
import pytest

from backends.loopnest.layout import FORTRAN, Layout
from backends.loopnest.lowering import lower
from backends.loopnest.nodes import Allocate, Memory
from backends.loopnest.stack_policy import DEVICE, NO_STACK, StackPolicy
from backends.loopnest.stack_rules import Rule
from backends.loopnest.steps import all_steps
from backends.loopnest.verifier import verify
from stencil import stencil
from tests.catalogue import CATALOGUE

USUAL = StackPolicy()
LARGE = replace(FORTRAN, is_large=True)


@pytest.mark.parametrize(
    ("rule", "name", "temporary", "policy", "layout"),
    [
        (Rule.KNOWN_SIZE, "hdiff", "lap", USUAL, FORTRAN),
        (Rule.KNOWN_SIZE, "tridiagonal", "cp", USUAL, FORTRAN),
        (Rule.CONSTANT_SIZE, "rayleigh_damping", "total", USUAL, FORTRAN),
        (Rule.OVER_BUDGET, "rayleigh_damping", "total", StackPolicy(budget=1000), FORTRAN),
        (Rule.TOO_LARGE, "rayleigh_damping", "total", DEVICE, FORTRAN),
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

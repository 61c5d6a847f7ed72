"""Conditionals that cannot run point by point become guarded statements."""

import pytest

from iir.passes.flatten_conditionals import flatten_conditionals
from tests.unit.iir.textual import assert_keeps, assert_turns_into, computation, parallel

MASK = "temporary mask: bool[IJK]"
T = "temporary t: f64[IJK]"


def test_neighbour_of_something_stored_in_the_body_needs_a_mask() -> None:
    before = parallel("if a > 0.0", "  b = a", "  out = b[1, 0, 0]")
    after = parallel(MASK, "mask = a > 0.0", "if mask", "  b = a", "if mask", "  out = b[1, 0, 0]")
    assert_turns_into(flatten_conditionals, before, after)


def test_condition_that_reads_a_neighbour_of_what_the_body_stores_is_kept_in_a_mask() -> None:
    before = parallel("if b[0, 1, 0] > 0.0", "  b = a")
    assert_turns_into(
        flatten_conditionals, before, parallel(MASK, "mask = b[0, 1, 0] > 0.0", "if mask", "  b = a")
    )


def test_else_part_runs_on_the_opposite_mask_after_the_then_part() -> None:
    before = parallel("if a > 0.0", "  b = a", "else", "  out = b[1, 0, 0]")
    after = parallel(MASK, "mask = a > 0.0", "if mask", "  b = a", "if not mask", "  out = b[1, 0, 0]")
    assert_turns_into(flatten_conditionals, before, after)


def test_statements_on_different_boxes_are_taken_apart() -> None:
    before = parallel(T, "if a > 0.0", "  t = a", "  out = b", "out = out + t[1, 0, 0]")
    after = parallel(
        T, MASK, "mask = a > 0.0", "if mask", "  t = a", "if mask", "  out = b", "out = out + t[1, 0, 0]"
    )
    assert_turns_into(flatten_conditionals, before, after)


def test_nested_conditions_are_joined_into_their_masks() -> None:
    before = parallel(
        "if a > 0.0",
        "  if b > 0.0",
        "    b = a",
        "  else",
        "    out = b[1, 0, 0]",
        "else",
        "  if a > b",
        "    out = a",
    )
    after = parallel(
        MASK,
        "temporary mask_1: bool[IJK]",
        "temporary mask_2: bool[IJK]",
        "mask = a > 0.0",
        "mask_1 = mask and b > 0.0",
        "if mask_1",
        "  b = a",
        "if mask and not mask_1",
        "  out = b[1, 0, 0]",
        "mask_2 = not mask and a > b",
        "if mask_2",
        "  out = a",
    )
    assert_turns_into(flatten_conditionals, before, after)


def test_condition_on_scalars_needs_no_mask() -> None:
    before = parallel("if c", "  b = a", "  out = b[1, 0, 0]")
    assert_turns_into(flatten_conditionals, before, parallel("if c", "  b = a", "if c", "  out = b[1, 0, 0]"))


def test_mask_takes_a_free_name() -> None:
    before = parallel(MASK, "mask = a > b", "if a > 0.0", "  b = a", "  out = b[1, 0, 0] if mask else a")
    after = parallel(
        MASK,
        "temporary mask_1: bool[IJK]",
        "mask = a > b",
        "mask_1 = a > 0.0",
        "if mask_1",
        "  b = a",
        "if mask_1",
        "  out = b[1, 0, 0] if mask else a",
    )
    assert_turns_into(flatten_conditionals, before, after)


@pytest.mark.parametrize("order", ["forward", "backward"])
def test_other_levels_of_what_a_sweep_stores_are_no_reason(order: str) -> None:
    ir = computation(order, "if b[0, 0, 1] > 0.0", "  b = a + b[0, 0, -1]", "  out = b[0, 0, -1]")
    assert_keeps(flatten_conditionals, ir)


def test_conditional_without_neighbours_stays() -> None:
    assert_keeps(
        flatten_conditionals, parallel("if a[1, 0, 0] > 0.0", "  b = a", "  out = b", "else", "  out = a")
    )

"""Parallel multistages are split until their levels are independent."""

import pytest

from iir.nodes import Stencil
from iir.passes.split_multistages import split_multistages
from tests.unit.iir.textual import assert_keeps, assert_turns_into, computation, parallel, program


def multistages(*parts: tuple[str, str]) -> Stencil:
    """One multistage on all levels for each order and statement."""
    heads = "multistage {}\n  stage\n    do [start, end)\n      {}\n"
    return program("".join(heads.format(order, statement) for order, statement in parts))


def test_level_of_something_stored_before_starts_a_multistage() -> None:
    after = multistages(("parallel", "b = a"), ("parallel", "out = b[0, 0, 1]"))
    assert_turns_into(split_multistages, parallel("b = a", "out = b[0, 0, 1]"), after)


def test_store_of_something_whose_levels_were_read_starts_a_multistage() -> None:
    after = multistages(("parallel", "out = b[0, 0, 1]"), ("parallel", "b = a"))
    assert_turns_into(split_multistages, parallel("out = b[0, 0, 1]", "b = a"), after)


@pytest.mark.parametrize(("k", "order"), [("1", "forward"), ("-1", "backward")])
def test_statement_that_reads_one_side_of_its_target_becomes_a_sweep_towards_it(k: str, order: str) -> None:
    before = parallel("out = a", f"b = b + b[0, 0, {k}]", "out = out + 1.0")
    after = multistages(
        ("parallel", "out = a"), (order, f"b = b + b[0, 0, {k}]"), ("parallel", "out = out + 1.0")
    )
    assert_turns_into(split_multistages, before, after)


def test_statements_without_levels_in_common_stay_together() -> None:
    assert_keeps(split_multistages, parallel("b = a[0, 0, 1]", "out = b[1, 0, 0] + a[0, 0, -1]"))


def test_sweep_stays() -> None:
    assert_keeps(split_multistages, computation("forward", "b = a", "out = b[0, 0, -1]"))


def test_plane_that_another_interval_touches_starts_a_multistage() -> None:
    before = program("""
        multistage parallel
          stage
            do [start, start+1)
              plane = a
              out = plane
            do [start, end)
              b = plane
    """)
    after = program("""
        multistage parallel
          stage
            do [start, start+1)
              plane = a
              out = plane
        multistage parallel
          stage
            do [start, end)
              b = plane
    """)
    assert_turns_into(split_multistages, before, after)

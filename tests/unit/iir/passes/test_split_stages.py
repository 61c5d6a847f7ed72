"""Stages are split at horizontal dependences."""

import pytest

from iir.passes.split_stages import split_stages
from tests.unit.iir.textual import assert_keeps, assert_turns_into, computation, program


def stages(order: str, *bodies: str) -> str:
    parts = "".join(f"\n  stage\n    do [start, end)\n      {body}" for body in bodies)
    return f"multistage {order}{parts}"


@pytest.mark.parametrize("order", ["parallel", "forward", "backward"])
def test_neighbour_of_something_stored_before_starts_a_stage(order: str) -> None:
    before = computation(order, "b = a", "out = b[1, 0, 0]")
    assert_turns_into(split_stages, before, program(stages(order, "b = a", "out = b[1, 0, 0]")))


@pytest.mark.parametrize("order", ["parallel", "forward", "backward"])
def test_store_of_something_whose_neighbour_was_read_starts_a_stage(order: str) -> None:
    before = computation(order, "out = b[0, -1, 0]", "b = a")
    assert_turns_into(split_stages, before, program(stages(order, "out = b[0, -1, 0]", "b = a")))


def test_statements_behind_the_split_keep_their_do_methods() -> None:
    before = program("""
        multistage parallel
          stage
            do [start, end)
              b = a
              out = b[1, 0, 0]
            do [start+1, end)
              out = a
    """)
    after = program("""
        multistage parallel
          stage
            do [start, end)
              b = a
          stage
            do [start, end)
              out = b[1, 0, 0]
            do [start+1, end)
              out = a
    """)
    assert_turns_into(split_stages, before, after)


def test_existing_stages_stay_apart() -> None:
    assert_keeps(split_stages, program(stages("parallel", "b = a", "out = a")))


def test_neighbours_of_what_the_stage_does_not_store_are_no_reason() -> None:
    assert_keeps(split_stages, computation("parallel", "b = a[1, 0, 0]", "out = b + a[-1, 0, 0]"))

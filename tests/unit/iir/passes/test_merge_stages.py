"""Stages, and do-methods of one interval in them, are joined where that changes nothing."""

import pytest

from iir.passes.merge_stages import merge_stages
from tests.unit.iir.textual import assert_keeps, assert_turns_into, computation, program


def do_methods(order: str, *parts: tuple[str, str]) -> str:
    body = "".join(f"\n    do {interval}\n      {statement}" for interval, statement in parts)
    return f"multistage {order}\n  stage{body}"


@pytest.mark.parametrize("order", ["parallel", "forward", "backward"])
def test_stages_that_share_no_neighbours_are_joined(order: str) -> None:
    before = program(f"""
        multistage {order}
          stage
            do [start, end)
              b = a[1, 0, 0]
          stage
            do [start, end)
              out = b
    """)
    assert_turns_into(merge_stages, before, computation(order, "b = a[1, 0, 0]", "out = b"))


@pytest.mark.parametrize("first", ["b = a", "out = b[1, 0, 0]"])
def test_stages_with_a_neighbour_in_common_stay_apart(first: str) -> None:
    second = {"b = a": "out = b[1, 0, 0]", "out = b[1, 0, 0]": "b = a"}[first]
    assert_keeps(
        merge_stages,
        program(f"""
            multistage parallel
              stage
                do [start, end)
                  {first}
              stage
                do [start, end)
                  {second}
        """),
    )


def test_do_method_moves_up_past_disjoint_levels() -> None:
    before = do_methods(
        "forward",
        ("[start, start+1)", "b = a"),
        ("[start+1, end)", "b = b[0, 0, -1]"),
        ("[start, start+1)", "out = b"),
        ("[start+1, end)", "out = b"),
    )
    after = """
        multistage forward
          stage
            do [start, start+1)
              b = a
              out = b
            do [start+1, end)
              b = b[0, 0, -1]
              out = b
    """
    assert_turns_into(merge_stages, program(before), program(after))


@pytest.mark.parametrize("between", ["[start, end)", "[start, x)"])
def test_do_method_does_not_move_past_one_that_it_depends_on(between: str) -> None:
    parts = (("[start, start+1)", "b = a"), (between, "b = a + 1.0"), ("[start, start+1)", "out = b"))
    assert_keeps(merge_stages, program(do_methods("parallel", *parts)))


def test_do_method_moves_up_past_one_that_shares_nothing() -> None:
    parts = (("[start, start+1)", "b = a"), ("[start, end)", "out = a"), ("[start, start+1)", "b = b + 1.0"))
    after = """
        multistage parallel
          stage
            do [start, start+1)
              b = a
              b = b + 1.0
            do [start, end)
              out = a
    """
    assert_turns_into(merge_stages, program(do_methods("parallel", *parts)), program(after))


@pytest.mark.parametrize(
    ("store", "read"), [("plane = a", "out = plane"), ("b = a", "out = b[0, 0, -1]")], ids=["plane", "level"]
)
def test_disjoint_levels_of_a_parallel_multistage_may_still_meet(store: str, read: str) -> None:
    parts = (("[start+1, start+2)", "out = b"), ("[start, start+1)", store), ("[start+1, start+2)", read))
    assert_keeps(merge_stages, program(do_methods("parallel", *parts)))

"""What can never run goes."""

from iir.passes.prune_unreachable import prune_unreachable
from tests.unit.iir.textual import assert_keeps, assert_turns_into, parallel, program


def test_conditional_on_a_constant_becomes_the_branch_that_runs() -> None:
    before = parallel(
        "if True", "  out = a", "  out = out + 1.0", "else", "  out = b", "if False", "  out = b"
    )
    assert_turns_into(prune_unreachable, before, parallel("out = a", "out = out + 1.0"))


def test_nested_conditionals_are_pruned_inside() -> None:
    before = parallel("if c", "  if False", "    out = a", "  out = b")
    assert_turns_into(prune_unreachable, before, parallel("if c", "  out = b"))


def test_conditional_with_an_empty_then_part_is_turned_round() -> None:
    before = parallel("if c", "  if False", "    out = a", "else", "  out = b")
    assert_turns_into(prune_unreachable, before, parallel("if not c", "  out = b"))


def test_conditional_with_empty_branches_goes() -> None:
    before = parallel("out = a", "if a > 0.0", "  if False", "    out = b")
    assert_turns_into(prune_unreachable, before, parallel("out = a"))


def test_empty_interval_goes_with_its_stage_and_multistage() -> None:
    before = program("""
        multistage forward
          stage
            do [start+1, start+1)
              out = b
        multistage parallel
          stage
            do [start, end)
              out = a
    """)
    assert_turns_into(prune_unreachable, before, parallel("out = a"))


def test_run_time_interval_stays() -> None:
    assert_keeps(
        prune_unreachable,
        program("""
            multistage parallel
              stage
                do [start, x)
                  out = a
        """),
    )

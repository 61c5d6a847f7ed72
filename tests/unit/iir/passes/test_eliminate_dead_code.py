"""Statements that nothing depends on go, all others stay."""

import pytest

from iir.passes.eliminate_dead_code import eliminate_dead_code
from tests.unit.iir.textual import assert_keeps, assert_turns_into, computation, parallel, program

T = "temporary t: f64[IJK]"
W = "temporary w: f64[IJK]"


def test_chain_of_temporaries_that_nobody_reads_goes_at_once() -> None:
    before = parallel(T, W, "t = a", "w = t[1, 0, 0]", "out = b")
    assert_turns_into(eliminate_dead_code, before, parallel("out = b"))


def test_temporary_that_only_feeds_itself_through_a_sweep_goes() -> None:
    before = computation("forward", T, "t = t[0, 0, -1] + a", "out = b")
    assert_turns_into(eliminate_dead_code, before, computation("forward", "out = b"))


def test_store_that_is_covered_before_it_is_read_goes() -> None:
    before = parallel(T, "t = a[9, 0, 0]", "t = a", "out = t")
    assert_turns_into(eliminate_dead_code, before, parallel(T, "t = a", "out = t"))


def test_output_that_is_covered_before_it_is_read_goes() -> None:
    assert_turns_into(eliminate_dead_code, parallel("out = a", "out = b"), parallel("out = b"))


@pytest.mark.parametrize(
    "lines",
    [
        ("out = a", "if c", "  out = b"),
        ("out = a", "b = out[1, 0, 0]", "out = b"),
        (T, "t = a", "if a > 0.0", "  t = b", "out = t"),
        (T, "t = a", 'check user(t > 0.0, "bad") key(0, 0)', "out = b"),
    ],
)
def test_store_that_may_be_seen_stays(lines: tuple[str, ...]) -> None:
    assert_keeps(eliminate_dead_code, parallel(*lines))


def test_store_on_more_levels_than_the_later_one_stays() -> None:
    assert_keeps(
        eliminate_dead_code,
        program("""
            multistage parallel
              stage
                do [start, end)
                  out = a
                do [start+1, end)
                  out = b
        """),
    )


def test_sweep_reads_behind_itself_what_stands_later_in_the_text() -> None:
    assert_keeps(eliminate_dead_code, computation("forward", T, "out = t[0, 0, -1]", "t = a"))


def test_sweep_does_not_read_ahead_of_itself_what_it_stores() -> None:
    before = computation("forward", T, "out = t[0, 0, 1]", "t = a")
    assert_turns_into(eliminate_dead_code, before, computation("forward", T, "out = t[0, 0, 1]"))


def test_dead_branch_leaves_its_conditional() -> None:
    before = parallel(T, "if a > 0.0", "  t = b", "else", "  out = b")
    assert_turns_into(eliminate_dead_code, before, parallel("if not a > 0.0", "  out = b"))


def test_call_without_effects_goes_and_one_with_effects_stays() -> None:
    calls = ('t = call "m:f"(a)', 't = call "m:g"(a) effects(any)')
    after = parallel(T, calls[1], "out = b")
    assert_turns_into(eliminate_dead_code, parallel(T, *calls, "out = b"), after)

"""Reads of temporaries that may, and that surely do, see unset points."""

import pytest

from iir.analyses.unset_reads import unset_reads
from iir.nodes import Stencil
from iir.parser import from_text
from tests.unit.iir.textual import computation, parallel, program

T = "temporary t: f64[IJK]"
Z = "temporary z: f64[IJ]"


def reasons(ir: Stencil) -> list[str]:
    return [read.reason for read in unset_reads(ir)]


def blocks(order: str, *parts: tuple[str, str], declaration: str = T) -> Stencil:
    body = "".join(f"\n    do {interval}\n      {statement}" for interval, statement in parts)
    return program(f"{declaration}\nmultistage {order}\n  stage{body}")


@pytest.mark.parametrize(
    "lines",
    [
        ("t = a", "out = t[1, 0, 0]"),
        ("if a > 0.0", "  t = a", "else", "  t = b", "out = t[1, 0, 0]"),
        ("if a > 0.0", "  t = a", "  out = t"),
        ("if c", "  t = a", "  out = t[1, 0, 0]"),
        ("if c", "  t = a", "if c", "  out = t[1, 0, 0]"),
        ("if c", "  t = a", "if not c", "  t = b", "out = t"),
        ("if a > 0.0", "  if c", "    t = a", "if c", "  t = b", "  out = t"),
        ("if a > 0.0", "  t = a", "else", "  t = b", "  out = t[1, 0, 0]"),
        ("if a > 0.0", "  if b > 0.0", "    t = a", "  else", "    t = b", "  out = t"),
        ('check user(a > 0.0, "bad") guard(t = a) key(0, 0)', "out = t"),
    ],
)
def test_point_that_is_set_on_every_path_is_not_unset(lines: tuple[str, ...]) -> None:
    assert reasons(parallel(T, *lines)) == []


@pytest.mark.parametrize(
    "lines",
    [
        ("if a > 0.0", "  t = a", "out = t"),
        ("if a > 0.0", "  t = a", "  out = t[1, 0, 0]"),
        ("if a > 0.0", "  t = a", "else", "  out = t[1, 0, 0]"),
        ("if a > 0.0", "  if b > 0.0", "    t = a", "  else", "    t = b", "  out = t[1, 0, 0]"),
        ("if a > 0.0", "  t = a", "if a > 0.0", "  out = t"),
        ("if a > 0.0", "  t = a", "  t = t[1, 0, 0]"),
    ],
)
def test_point_that_some_path_leaves_out_may_be_unset(lines: tuple[str, ...]) -> None:
    assert reasons(parallel(T, *lines)) == ["maybe"]


def test_read_before_the_store_is_certain_in_a_parallel_computation() -> None:
    assert reasons(parallel(T, "out = t", "t = a")) == ["never-written-level"]
    assert reasons(parallel(T, "t = t + a", "out = t")) == ["never-written-level"]


def test_level_outside_the_stored_interval_is_certain() -> None:
    assert reasons(parallel(T, "t = a", "out = t[0, 0, 1]")) == ["never-written-level"]
    assert reasons(blocks("parallel", ("[start+1, end)", "t = a"), ("[start, end)", "out = t"))) == [
        "never-written-level"
    ]


@pytest.mark.parametrize(("order", "ahead"), [("forward", 1), ("backward", -1)])
def test_level_ahead_of_a_sweep_is_certain(order: str, ahead: int) -> None:
    assert reasons(computation(order, T, "t = a", f"out = t[0, 0, {ahead}]")) == ["loop-order"]


@pytest.mark.parametrize("order", ["forward", "backward"])
def test_level_behind_a_sweep_is_set_wherever_its_store_stands(order: str) -> None:
    first, rest, k = {
        "forward": ("[start, start+1)", "[start+1, end)", -1),
        "backward": ("[end-1, end)", "[start, end-1)", 1),
    }[order]
    assert (
        reasons(blocks(order, (rest, f"t = t[0, 0, {k}]"), (first, "t = a"), ("[start, end)", "out = t")))
        == []
    )


def test_level_ahead_of_a_sweep_that_an_earlier_computation_has_set_is_not_unset() -> None:
    ir = program("""
        temporary t: f64[IJK]
        multistage parallel
          stage
            do [start, end)
              t = a
        multistage forward
          stage
            do [start, end-1)
              t = t[0, 0, 1]
            do [start, end)
              out = t
    """)
    assert reasons(ir) == []


def test_gap_that_only_small_sizes_close_is_certain() -> None:
    ir = blocks("parallel", ("[start, start+2)", "t = a"), ("[end-2, end)", "out = t"))
    assert reasons(ir) == ["never-written-level"]


def test_gap_that_only_small_sizes_have_may_be_unset() -> None:
    """With two levels the read at k-2 leaves the domain, from three on it does not."""
    ir = blocks("parallel", ("[start, end)", "t = a"), ("[end-1, end)", "out = t[0, 0, -2]"))
    assert reasons(ir) == ["maybe"]


def test_run_time_intervals_that_meet_leave_no_gap() -> None:
    parts = (("[start, x)", "t = a"), ("[x, end)", "t = b"), ("[start, end)", "out = t"))
    assert reasons(blocks("parallel", *parts)) == []


def test_run_time_interval_may_leave_a_gap() -> None:
    assert reasons(blocks("parallel", ("[start, x)", "t = a"), ("[start, end)", "out = t"))) == ["maybe"]


def test_plane_is_set_by_the_first_level_of_a_sweep() -> None:
    parts = (("[start, start+1)", "z = a"), ("[start+1, end)", "z = z + a"))
    assert reasons(blocks("forward", *parts, declaration=Z)) == []
    assert reasons(blocks("backward", *parts, declaration=Z)) == ["loop-order"]


def test_plane_is_set_for_all_later_computations() -> None:
    ir = program("""
        temporary z: f64[IJ]
        multistage parallel
          stage
            do [end-1, end)
              z = a
        multistage forward
          stage
            do [start, end)
              out = z
    """)
    assert reasons(ir) == []


def test_plane_that_a_sweep_reads_before_it_first_sets_it_is_certain() -> None:
    assert reasons(computation("forward", Z, "out = z[1, 0]", "z = a")) == ["loop-order"]


def test_many_run_time_bounds_are_still_sound() -> None:
    """Too many to enumerate: nothing is taken for set that one of them decides."""
    ir = from_text(
        "stencil s(a: f64[IJK], out: f64[IJK], x: i64, y: i64, z: i64, w: i64)\n"
        "  temporary t: f64[IJK]\n"
        "  multistage parallel\n"
        "    stage\n"
        "      do [start, x)\n        t = a\n"
        "      do [y, end)\n        t = a\n"
        "      do [z, w)\n        out = t\n"
        "        t = a\n        out = out + t\n"
    )
    assert reasons(ir) == ["maybe", "maybe"]

"""Ranges of loops."""

from backends.loopnest.bodies import multistage_bodies
from backends.loopnest.bounds import hull_range
from backends.loopnest.printer import position_text
from backends.loopnest.scope import stencil_scope
from iir.analyses.extents import extents
from iir.parser import from_text
from iir.schedule import Axis


def _hull(*intervals: str) -> tuple[str, str]:
    """The range of levels that holds all *intervals*."""
    text = "stencil s(u: f64[IJK], n: i64)\n  multistage forward\n    stage\n"
    ir = from_text(text + "".join(f"      do {interval}\n        u = 1.0\n" for interval in intervals))
    bodies = multistage_bodies(ir.multistages[0], extents(ir))
    start, stop = hull_range(bodies, Axis.K, stencil_scope(ir, Axis.I, {}, frozenset()))
    return position_text(start), position_text(stop)


def test_outermost_offsets_of_one_anchor_bound_the_loop() -> None:
    assert _hull("[start+1, end-2)", "[start+3, end)") == ("1", "nk")


def test_start_is_below_end_on_every_domain_that_has_the_required_levels() -> None:
    assert _hull("[start, start+1)", "[start+1, end-1)", "[end-1, end)") == ("0", "nk")


def test_run_time_bounds_lie_in_the_domain() -> None:
    assert _hull("[start, n)", "[n, end)") == ("0", "nk")


def test_bounds_that_nothing_orders_are_compared_at_run_time() -> None:
    assert _hull("[n, n+1)", "[start+2, start+3)") == ("min(n_level, 2)", "max(n_level + 1, 3)")

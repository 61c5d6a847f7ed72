"""What surely holds between intervals; checked against all small sizes."""

from itertools import product
from typing import Final

import pytest

from iir.analyses.interval_order import (
    LevelLimits,
    is_at_most,
    is_disjoint,
    is_nonempty,
    level_limits,
    without,
)
from iir.interval import Anchor, Bound, Interval, bound_level, interval_levels
from tests.unit.iir.textual import program

LIMITS: Final = LevelLimits(2, {"x": 1}, {"x": 1})
BOUNDS: Final = tuple(Bound(anchor, n) for anchor in (Anchor.START, Anchor.END, "x", "y") for n in (-1, 0, 2))
CALLS: Final = tuple(
    (nk, {"x": x, "y": y}) for nk in range(2, 9) for x in range(1, nk) for y in range(nk + 1)
)
INTERVALS: Final = tuple(Interval(start, end) for start, end in product(BOUNDS[::2], BOUNDS[1::2]))


@pytest.mark.parametrize("left", BOUNDS, ids=repr)
def test_what_is_said_of_bounds_holds_in_every_call(left: Bound) -> None:
    for right in BOUNDS:
        if is_at_most(left, right, LIMITS):
            assert all(bound_level(left, *call) <= bound_level(right, *call) for call in CALLS)


def test_order_of_bounds_is_known_where_it_is_the_same_in_every_call() -> None:
    for left, right in product(BOUNDS, BOUNDS):
        if "y" not in (left.anchor, right.anchor):
            always = all(bound_level(left, *call) <= bound_level(right, *call) for call in CALLS)
            assert is_at_most(left, right, LIMITS) == always, (left, right)


def test_what_is_said_of_intervals_holds_in_every_call() -> None:
    said = 0
    for left, right in product(INTERVALS, INTERVALS):
        levels = [(set(interval_levels(left, *call)), set(interval_levels(right, *call))) for call in CALLS]
        if is_disjoint(left, right, LIMITS):
            assert all(one.isdisjoint(other) for one, other in levels)
            said += 1
        parts = without(left, right, LIMITS)
        said += parts != (left,)
        for call, (one, other) in zip(CALLS, levels, strict=True):
            rest = set().union(*(interval_levels(part, *call) for part in parts))
            assert one - other <= rest <= one
    assert said > 20


def test_nonempty_interval_holds_a_level_in_every_call() -> None:
    for interval in INTERVALS:
        if is_nonempty(interval, LIMITS):
            assert all(interval_levels(interval, *call) for call in CALLS)


def test_limits_follow_from_the_bounds_of_a_stencil() -> None:
    ir = program("""
        multistage parallel
          stage
            do [start+2, x)
              out = a
            do [x+1, end)
              out = b
            do [x-2, end)
              out = b
    """)
    assert level_limits(ir) == LevelLimits(1, {"x": 2}, {"x": 1})

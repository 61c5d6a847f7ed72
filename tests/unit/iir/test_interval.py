"""Intervals of levels."""

import pytest

from iir.builder import interval
from iir.interval import FULL, bound_level, interval_levels, shift_interval
from iir.span import Span


@pytest.mark.parametrize(
    "start, end, levels",
    [
        ("start", "end", [0, 1, 2, 3, 4]),
        ("start+1", "end-2", [1, 2]),
        ("end-1", "end", [4]),
        ("start", "n", [0, 1, 2]),
        ("n-1", "end", [2, 3, 4]),
        ("start-1", "start+1", [-1, 0]),
        ("end-1", "start+1", []),
    ],
)
def test_levels_of_an_interval(start: str, end: str, levels: list[int]) -> None:
    assert list(interval_levels(interval(start, end), 5, {"n": 3})) == levels


def test_full_interval_is_the_domain() -> None:
    assert list(interval_levels(FULL, 3, {})) == [0, 1, 2]


def test_level_of_a_bound() -> None:
    assert bound_level(interval("start", "n+1").end, 5, {"n": 3}) == 4


def test_shifted_interval_keeps_its_span() -> None:
    span = Span("f.py", 1, 0, 1, 9)
    original = interval("start+1", "n")
    shifted = shift_interval(type(original)(original.start, original.end, span=span), -2)
    assert shifted == interval("start-1", "n-2")
    assert shifted.span == span

"""Sets of points as unions of boxes."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from iir.boxes import Box, BoxSet, box_set
from iir.expressions import Offset

ranges = st.tuples(st.integers(-2, 4), st.integers(-2, 4))
box_lists = st.lists(st.tuples(ranges, ranges, ranges), max_size=4)


def points(boxes: object) -> set[tuple[int, int, int]]:
    assert isinstance(boxes, list | tuple)
    return {(i, j, k) for box in boxes for i, j, k in product(*(range(*side) for side in box))}


def cube(low: int, high: int) -> Box:
    return ((low, high), (low, high), (low, high))


@settings(max_examples=150, deadline=None, derandomize=True)
@given(box_lists, box_lists)
def test_operations_are_those_of_sets_of_points(left: list[Box], right: list[Box]) -> None:
    a, b = box_set(left), box_set(right)
    assert points(a.boxes) == points(left)
    assert points((a | b).boxes) == points(left) | points(right)
    assert points((a & b).boxes) == points(left) & points(right)
    assert points((a - b).boxes) == points(left) - points(right)
    assert (a <= b) == (points(left) <= points(right))
    assert len(a) == len(points(left))


@settings(max_examples=100, deadline=None, derandomize=True)
@given(box_lists)
def test_equal_sets_have_equal_boxes_however_they_are_built(boxes: list[Box]) -> None:
    single = [((i, i + 1), (j, j + 1), (k, k + 1)) for i, j, k in sorted(points(boxes))]
    assert box_set(single) == box_set(boxes)


@settings(max_examples=50, deadline=None, derandomize=True)
@given(box_lists)
def test_boxes_are_disjoint_and_not_empty(boxes: list[Box]) -> None:
    kept = box_set(boxes).boxes
    assert sum(len(points([box])) for box in kept) == len(points(kept))
    assert all(points([box]) for box in kept)


def test_displacement_moves_every_point() -> None:
    moved = box_set([cube(0, 2)]).displaced(Offset(1, 0, -1))
    assert moved == BoxSet((((1, 3), (0, 2), (-1, 1)),))


def test_levels_come_first_in_the_canonical_form() -> None:
    cross = box_set([((0, 3), (1, 2), (0, 5)), ((1, 2), (0, 3), (0, 5))])
    assert cross.boxes == (
        ((1, 2), (0, 1), (0, 5)),
        ((0, 3), (1, 2), (0, 5)),
        ((1, 2), (2, 3), (0, 5)),
    )


def test_membership_and_emptiness() -> None:
    assert (1, 1, 1) in box_set([cube(0, 2)])
    assert (2, 1, 1) not in box_set([cube(0, 2)])
    assert not box_set([cube(2, 2)])
    assert str(BoxSet()) == "empty"


@pytest.mark.parametrize(("box", "text"), [(cube(0, 2), "[0, 2) x [0, 2) x [0, 2)")])
def test_text_shows_half_open_sides(box: Box, text: str) -> None:
    assert str(box_set([box])) == text

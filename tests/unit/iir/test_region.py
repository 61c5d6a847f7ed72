"""Regions relative to the domain."""

from iir.boxes import BoxSet, box_set
from iir.interval import Anchor, Bound
from iir.nodes import Axes
from iir.region import WHOLE, Region, RegionBox, Side


def start(offset: int) -> Bound:
    return Bound(Anchor.START, offset)


def end(offset: int) -> Bound:
    return Bound(Anchor.END, offset)


def side(lower: Bound, upper: Bound) -> Side:
    return Side((lower,), (upper,))


def levels(*sides: Side, axes: Axes = Axes.IJK) -> Region:
    return Region(axes, tuple(RegionBox(WHOLE, WHOLE, item) for item in sides))


def test_columns_of_the_domain_are_not_printed() -> None:
    assert str(levels(side(start(0), start(1)))) == "k=[start, start+1)"


def test_runs_of_levels_on_the_same_columns_are_printed_together() -> None:
    region = levels(side(start(1), start(2)), side(start(3), end(0)))
    assert str(region) == "k=[start+1, start+2) | [start+3, end)"


def test_columns_outside_the_domain_are_printed() -> None:
    region = Region(Axes.IJK, (RegionBox(side(end(0), end(1)), WHOLE, WHOLE),))
    assert str(region) == "i=[end, end+1), k=[start, end)"


def test_different_columns_are_printed_apart() -> None:
    ring = Region(
        Axes.IJK,
        (
            RegionBox(WHOLE, side(start(-1), start(0)), WHOLE),
            RegionBox(side(start(-1), start(0)), WHOLE, WHOLE),
        ),
    )
    assert str(ring) == "j=[start-1, start), k=[start, end); i=[start-1, start), k=[start, end)"


def test_a_field_without_levels_is_printed_as_a_plane() -> None:
    assert str(levels(WHOLE, axes=Axes.IJ)) == "plane"


def test_bounds_of_scalar_parameters_are_printed_by_name() -> None:
    region = levels(Side((start(3), Bound("x", -1)), (end(0), Bound("x", 2))))
    assert str(region) == "k=[max(start+3, x-1), min(end, x+2))"
    assert region.evaluate((2, 2, 9), x=5) == (((0, 2), (0, 2), (4, 7)),)


def test_an_empty_region_says_so() -> None:
    assert str(Region(Axes.IJK, is_empty=True)) == "empty"
    assert not Region(Axes.IJK, is_empty=True)


def test_evaluation_takes_scalars_by_name_or_as_a_mapping() -> None:
    region = levels(side(Bound("x"), end(0)))
    assert region.evaluate((1, 1, 4), x=3) == region.evaluate((1, 1, 4), {"x": 3})


def test_a_missing_axis_is_one_point() -> None:
    assert levels(WHOLE, axes=Axes.IJ).evaluate((2, 3, 4)) == (((0, 2), (0, 3), (0, 1)),)


def test_the_exact_points_win_over_the_printed_form() -> None:
    one = box_set([((0, 1), (0, 1), (0, 1))])
    region = Region(Axes.IJK, (RegionBox(WHOLE, WHOLE, WHOLE),), exact=lambda domain, scalars: one)
    assert region.evaluate((2, 2, 2)) == one.boxes
    assert region.as_printed((1, 1, 2)) == BoxSet((((0, 1), (0, 1), (0, 2)),))


def test_absolute_bounds_are_plain_numbers() -> None:
    box = RegionBox(*(side(start(0), start(4)),) * 3)
    assert str(Region(Axes.K, (box,), is_absolute=True)) == "k=[0, 4)"

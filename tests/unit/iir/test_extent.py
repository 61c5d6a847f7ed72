"""Horizontal extents."""

import pytest

from iir.expressions import Offset
from iir.extent import DOMAIN, Extent, contains, displace, hull

WIDE = Extent((-1, 2), (0, 1))


def test_hull_holds_both() -> None:
    assert hull(Extent((-1, 0), (0, 0)), Extent((1, 2), (-3, -1))) == Extent((-1, 2), (-3, 0))


def test_displacement_moves_both_sides() -> None:
    assert displace(DOMAIN, Offset(1, -2, 5)) == Extent((1, 1), (-2, -2))
    assert displace(WIDE, Offset(-1, 0, 0)) == Extent((-2, 1), (0, 1))


@pytest.mark.parametrize(
    "inner, is_inside",
    [(DOMAIN, True), (WIDE, True), (Extent((1, 1), (0, 0)), True), (Extent((-2, 0), (0, 0)), False)],
)
def test_containment(inner: Extent, is_inside: bool) -> None:
    assert contains(WIDE, inner) is is_inside

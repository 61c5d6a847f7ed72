"""Sets of points, given for each size of the domain, as disjoint boxes that hold for all sizes."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from backends.fortran.regions import bounds_in, is_static
from iir.boxes import BoxSet, Range, box_set
from iir.interval import Anchor, Bound
from iir.nodes import Axes
from iir.region import WHOLE, Region, RegionBox, Side, Size

_AXES: Final = "IJK"


def general_boxes(
    points: Callable[[Size], BoxSet], given: Sequence[RegionBox], axes: Axes, least: Size
) -> tuple[RegionBox, ...]:
    """Boxes that hold all *points* on domains from *least* on, and on large ones no other.

    They are disjoint on large domains. *given* are boxes that hold the points, too, and whose bounds are
    all that the points depend on; they come back where there is no better answer.
    """
    if not is_static(given):
        return tuple(given)
    large = _large(given, least)
    region = Region(axes, tuple(_general(box, axes, large) for box in points(large).boxes))
    is_enough = all(points(size) <= BoxSet(region.evaluate(size)) for size in _sizes(least, large))
    return region.boxes if is_enough else tuple(given)


def disjoint(boxes: Sequence[RegionBox], axes: Axes, least: Size) -> tuple[RegionBox, ...]:
    """*boxes* without points that stand in several, as far as scalars do not bound them."""
    if len(boxes) < 2:
        return tuple(boxes)
    region = Region(axes, tuple(boxes))
    return general_boxes(lambda size: box_set(region.evaluate(size)), boxes, axes, least)


def _large(boxes: Sequence[RegionBox], least: Size) -> Size:
    """A domain on which what hangs on its start lies far from what hangs on its end."""
    reach = max((abs(bound.offset) for box in boxes for bound in bounds_in(box)), default=0)
    size = 4 * max(reach, *least) + 8
    return size, size, size


def _sizes(least: Size, large: Size) -> Iterator[Size]:
    """Domains that are small along one axis."""
    for axis in range(3):
        for size in range(least[axis], large[axis]):
            sizes = tuple(size if other == axis else n for other, n in enumerate(large))
            yield sizes[0], sizes[1], sizes[2]


def _general(box: tuple[Range, Range, Range], axes: Axes, large: Size) -> RegionBox:
    i, j, k = (
        _side(side, size) if axis in axes.value else WHOLE
        for axis, side, size in zip(_AXES, box, large, strict=True)
    )
    return RegionBox(i, j, k)


def _side(side: Range, size: int) -> Side:
    lower, upper = (Bound(Anchor.START, n) if 2 * n < size else Bound(Anchor.END, n - size) for n in side)
    return Side((lower,), (upper,))

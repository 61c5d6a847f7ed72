"""Points that a stencil perhaps writes, and perhaps keeps."""

from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias

from backends.fortran.regions import bounds_in, is_static
from iir.analyses.intents.field_intents import FieldIntent
from iir.boxes import BoxSet, Range, box_set
from iir.interval import Anchor, Bound
from iir.nodes import Axes
from iir.region import WHOLE, Region, RegionBox, Side, Size

_AXES: Final = "IJK"


Flags: TypeAlias = Mapping[str, bool]


def unsure_points(facts: FieldIntent, flags: Flags) -> tuple[RegionBox, ...]:
    """Boxes with all that is in ``may_write`` but not in ``must_write`` while scalars have those values.

    They hold on domains from `FieldIntent.generic_from` on. Where scalars bound the regions, they are all
    of ``may_write``.
    """
    may, must = facts.may_write, facts.must_write
    if may.boxes == must.boxes:
        return ()
    if not (is_static(may.boxes) and is_static(must.boxes)):
        return may.boxes

    def points(size: Size) -> BoxSet:
        return box_set(may.evaluate(size, flags)) - box_set(must.evaluate(size, flags))

    large = _large(facts)
    region = Region(facts.axes, tuple(_printed(box, facts.axes, large) for box in points(large).boxes))
    sizes = _sizes(facts.generic_from, large)
    is_enough = all(points(size) <= BoxSet(region.evaluate(size)) for size in sizes)
    return region.boxes if is_enough else may.boxes


def _large(facts: FieldIntent) -> Size:
    """A domain on which what hangs on its start lies far from what hangs on its end."""
    boxes = (*facts.may_write.boxes, *facts.must_write.boxes)
    reach = max(abs(bound.offset) for box in boxes for bound in bounds_in(box))
    size = 4 * max(reach, *facts.generic_from) + 8
    return size, size, size


def _sizes(least: Size, large: Size) -> Iterator[Size]:
    """Domains that are small along one axis."""
    for axis in range(3):
        for size in range(least[axis], large[axis]):
            sizes = tuple(size if other == axis else n for other, n in enumerate(large))
            yield sizes[0], sizes[1], sizes[2]


def _printed(box: tuple[Range, Range, Range], axes: Axes, large: Size) -> RegionBox:
    i, j, k = (
        _side(side, size) if axis in axes.value else WHOLE
        for axis, side, size in zip(_AXES, box, large, strict=True)
    )
    return RegionBox(i, j, k)


def _side(side: Range, size: int) -> Side:
    lower, upper = (Bound(Anchor.START, n) if 2 * n < size else Bound(Anchor.END, n - size) for n in side)
    return Side((lower,), (upper,))

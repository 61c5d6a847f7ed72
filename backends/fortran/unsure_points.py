"""Points that a stencil perhaps writes, and perhaps keeps."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from backends.fortran.regions import bounds_in, is_static
from iir.analyses.intents.field_intents import FieldIntent
from iir.boxes import BoxSet, Range, box_set
from iir.interval import Anchor, Bound
from iir.nodes import Axes
from iir.region import WHOLE, Region, RegionBox, Side, Size

_AXES: Final = "IJK"


@dataclass(frozen=True, slots=True)
class Unsure:
    """*boxes* hold all points that may but need not be written, on domains from *exact_from* on."""

    boxes: tuple[RegionBox, ...]
    exact_from: Size


def unsure_points(facts: FieldIntent) -> Unsure:
    """What is in ``may_write`` but not in ``must_write``; all of ``may_write`` where that is simpler."""
    may, must = facts.may_write, facts.must_write
    if may.boxes == must.boxes:
        return Unsure((), facts.generic_from)
    if not (is_static(may.boxes) and is_static(must.boxes)):
        return Unsure(may.boxes, facts.generic_from)
    large = _large(facts)
    found = box_set(may.evaluate(large)) - box_set(must.evaluate(large))
    region = Region(facts.axes, tuple(_printed(box, facts.axes, large) for box in found.boxes))
    for size in _sizes(facts.generic_from, large):
        points = box_set(may.evaluate(size)) - box_set(must.evaluate(size))
        if not points <= BoxSet(region.evaluate(size)):
            return Unsure(may.boxes, facts.generic_from)
    return Unsure(region.boxes, facts.generic_from)


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

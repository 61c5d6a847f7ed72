"""Arrays for the temporaries that need memory."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from backends.loopnest.bodies import AXES
from backends.loopnest.expressions import Affine
from backends.loopnest.names import SIZE, STRIP
from backends.loopnest.nodes import Allocate, LaneAllocate, MakeView
from backends.loopnest.places import Place
from backends.loopnest.scope import Scope
from iir.analyses.interval_order import LevelLimits
from iir.analyses.reach import Reach, reaches
from iir.interval import Anchor, Bound
from iir.nodes import TemporaryDecl
from iir.schedule import Axis


@dataclass(frozen=True, slots=True)
class Allocation:
    """The array of a temporary and the view of it whose indices are those of the domain.

    *is_private*: it holds what one iteration of an outermost loop needs, or each lane of a strip has one.
    """

    temporary: str
    array: Allocate | LaneAllocate
    view: MakeView
    is_private: bool


def allocations(scope: Scope) -> Mapping[str, Allocation]:
    """By name of the view, for each temporary that is not kept in registers; large enough in every call."""
    reached = reaches(scope.ir)
    found = (
        _allocation(declaration, reached[declaration.name], scope)
        for declaration in scope.ir.temporaries
        if declaration.name in scope.places and reached[declaration.name]
    )
    return {item.view.name: item for item in found}


def _allocation(declaration: TemporaryDecl, reached: tuple[Reach, ...], scope: Scope) -> Allocation:
    place, named = scope.places[declaration.name], scope.names[declaration.name]
    ranges = {
        Axis.I: (min(r.extent.i[0] for r in reached), max(r.extent.i[1] for r in reached)),
        Axis.J: (min(r.extent.j[0] for r in reached), max(r.extent.j[1] for r in reached)),
        Axis.K: _levels(reached, scope.limits),
    }
    sides = [_side(axis, place, ranges[axis]) for axis in place.axes]
    origin, sizes = tuple(low for low, _ in sides), tuple(size for _, size in sides)
    dtype, on_heap = declaration.dtype, declaration.on_heap
    array: Allocate | LaneAllocate
    if place.lanes is None:
        unit = place.axes.index(place.fastest)
        array = Allocate(named.array, dtype, sizes, unit, origin[unit].offset, must_be_heap=on_heap)
    else:
        unit = None
        first = Affine(STRIP)
        array = LaneAllocate(named.array, dtype, sizes, place.lanes, first=first, must_be_heap=on_heap)
    view = MakeView(named.name, named.array, origin, dtype, unit)
    return Allocation(declaration.name, array, view, is_private=place.is_private)


def _side(axis: Axis, place: Place, touched: tuple[int, int]) -> tuple[Affine, Affine]:
    """Where index 0 lies on *axis*, and how many indices there are."""
    if axis in place.slots:
        return Affine(None, 0), Affine(None, place.slots[axis])
    low, high = touched
    return Affine(None, -low), Affine(SIZE[AXES.index(axis)], high - low)


def _levels(reached: Iterable[Reach], limits: LevelLimits) -> tuple[int, int]:
    """Offsets from the domain's first and last level that hold every level touched."""
    intervals = [reach.interval for reach in reached]
    return (
        min(_lowest(interval.start, limits) for interval in intervals),
        max(_highest(interval.end, limits) for interval in intervals),
    )


def _lowest(start: Bound, limits: LevelLimits) -> int:
    match start.anchor:
        case Anchor.START:
            return start.offset
        case Anchor.END:
            return limits.required + start.offset
        case name:
            return limits.lowest.get(name, 0) + start.offset


def _highest(end: Bound, limits: LevelLimits) -> int:
    match end.anchor:
        case Anchor.START:
            return end.offset - limits.required
        case Anchor.END:
            return end.offset
        case name:
            return end.offset - limits.highest.get(name, 0)

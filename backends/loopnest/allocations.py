"""Workspaces for the temporaries that need memory."""

from collections.abc import Iterable

from backends.loopnest.nodes import Allocate
from backends.loopnest.scope import Scope
from iir.analyses.interval_order import LevelLimits
from iir.analyses.reach import Reach, reaches
from iir.interval import Anchor, Bound
from iir.nodes import TemporaryDecl
from iir.schedule import Axis


def allocations(scope: Scope) -> tuple[Allocate, ...]:
    """One for each temporary that is not kept in registers, large enough in every permitted call."""
    reached = reaches(scope.ir)
    return tuple(
        _allocate(declaration, reached[declaration.name], scope)
        for declaration in scope.ir.temporaries
        if not scope.is_register(declaration.name) and reached[declaration.name]
    )


def _allocate(declaration: TemporaryDecl, reached: tuple[Reach, ...], scope: Scope) -> Allocate:
    axes = scope.axes(declaration.name)
    ranges = {
        Axis.I: (min(r.extent.i[0] for r in reached), max(r.extent.i[1] for r in reached)),
        Axis.J: (min(r.extent.j[0] for r in reached), max(r.extent.j[1] for r in reached)),
        Axis.K: _levels(reached, scope.limits),
    }
    return Allocate(
        scope.names[declaration.name].array,
        declaration.dtype,
        axes,
        tuple(ranges[axis][0] for axis in axes),
        tuple(ranges[axis][1] for axis in axes),
        fastest=scope.places[declaration.name].fastest,
        per_chunk=scope.is_per_chunk(declaration.name),
    )


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

"""Intervals and extents as bounds of loops."""

from collections.abc import Callable, Iterable
from typing import TypeAlias

from backends.loopnest.bodies import AXES, Body, box_side
from backends.loopnest.expressions import Affine, Greatest, Least, Position
from backends.loopnest.names import SIZE
from backends.loopnest.scope import Scope
from iir.analyses.interval_order import is_at_most
from iir.interval import Anchor, Bound
from iir.schedule import Axis

Range: TypeAlias = tuple[Position, Position]

NI, NJ, NK = SIZE


def body_range(body: Body, axis: Axis, scope: Scope) -> tuple[Affine, Affine]:
    """The half-open range of the index of a loop on *axis* in which *body* runs."""
    if axis is Axis.K:
        return _level(body.interval.start, scope), _level(body.interval.end, scope)
    low, high = index_side(body, axis)
    return Affine(None, low), Affine(_size(axis), high)


def hull_range(bodies: Iterable[Body], axis: Axis, scope: Scope) -> Range:
    """A range that holds those of all *bodies*; its parts that no body needs do no harm."""
    bodies = tuple(bodies)
    if axis is Axis.K:
        return _levels_hull(bodies, scope)
    sides = [index_side(body, axis) for body in bodies]
    return Affine(None, min(low for low, _ in sides)), Affine(_size(axis), max(high for _, high in sides))


def domain_range(axis: Axis) -> tuple[Affine, Affine]:
    """The indices of the domain on a horizontal axis."""
    return Affine(None, 0), Affine(_size(axis))


def index_side(body: Body, axis: Axis) -> tuple[int, int]:
    """How far a horizontal loop goes beyond the domain, below and above, in which *body* runs."""
    low, high = box_side(body, axis)
    lead = body.lead[AXES.index(axis)]
    return low - lead, high - lead


def _size(axis: Axis) -> str:
    return NI if axis is Axis.I else NJ


def _levels_hull(bodies: tuple[Body, ...], scope: Scope) -> Range:
    def is_below(left: Bound, right: Bound) -> bool:
        return is_at_most(left, right, scope.limits)

    def is_above(left: Bound, right: Bound) -> bool:
        return is_below(right, left)

    starts = _outermost((body.interval.start for body in bodies), is_below)
    ends = _outermost((body.interval.end for body in bodies), is_above)
    low, high = (tuple(_level(bound, scope) for bound in bounds) for bounds in (starts, ends))
    return low[0] if len(low) == 1 else Least(low), high[0] if len(high) == 1 else Greatest(high)


def _outermost(bounds: Iterable[Bound], is_beyond: Callable[[Bound, Bound], bool]) -> tuple[Bound, ...]:
    """Those of *bounds* that no other one surely makes superfluous, in every permitted call."""
    kept: list[Bound] = []
    for bound in bounds:
        if not any(is_beyond(other, bound) for other in kept):
            kept = [*(other for other in kept if not is_beyond(bound, other)), bound]
    return tuple(kept)


def _level(bound: Bound, scope: Scope) -> Affine:
    match bound.anchor:
        case Anchor.START:
            return Affine(None, bound.offset)
        case Anchor.END:
            return Affine(NK, bound.offset)
        case name:
            return Affine(scope.names[name].level, bound.offset)

"""Intervals and extents as bounds of loops."""

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from backends.loopnest.bodies import Body
from backends.loopnest.expressions import Affine, Greatest, Least, Position
from backends.loopnest.names import SIZE, Named
from iir.interval import Anchor, Bound
from iir.schedule import Axis

Range: TypeAlias = tuple[Position, Position]

NI, NJ, NK = SIZE


def body_range(body: Body, axis: Axis, names: Mapping[str, Named]) -> tuple[Affine, Affine]:
    """The half-open range of *body* on *axis*, relative to the domain's first point."""
    match axis:
        case Axis.I:
            return Affine(None, body.box.i[0]), Affine(NI, body.box.i[1])
        case Axis.J:
            return Affine(None, body.box.j[0]), Affine(NJ, body.box.j[1])
        case Axis.K:
            return _level(body.interval.start, names), _level(body.interval.end, names)


def hull_range(bodies: Iterable[Body], axis: Axis, names: Mapping[str, Named]) -> Range:
    """A range that holds those of all *bodies*; its parts that no body needs do no harm."""
    ranges = [body_range(body, axis, names) for body in bodies]
    starts = _extremes((start for start, _ in ranges), min)
    stops = _extremes((stop for _, stop in ranges), max)
    return (
        starts[0] if len(starts) == 1 else Least(starts),
        stops[0] if len(stops) == 1 else Greatest(stops),
    )


def _level(bound: Bound, names: Mapping[str, Named]) -> Affine:
    match bound.anchor:
        case Anchor.START:
            return Affine(None, bound.offset)
        case Anchor.END:
            return Affine(NK, bound.offset)
        case name:
            return Affine(names[name].level, bound.offset)


def _extremes(bounds: Iterable[Affine], better: Callable[[int, int], int]) -> tuple[Affine, ...]:
    """One bound for each anchor: of those on one anchor the offsets decide."""
    best: dict[str | None, int] = {}
    for bound in bounds:
        best[bound.name] = better(best.get(bound.name, bound.offset), bound.offset)
    return tuple(Affine(name, offset) for name, offset in best.items())

"""Vertical intervals: half-open ranges of levels, with bounds relative to the domain."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final

from iir.base import Node


class Anchor(Enum):
    """The end of the domain that a bound counts from."""

    START = "start"
    END = "end"

    def __repr__(self) -> str:
        return f"Anchor.{self.name}"


@dataclass(frozen=True, slots=True)
class Bound(Node):
    """One end of an interval: the domain's start or end, or a scalar parameter, plus a constant."""

    anchor: Anchor | str
    offset: int = 0


@dataclass(frozen=True, slots=True)
class Interval(Node):
    """Levels ``[start, end)``."""

    start: Bound
    end: Bound


FULL: Final = Interval(Bound(Anchor.START), Bound(Anchor.END))


def shift_interval(interval: Interval, levels: int) -> Interval:
    """The interval displaced upwards by *levels*."""
    start, end = interval.start, interval.end
    return Interval(
        Bound(start.anchor, start.offset + levels, span=start.span),
        Bound(end.anchor, end.offset + levels, span=end.span),
        span=interval.span,
    )


def bound_level(bound: Bound, nk: int, scalars: Mapping[str, int]) -> int:
    """The level of *bound* in a domain of *nk* levels."""
    match bound.anchor:
        case Anchor.START:
            return bound.offset
        case Anchor.END:
            return nk + bound.offset
        case name:
            return int(scalars[name]) + bound.offset


def interval_levels(interval: Interval, nk: int, scalars: Mapping[str, int]) -> range:
    """The levels of *interval*, ascending; empty where its end is not above its start."""
    return range(bound_level(interval.start, nk, scalars), bound_level(interval.end, nk, scalars))

"""What surely holds between intervals, for every size and scalar that a call may have."""

from collections.abc import Mapping
from dataclasses import dataclass

from iir.analyses.required_levels import intervals, required_levels
from iir.interval import Anchor, Bound, Interval
from iir.nodes import Stencil


@dataclass(frozen=True, slots=True)
class LevelLimits:
    """What a call guarantees: at least *required* levels, and each run-time bound inside them.

    There is at least one level, because a call with an empty domain computes nothing.
    A scalar `x` that bounds intervals lies in ``[lowest[x], nk - highest[x]]``.
    """

    required: int
    lowest: Mapping[str, int]
    highest: Mapping[str, int]


def level_limits(ir: Stencil) -> LevelLimits:
    """All that calls of *ir* keep: enough levels for every interval, each run-time bound in [0, nk]."""
    offsets = _run_time_offsets(ir)
    return LevelLimits(
        max(1, required_levels(ir)),
        {name: -min(own) for name, own in offsets.items()},
        {name: max(own) for name, own in offsets.items()},
    )


def lasting_limits(ir: Stencil) -> LevelLimits:
    """Limits that a pass cannot weaken by removing statements: what every interval alone implies."""
    offsets = _run_time_offsets(ir)
    return LevelLimits(
        1,
        {name: -max(own) for name, own in offsets.items()},
        {name: min(own) for name, own in offsets.items()},
    )


def _run_time_offsets(ir: Stencil) -> dict[str, list[int]]:
    offsets: dict[str, list[int]] = {}
    for interval in intervals(ir):
        for bound in (interval.start, interval.end):
            if isinstance(bound.anchor, str):
                offsets.setdefault(bound.anchor, []).append(bound.offset)
    return offsets


def is_at_most(left: Bound, right: Bound, limits: LevelLimits) -> bool:
    """Whether *left* <= *right* in every permitted call; False where that is not certain."""
    if left.anchor == right.anchor:
        return left.offset <= right.offset
    gap = right.offset - left.offset
    match left.anchor, right.anchor:
        case (Anchor.START, Anchor.END):
            return gap + limits.required >= 0
        case (Anchor.START, str(name)):
            return name in limits.lowest and gap + limits.lowest[name] >= 0
        case (str(name), Anchor.END):
            return name in limits.highest and gap + limits.highest[name] >= 0
        case _:
            return False


def is_disjoint(left: Interval, right: Interval, limits: LevelLimits) -> bool:
    """Whether *left* and *right* surely share no level."""
    return is_at_most(left.end, right.start, limits) or is_at_most(right.end, left.start, limits)


def is_nonempty(interval: Interval, limits: LevelLimits) -> bool:
    """Whether *interval* surely holds a level."""
    after = Bound(interval.start.anchor, interval.start.offset + 1)
    return is_at_most(after, interval.end, limits)


def without(levels: Interval, removed: Interval, limits: LevelLimits) -> tuple[Interval, ...]:
    """What is left of *levels* after *removed*: exact where it splits surely, else all of *levels*."""
    if is_disjoint(levels, removed, limits):
        return (levels,)
    rest: list[Interval] = []
    if not is_at_most(removed.start, levels.start, limits):
        if not (
            is_at_most(levels.start, removed.start, limits) and is_at_most(removed.start, levels.end, limits)
        ):
            return (levels,)
        rest.append(Interval(levels.start, removed.start))
    if not is_at_most(levels.end, removed.end, limits):
        if not (
            is_at_most(levels.start, removed.end, limits) and is_at_most(removed.end, levels.end, limits)
        ):
            return (levels,)
        rest.append(Interval(removed.end, levels.end))
    return tuple(rest)

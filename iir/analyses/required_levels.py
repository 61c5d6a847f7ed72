"""The smallest number of levels that a stencil can be called with."""

from collections.abc import Iterator

from iir.interval import Anchor, Bound, Interval
from iir.nodes import Stencil


def required_levels(ir: Stencil) -> int:
    """The smallest nk for which every interval without run-time bounds has 0 <= lower <= upper <= nk.

    A bound that passes chose outside the domain (they may, for temporaries) demands nothing.
    """
    return max((levels_needed(interval) for interval in intervals(ir)), default=0)


def intervals(ir: Stencil) -> Iterator[Interval]:
    """The intervals of all do-methods, in program order."""
    for multistage in ir.multistages:
        for stage in multistage.stages:
            for do_method in stage.do_methods:
                yield do_method.interval


def levels_needed(interval: Interval) -> int:
    """The smallest nk for which *interval* alone is in order; 0 with a run-time bound."""
    start, end = interval.start, interval.end
    if not (isinstance(start.anchor, Anchor) and isinstance(end.anchor, Anchor)):
        return 0
    alone = max(_distance(start), _distance(end))
    if start.anchor is Anchor.START and end.anchor is Anchor.END:
        return max(alone, start.offset - end.offset) if _is_inside(start) and _is_inside(end) else alone
    return alone


def _distance(bound: Bound) -> int:
    """How many levels there must be for *bound* to lie inside them."""
    return max(0, bound.offset if bound.anchor is Anchor.START else -bound.offset)


def _is_inside(bound: Bound) -> bool:
    return bound.offset >= 0 if bound.anchor is Anchor.START else bound.offset <= 0

"""Numbers of levels and run-time bounds that stand for every call of a stencil."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product
from typing import Final

from iir.analyses.accesses import accesses
from iir.analyses.interval_order import LevelLimits, level_limits
from iir.analyses.required_levels import intervals
from iir.interval import Anchor, Bound
from iir.nodes import Stencil

_MOST_CASES: Final = 4000
_MOST_STEPS: Final = 400_000


@dataclass(frozen=True, slots=True)
class Case:
    """A call with *nk* levels; *is_large*: a size from which on larger ones behave alike.

    Without an entry in *scalars* the value of a run-time bound is unknown.
    """

    nk: int
    scalars: Mapping[str, int]
    is_large: bool


def call_cases(ir: Stencil) -> tuple[Case, ...]:
    """Cases in which bounds (displaced by offsets) stand in every order that a call can give them.

    With more run-time bounds than can be enumerated the cases leave them unknown.
    """
    bounds = tuple(bound for interval in intervals(ir) for bound in (interval.start, interval.end))
    found = accesses(ir)
    shifts = sorted({shift for access in found for shift in (access.offset.k, -access.offset.k)} | {0})
    limits = level_limits(ir)
    names = sorted(limits.lowest)
    reach = 2 * (max((abs(bound.offset) for bound in bounds), default=0) + shifts[-1]) + 3
    large = max(limits.required, reach * (len(names) + 1))
    if names:
        sizes = range(limits.required, large + 1) if len(names) > 1 else _sizes(limits.required, reach, large)
        cases = tuple(islice(_run_time_cases(names, limits, sizes), _MOST_CASES + 1))
        if len(cases) <= _MOST_CASES and len(cases) * len(found) <= _MOST_STEPS:
            return cases
    critical = {nk for nk in _critical(bounds, shifts) if limits.required <= nk < large}
    return tuple(Case(nk, {}, nk == large) for nk in sorted({limits.required, large} | critical))


def _sizes(required: int, reach: int, large: int) -> tuple[int, ...]:
    """With one run-time bound: sizes at which it can be near both ends of the domain, and a large one."""
    return (*range(required, min(required + reach, large)), large)


def _critical(bounds: tuple[Bound, ...], shifts: Iterable[int]) -> set[int]:
    """The sizes at which some bound, displaced, passes another."""
    starts = {0} | {bound.offset for bound in bounds if bound.anchor is Anchor.START}
    ends = {0} | {bound.offset for bound in bounds if bound.anchor is Anchor.END}
    meetings = {start - end + shift for start in starts for end in ends for shift in shifts}
    return {size + near for size in meetings for near in (-1, 0, 1)}


def _run_time_cases(names: list[str], limits: LevelLimits, sizes: Sequence[int]) -> Iterator[Case]:
    for nk in sizes:
        ranges = (range(limits.lowest[name], nk - limits.highest[name] + 1) for name in names)
        for values in product(*ranges):
            yield Case(nk, dict(zip(names, values, strict=True)), nk == sizes[-1])

"""Which domain sizes and run-time bounds tell everything about one field.

All that the analysis does depends on the order of the bounds on each axis. From some size on that
order is the same, so it is enough to look at every size up to that one.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice, product
from math import prod
from typing import Final

from iir.analyses.intents.conditions import branches, scalar_atoms, scalars_of
from iir.analyses.intents.events import (
    Branch,
    Event,
    History,
    Place,
    Read,
    Store,
    Sweep,
    accesses_of,
    places,
    reads_and_stores,
)
from iir.analyses.intents.turns import Turns, least_values, turns_of
from iir.analyses.intents.universe import BoundsOfAxes, Setting
from iir.analyses.required_levels import intervals
from iir.expressions import Constant, Expr
from iir.interval import Anchor, Bound, Interval
from iir.nodes import Axes, LoopOrder, Stencil
from iir.region import Size
from iir.traversal import walk

MOST_RUN_TIME_BOUNDS: Final = 2
_MOST_CELLS: Final = 3_000_000
_MOST_SETTINGS: Final = 20_000
_LARGEST_CONSTANT: Final = 32
_START: Final = Bound(Anchor.START)
_END: Final = Bound(Anchor.END)


@dataclass(frozen=True, slots=True)
class Limits:
    """What a call must keep: the least number of levels, and for each scalar that bounds an
    interval the least and greatest constant that is added to it."""

    levels: int
    offsets: Mapping[str, tuple[int, int]]

    def values(self, name: str, levels: int) -> range:
        """The values of scalar *name* with which every bound lies in the domain."""
        low, high = self.offsets[name]
        return range(-low, levels - high + 1)


def limits_of(ir: Stencil, required: int) -> Limits:
    offsets: dict[str, tuple[int, int]] = {}
    for interval in intervals(ir):
        for bound in (interval.start, interval.end):
            if isinstance(bound.anchor, str):
                low, high = offsets.get(bound.anchor, (bound.offset, bound.offset))
                offsets[bound.anchor] = min(low, bound.offset), max(high, bound.offset)
    return Limits(required, offsets)


@dataclass(frozen=True, slots=True)
class Plan:
    """The sizes at which a field is looked at.

    *generic* is a size from which on nothing changes its order; *settings* are all smaller ones,
    too, with all orders that the *scalars* that bound intervals can have: at *turns* it changes, or
    they are None and all values are there. Where these would be too many, *is_thin* and of the
    numbers of columns only the least and the generic ones are there.
    """

    generic: Size
    scalars: tuple[str, ...]
    settings: tuple[Setting, ...]
    is_thin: bool = False
    turns: Turns | None = None


def plan(history: History, axes: Axes, limits: Limits, scalars: tuple[str, ...]) -> Plan:
    """How to look at a field; *scalars* are those whose every value is to be tried."""
    bounds = bounds_of(history)
    least = max(1, limits.levels)
    generic = (
        _columns(history, bounds[0], 0, axes),
        _columns(history, bounds[1], 1, axes),
        max(least, _levels(history, bounds[2], limits, scalars)),
    )
    columns = tuple(product(range(1, generic[0] + 1), range(1, generic[1] + 1)))
    turns = _turns(history, limits, scalars)
    values = {nk: tuple(_values(scalars, nk, limits, turns)) for nk in range(least, generic[2] + 1)}
    cells = prod(len(axis) for axis in bounds)
    is_thin = len(columns) * cells * sum(map(len, values.values())) > _MOST_CELLS
    if is_thin:
        columns = tuple(dict.fromkeys([(1, 1), generic[:2]]))
    settings = (
        Setting((*column, nk), chosen) for column in columns for nk in values for chosen in values[nk]
    )
    return Plan(generic, scalars, tuple(settings), is_thin, turns)


def can_try_all(history: History, limits: Limits) -> bool:
    """Whether the run-time bounds of *history* are few and its constants small enough."""
    scalars = run_time_scalars(history, limits)
    if len(scalars) > MOST_RUN_TIME_BOUNDS:
        return False
    if not scalars:
        return True
    levels = range(limits.levels, _levels(history, bounds_of(history)[2], limits, scalars) + 1)
    turns = _turns(history, limits, scalars)
    every = (values for nk in levels for values in _values(scalars, nk, limits, turns))
    return next(islice(every, _MOST_SETTINGS, None), None) is None


def _values(
    scalars: tuple[str, ...], levels: int, limits: Limits, turns: Turns | None
) -> Iterable[Mapping[str, int]]:
    """Values of *scalars* on so many *levels*, at least one for each order that bounds can have."""
    ranges = [limits.values(name, levels) for name in scalars]
    if turns is None:
        found: Iterable[tuple[int, ...]] = product(*ranges)
    else:
        every = dict.fromkeys(least_values(scalars, levels, turns))
        found = (values for values in every if all(n in r for n, r in zip(values, ranges, strict=True)))
    return (dict(zip(scalars, values, strict=True)) for values in found)


def _turns(history: History, limits: Limits, scalars: tuple[str, ...]) -> Turns | None:
    """Where the order of bounds changes; None where conditions on *scalars* depend on more than that."""
    events = [event for sweep in history for event in sweep.events]
    atoms = (atom for branch in branches(events) for atom in scalar_atoms(branch.condition))
    if any(scalars_of(atom) & set(scalars) for atom in atoms):
        return None
    undisplaced = (bound for place in places(events) for bound in (place.interval.start, place.interval.end))
    ends = (Bound(name, offset) for name in scalars for offset in limits.offsets[name])
    return turns_of((*bounds_of(history)[2], *undisplaced, *ends), scalars)


def _order_size(bounds: Iterable[Bound]) -> int:
    """The least size from which on every start bound lies below every end bound."""
    starts = [bound.offset for bound in bounds if bound.anchor is Anchor.START]
    ends = [bound.offset for bound in bounds if bound.anchor is Anchor.END]
    return max(1, max(starts) - min(ends) + 1)


def _columns(history: History, bounds: Iterable[Bound], axis: int, axes: Axes) -> int:
    """As `_order_size`; on an axis that the field lacks it only matters whether a box is empty."""
    if "IJ"[axis] in axes.value:
        return _order_size(bounds)
    boxes = (place.box for sweep in history for place in places(sweep.events))
    sides = (box.i if axis == 0 else box.j for box in boxes)
    return max([1, *(low - high + 1 for low, high in sides)])


def _levels(history: History, bounds: Iterable[Bound], limits: Limits, scalars: tuple[str, ...]) -> int:
    """As `_order_size`, with room for run-time bounds to stand apart from all others."""
    events = [event for sweep in history for event in sweep.events]
    undisplaced = (bound for place in places(events) for bound in (place.interval.start, place.interval.end))
    every = (*bounds, *undisplaced)
    if not scalars:
        return _order_size(every)
    offsets = [bound.offset for bound in every]
    offsets += [offset for name in scalars for offset in limits.offsets[name]]
    offsets += [n for branch in branches(events) for n in _constants(branch.condition, scalars)]
    return (len(scalars) + 1) * (max(offsets) - min(offsets) + 2)


def _constants(condition: Expr, scalars: tuple[str, ...]) -> Iterator[int]:
    for atom in scalar_atoms(condition):
        if scalars_of(atom) <= set(scalars):
            for node in walk(atom):
                if isinstance(node, Constant) and abs(node.value) <= _LARGEST_CONSTANT:
                    yield int(node.value)


def run_time_scalars(history: History, limits: Limits) -> tuple[str, ...]:
    """The scalars that bound an interval of *history*, or any interval and are in its conditions."""
    events = [event for sweep in history for event in sweep.events]
    found = {
        bound.anchor: None
        for place in places(events)
        for bound in (place.interval.start, place.interval.end)
        if isinstance(bound.anchor, str)
    }
    for branch in branches(events):
        for atom in scalar_atoms(branch.condition):
            found |= dict.fromkeys(sorted(scalars_of(atom) & limits.offsets.keys()))
    return tuple(found)


def bounds_of(history: History) -> BoundsOfAxes:
    """For each axis all bounds of what *history* accesses, those of the domain included."""
    lower: tuple[set[int], set[int]] = ({0}, {0})
    upper: tuple[set[int], set[int]] = ({0}, {0})
    levels: dict[Bound, None] = {_START: None, _END: None}
    for sweep in history:
        for place, offset in accesses_of(sweep.events):
            for axis, extent, moved in ((0, place.box.i, offset.i), (1, place.box.j, offset.j)):
                lower[axis].add(extent[0] + moved)
                upper[axis].add(extent[1] + moved)
            for bound in (place.interval.start, place.interval.end):
                levels[Bound(bound.anchor, bound.offset + offset.k)] = None
        levels |= dict.fromkeys(_first_levels(sweep))
    return _sides(lower[0], upper[0]), _sides(lower[1], upper[1]), tuple(levels)


def _first_levels(sweep: Sweep) -> Iterator[Bound]:
    """Around the levels that are stored when the first iteration reads a field as a whole."""
    events = tuple(reads_and_stores(sweep.events))
    whole = [event.place.interval for event in events if isinstance(event, Read) and event.whole]
    for interval in dict.fromkeys(whole):
        first, inner = (interval.end, -1) if sweep.order is LoopOrder.BACKWARD else (interval.start, 0)
        for at in dict.fromkeys(event.offset.k for event in events if isinstance(event, Store)):
            for n in (0, 1):
                yield Bound(first.anchor, first.offset + inner + at + n)


def _sides(lower: set[int], upper: set[int]) -> tuple[Bound, ...]:
    starts = (Bound(Anchor.START, offset) for offset in sorted(lower))
    return (*starts, *(Bound(Anchor.END, offset) for offset in sorted(upper)))


def without_run_time_bounds(history: History) -> History:
    """A history that sees and stores at least what *history* does, and surely stores no more.

    What runs between run-time bounds counts as perhaps running anywhere in the column.
    """
    return tuple(replace(sweep, events=tuple(_unbounded(sweep.events))) for sweep in history)


def _unbounded(events: Iterable[Event]) -> Iterator[Event]:
    for event in events:
        match event:
            case Branch():
                then, orelse = tuple(_unbounded(event.then)), tuple(_unbounded(event.orelse))
                yield replace(event, then=then, orelse=orelse)
            case Read():
                yield replace(event, place=_unbounded_place(event.place))
            case Store():
                place = _unbounded_place(event.place)
                yield replace(event, place=place, may=event.may or place != event.place)


def _unbounded_place(place: Place) -> Place:
    start, end = place.interval.start, place.interval.end
    lower = _START if isinstance(start.anchor, str) else start
    upper = _END if isinstance(end.anchor, str) else end
    return Place(Interval(lower, upper), place.box)

"""The rules: how reads and stores of one field compose to what a node does to it.

A summary is ``(R, M, Y)``: the points whose value on entry is seen, those surely written, those
perhaps written. In sequence ``(R1 | (R2 - M1), M1 | M2, Y1 | Y2)``; what is special is a sweep
over levels (`_sweep`) and a condition that differs from point to point (`_Iteration`).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, assert_never

from iir.analyses.intents.events import Branch, Event, History, Place, Read, Store, Sweep, places
from iir.analyses.intents.universe import NOTHING, Points, Universe
from iir.expressions import Expr, Offset
from iir.interval import Bound, bound_level
from iir.nodes import LoopOrder

Spread: TypeAlias = dict[int, Points]
"""Points stored at each vertical offset from the level of the storing iteration."""


@dataclass(frozen=True, slots=True)
class Truth:
    """The cells where a condition surely holds for all points of a setting, and where it may for any."""

    surely: Points
    perhaps: Points


TruthOf: TypeAlias = Callable[[Expr], Truth]


@dataclass(frozen=True, slots=True)
class Exposure:
    """A read and the entry values that it sees."""

    read: Read
    points: Points


@dataclass(frozen=True, slots=True)
class Summary:
    """What a node does to one field; *exposures* are those of its reads that see entry values."""

    irbw: Points = NOTHING
    reads: Points = NOTHING
    may_write: Points = NOTHING
    must_write: Points = NOTHING
    exposures: tuple[Exposure, ...] = ()


def summarise(history: History, universe: Universe, truth_of: TruthOf) -> Summary:
    """What the events of *history*, one sweep after another, do to the field."""
    total = Summary()
    for sweep in history:
        total = sequence(total, _summary_of(sweep, universe, truth_of))
    return total


def sequence(first: Summary, second: Summary) -> Summary:
    """*first*, then *second*."""
    late = (Exposure(item.read, item.points & ~first.must_write) for item in second.exposures)
    return Summary(
        first.irbw | (second.irbw & ~first.must_write),
        first.reads | second.reads,
        first.may_write | second.may_write,
        first.must_write | second.must_write,
        first.exposures + tuple(item for item in late if item.points),
    )


def _summary_of(sweep: Sweep, universe: Universe, truth_of: TruthOf) -> Summary:
    if sweep.order is LoopOrder.PARALLEL:
        return _parallel(sweep, universe, truth_of)
    if not universe.has_axis(2):
        return _plane_sweep(sweep, universe, truth_of)
    return _sweep(sweep, universe, truth_of)


def _parallel(sweep: Sweep, universe: Universe, truth_of: TruthOf) -> Summary:
    """Each statement runs on its whole interval before the next one starts."""
    iteration = _Iteration(universe.box, universe.whole, truth_of, lambda offset: 0)
    iteration.run(sweep.events, universe.everything)
    return iteration.summary(lambda level: NOTHING)


def _sweep(sweep: Sweep, universe: Universe, truth_of: TruthOf) -> Summary:
    """Close one iteration over the levels of the loop.

    A read at vertical offset *o* sees what earlier iterations stored at offset *w* exactly if
    ``w > o`` going up or ``w < o`` going down, whichever statement stored it.
    """
    upwards = sweep.order is LoopOrder.FORWARD

    def passed(place: Place, level: int) -> tuple[Points, Points]:
        return universe.passed(place.interval, level, upwards)

    iteration = _Iteration(universe.box, universe.whole, truth_of, lambda offset: offset.k, passed)
    iteration.run(sweep.events, universe.everything)
    stored = dict(iteration.stored)

    def earlier(seen_from: int | Place) -> Points:
        if isinstance(seen_from, Place):
            return _union(points & passed(seen_from, at)[0] for at, points in stored.items())
        return _union(
            points for at, points in stored.items() if (at > seen_from if upwards else at < seen_from)
        )

    return iteration.summary(earlier)


def _plane_sweep(sweep: Sweep, universe: Universe, truth_of: TruthOf) -> Summary:
    """The levels of a field without K are one plane after another, in loop order.

    Levels on which the same statements run do the same, and doing it twice is doing it once: each
    run of such levels counts as one.
    """
    iteration = _Iteration(universe.box, universe.whole, truth_of, lambda offset: 0)
    for step in _steps(sweep, universe):
        iteration.points_of = _plane_at(step, universe)
        iteration.whole_of = _whole_plane_at(step, universe)
        iteration.run(sweep.events, universe.everything)
    return iteration.summary(lambda level: NOTHING)


def _plane_at(step: Sequence[int | None], universe: Universe) -> Callable[[Place, Offset], Points]:
    def points_of(place: Place, offset: Offset) -> Points:
        return universe.columns(place, offset) & universe.active(place.interval, step)

    return points_of


def _whole_plane_at(step: Sequence[int | None], universe: Universe) -> Callable[[Place], Points]:
    def whole_of(place: Place) -> Points:
        return universe.whole(place) & universe.active(place.interval, step)

    return whole_of


def _steps(sweep: Sweep, universe: Universe) -> Iterator[Sequence[int | None]]:
    """One level out of each run of levels in loop order, for all settings side by side."""
    bounds = dict.fromkeys(bound for place in places(sweep.events) for bound in _bounds(place))
    runs = []
    for setting in universe.settings:
        levels = sorted({bound_level(bound, setting.domain[2], setting.scalars) for bound in bounds})
        runs.append(levels if sweep.order is LoopOrder.FORWARD else levels[::-1])
    for number in range(max((len(levels) for levels in runs), default=0)):
        yield [levels[number] if number < len(levels) else None for levels in runs]


def _bounds(place: Place) -> tuple[Bound, Bound]:
    return place.interval.start, place.interval.end


@dataclass(slots=True)
class _Frame:
    """A branch of a condition that differs from point to point.

    *stored* is what an active point has itself stored in this branch so far; in an else-branch
    *other* is what the points of the then-branch have stored.
    """

    stored: Spread
    other: Spread | None = None


@dataclass(slots=True)
class _Iteration:
    """Runs events one after another and keeps what has surely been stored.

    Under a condition that differs from point to point a store reaches only points where it holds.
    So a read at its own point is covered by what that point has stored on its path (`_here`), a
    read at any other point by what every point has stored, whichever branch it takes
    (`_everywhere`).

    In a sweep *passed* tells, for a place and the offset of a store, which points earlier iterations
    than the first of that place store, and which that iteration itself.
    """

    points_of: Callable[[Place, Offset], Points]
    whole_of: Callable[[Place], Points]
    truth_of: TruthOf
    level_of: Callable[[Offset], int]
    passed: Callable[[Place, int], tuple[Points, Points]] | None = None
    stored: Spread = field(default_factory=dict)
    frames: list[_Frame] = field(default_factory=list)
    uncovered: list[tuple[int | Place, Exposure]] = field(default_factory=list)
    reads: Points = NOTHING
    may_write: Points = NOTHING

    def run(self, events: tuple[Event, ...], active: Points) -> None:
        """Run *events* where the uniform conditions around them hold."""
        for event in events:
            match event:
                case Read():
                    self._read(event, active)
                case Store():
                    self._store(event, active)
                case Branch():
                    self._branch(event, active)
                case _:
                    assert_never(event)

    def summary(self, earlier: Callable[[int | Place], Points]) -> Summary:
        """The summary, given what earlier iterations store as seen at a vertical offset, or by the
        first of a place."""
        exposures = tuple(
            Exposure(item.read, seen)
            for seen_from, item in self.uncovered
            if (seen := item.points & ~earlier(seen_from))
        )
        return Summary(
            _union(item.points for item in exposures),
            self.reads,
            self.may_write,
            _union(self.stored.values()),
            exposures,
        )

    def _read(self, event: Read, active: Points) -> None:
        if event.whole:
            self._read_whole(event, active)
            return
        points = self.points_of(event.place, event.offset) & active
        level = self.level_of(event.offset)
        is_own_point = event.offset.i == event.offset.j == 0 and level == event.offset.k
        covered = self._here(level) if is_own_point else self._everywhere(level)
        self.reads |= points
        if seen := points & ~covered:
            self.uncovered.append((level, Exposure(event, seen)))

    def _read_whole(self, event: Read, active: Points) -> None:
        """In a sweep the first iteration reads what no other has stored yet."""
        points = self.whole_of(event.place) & active
        self.reads |= points
        covered = self._everywhere(0)
        if self.passed is not None:
            offsets = dict.fromkeys(level for spread in self._spreads for level in spread)
            covered = _union(self._everywhere(at) & self.passed(event.place, at)[1] for at in offsets)
        if seen := points & ~covered:
            self.uncovered.append((event.place, Exposure(event, seen)))

    def _store(self, event: Store, active: Points) -> None:
        points = self.whole_of(event.place) if event.whole else self.points_of(event.place, event.offset)
        points &= active
        self.may_write |= points
        if not event.may:
            self._add({self.level_of(event.offset): points})

    def _branch(self, event: Branch, active: Points) -> None:
        """One branch alone where that is known; elsewhere all points take one, or each its own."""
        truth = self.truth_of(event.condition)
        if then := active & truth.surely:
            self.run(event.then, then)
        if orelse := active & ~truth.perhaps:
            self.run(event.orelse, orelse)
        if undecided := active & truth.perhaps & ~truth.surely:
            run = self._undecided_branch if event.uniform else self._masked_branch
            run(event, undecided)

    def _undecided_branch(self, event: Branch, active: Points) -> None:
        """All points take the same branch, but it is not known which."""
        before = dict(self._innermost)
        self.run(event.then, active)
        then = dict(self._innermost)
        self._replace(before)
        self.run(event.orelse, active)
        self._replace(_common(then, self._innermost))

    def _masked_branch(self, event: Branch, active: Points) -> None:
        then = self._in_frame(_Frame({}), event.then, active)
        orelse = self._in_frame(_Frame({}, other=then), event.orelse, active)
        self._add(_common(then, orelse))

    def _in_frame(self, frame: _Frame, events: tuple[Event, ...], active: Points) -> Spread:
        self.frames.append(frame)
        self.run(events, active)
        self.frames.pop()
        return frame.stored

    @property
    def _innermost(self) -> Spread:
        return self.frames[-1].stored if self.frames else self.stored

    def _add(self, stored: Spread) -> None:
        innermost = self._innermost
        for level, points in stored.items():
            innermost[level] = innermost.get(level, NOTHING) | points

    def _replace(self, stored: Spread) -> None:
        self._innermost.clear()
        self._innermost.update(stored)

    @property
    def _spreads(self) -> tuple[Spread, ...]:
        return (self.stored, *(frame.stored for frame in self.frames))

    def _here(self, level: int) -> Points:
        return _union(spread.get(level, NOTHING) for spread in self._spreads)

    def _everywhere(self, level: int) -> Points:
        """Stored before the outermost condition, or in both of its branches whatever is nested."""
        inner = NOTHING
        for frame in reversed(self.frames):
            if frame.other is None:
                inner = NOTHING
            else:
                inner = frame.other.get(level, NOTHING) & (frame.stored.get(level, NOTHING) | inner)
        return self.stored.get(level, NOTHING) | inner


def _common(left: Spread, right: Spread) -> Spread:
    return {level: left[level] & right[level] for level in left.keys() & right.keys()}


def _union(sets: Iterable[Points]) -> Points:
    result = NOTHING
    for points in sets:
        result |= points
    return result

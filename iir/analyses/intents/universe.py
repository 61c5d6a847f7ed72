"""The points of several domains at once, and sets of them.

The rules of the analysis are formulas over sets of points. Each axis of a domain is cut at every
coordinate at which anything can begin or end; all points of a cell then behave alike, so that one
point stands for its cell. The cells of several settings (domain sizes, values of run-time bounds)
are numbered through, and a set of them is a Python integer with one bit a cell: one evaluation of
a formula gives the answer for all settings, exactly.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from iir.analyses.intents.events import Place
from iir.boxes import BoxSet, Grid, set_of_grid
from iir.expressions import Offset
from iir.interval import Anchor, Bound, Interval, bound_level
from iir.nodes import Axes
from iir.region import Size

Points: TypeAlias = int
Ints: TypeAlias = NDArray[np.int64]
BoundsOfAxes: TypeAlias = tuple[Sequence[Bound], Sequence[Bound], Sequence[Bound]]
"""For each axis the bounds at which something begins or ends, offsets of accesses included."""

NOTHING: Points = 0


@dataclass(frozen=True, slots=True)
class Setting:
    """One size of the domain and the values of the scalars that bound intervals."""

    domain: Size
    scalars: Mapping[str, int]


class Universe:
    """The cells of all *settings* for a field on *axes*."""

    def __init__(
        self, axes: Axes, bounds: BoundsOfAxes, settings: Sequence[Setting], padding: int = 0
    ) -> None:
        self.axes = axes
        self._axes_held = tuple(name in axes.value for name in "IJK")
        self.bounds = bounds
        self.settings = tuple(settings)
        self.cuts = tuple(
            tuple(self._cuts(axis, bounds[axis], setting, padding) for axis in range(3))
            for setting in settings
        )
        self.shapes = tuple(tuple(max(0, len(cut) - 1) for cut in cuts) for cuts in self.cuts)
        self.counts: Ints = np.array([np.prod(shape, dtype=np.int64) for shape in self.shapes], np.int64)
        self.starts: Ints = np.concatenate(([0], np.cumsum(self.counts)))
        self.size = int(self.starts[-1])
        self._boxes: dict[tuple[Place, Offset], Points] = {}
        self._at_least: dict[tuple[int, Bound], Points] = {}

    def _cuts(self, axis: int, bounds: Sequence[Bound], setting: Setting, padding: int) -> list[int]:
        if not self.has_axis(axis):
            return [0, 1]
        values = sorted({bound_level(bound, setting.domain[axis], setting.scalars) for bound in bounds})
        if padding and values:
            values = [values[0] - padding, *values, values[-1] + padding]
        return values

    def has_axis(self, axis: int) -> bool:
        return self._axes_held[axis]

    @cached_property
    def everything(self) -> Points:
        return (1 << self.size) - 1

    @cached_property
    def _coordinates(self) -> tuple[Ints, Ints, Ints]:
        i, j, k = ([], [], [])  # type: tuple[list[Ints], list[Ints], list[Ints]]
        for cuts, (count_i, count_j, count_k) in zip(self.cuts, self.shapes, strict=True):
            a, b, c = (np.array(cut[:-1], np.int64) for cut in cuts)
            i.append(np.repeat(a, count_j * count_k))
            j.append(np.tile(np.repeat(b, count_k), count_i))
            k.append(np.tile(c, count_i * count_j))
        return _joined(i), _joined(j), _joined(k)

    def values(self, axis: int, bound: Bound) -> Ints:
        """The coordinate of *bound* in each setting."""
        return np.array([bound_level(bound, s.domain[axis], s.scalars) for s in self.settings], np.int64)

    def where(self, holds: Sequence[bool] | Grid) -> Points:
        """All cells of the settings for which *holds*."""
        return _packed(np.repeat(np.asarray(holds, np.bool_), self.counts))

    def chosen(self, holds: Callable[[Setting], bool]) -> Points:
        return self.where([holds(setting) for setting in self.settings])

    def at_least(self, axis: int, bound: Bound) -> Points:
        """The cells at or above *bound* on *axis*."""
        key = (axis, bound)
        if key not in self._at_least:
            limits = np.repeat(self.values(axis, bound), self.counts)
            self._at_least[key] = _packed(self._coordinates[axis] >= limits)
        return self._at_least[key]

    def between(self, axis: int, lower: Bound, upper: Bound) -> Points:
        """The cells from *lower* to *upper*; on an axis that the field lacks all, if there are any."""
        if self.has_axis(axis):
            return self.at_least(axis, lower) & ~self.at_least(axis, upper)
        return self.where(self.values(axis, lower) < self.values(axis, upper))

    def box(self, place: Place, offset: Offset) -> Points:
        """The points of *place* displaced by *offset*."""
        key = (place, offset)
        if key not in self._boxes:
            start, end = place.interval.start, place.interval.end
            levels = self.between(2, _moved(start, offset.k), _moved(end, offset.k))
            self._boxes[key] = levels & self.columns(place, offset)
        return self._boxes[key]

    def whole(self, place: Place) -> Points:
        """The domain, if a statement at *place* runs at all."""
        start, end, box = place.interval.start, place.interval.end, place.box
        runs = self.where(self.values(2, start) < self.values(2, end))
        for axis, side in ((0, box.i), (1, box.j)):
            low, high = _sides(side, 0)
            runs &= self.where(self.values(axis, low) < self.values(axis, high))
        return self.domain & runs

    def passed(self, interval: Interval, offset: int, upwards: bool) -> tuple[Points, Points]:
        """What a sweep through the levels stores at *offset* from its own: the levels that it has
        stored before it comes to *interval*, and the one that it stores on the first level there."""
        first = interval.start if upwards else _moved(interval.end, -1)
        lower, upper = _moved(first, offset), _moved(first, offset + 1)
        earlier = ~self.at_least(2, lower) if upwards else self.at_least(2, upper)
        return self.everything & earlier, self.between(2, lower, upper)

    def columns(self, place: Place, offset: Offset) -> Points:
        """The columns of *place* displaced by *offset*, on all levels."""
        i, j = place.box.i, place.box.j
        return self.between(0, *_sides(i, offset.i)) & self.between(1, *_sides(j, offset.j))

    @cached_property
    def domain(self) -> Points:
        """The points of the domain itself."""
        return self.domain_columns & self.between(2, Bound(Anchor.START), Bound(Anchor.END))

    @cached_property
    def domain_columns(self) -> Points:
        """The columns of the domain, on all levels."""
        start, end = Bound(Anchor.START), Bound(Anchor.END)
        return self.between(0, start, end) & self.between(1, start, end)

    def has_whole_columns(self, points: Points) -> bool:
        """Whether each level has all columns of the domain among *points* or none."""
        for number in range(len(self.settings)):
            columns = self.grid(self.domain_columns, number).any(axis=2)
            inside = self.grid(points, number)[columns]
            if (inside != inside[:1]).any():
                return False
        return True

    def on_all_columns(self, points: Points) -> Points:
        """The levels of *points*, on all columns."""
        shapes = enumerate(self.shapes)
        grids = [
            np.broadcast_to(self.grid(points, n).any(axis=(0, 1), keepdims=True), shape).ravel()
            for n, shape in shapes
        ]
        return _packed(np.concatenate(grids)) if grids else NOTHING

    def active(self, interval: Interval, levels: Sequence[int | None]) -> Points:
        """The cells of the settings whose entry in *levels* lies in *interval*."""
        lower, upper = self.values(2, interval.start), self.values(2, interval.end)
        inside = [
            level is not None and a <= level < b for level, a, b in zip(levels, lower, upper, strict=True)
        ]
        return self.where(inside)

    def grid(self, points: Points, number: int) -> Grid:
        """Which cells of setting *number* are in *points*, by i, j and k."""
        start, count = int(self.starts[number]), int(self.counts[number])
        return _unpacked(points >> start, count).reshape(self.shapes[number])

    def points_of(self, points: Points, number: int = 0) -> BoxSet:
        """The part of *points* that belongs to setting *number*."""
        i, j, k = self.cuts[number]
        return set_of_grid(self.grid(points, number), (i, j, k))

    def occupied(self, points: Points) -> Grid:
        """For each setting whether it has any of *points*."""
        marks = _unpacked(points, self.size)
        totals = np.concatenate(([0], np.cumsum(marks)))
        result: Grid = totals[self.starts[1:]] > totals[self.starts[:-1]]
        return result


def _sides(extent: tuple[int, int], offset: int) -> tuple[Bound, Bound]:
    return Bound(Anchor.START, extent[0] + offset), Bound(Anchor.END, extent[1] + offset)


def _moved(bound: Bound, offset: int) -> Bound:
    return Bound(bound.anchor, bound.offset + offset)


def _joined(parts: list[Ints]) -> Ints:
    return np.concatenate(parts) if parts else np.zeros(0, np.int64)


def _packed(marks: Grid) -> Points:
    return int.from_bytes(np.packbits(marks, bitorder="little").tobytes(), "little")


def _unpacked(points: Points, count: int) -> Grid:
    size = (count + 7) // 8
    low = points & ((1 << count) - 1)
    marks = np.unpackbits(
        np.frombuffer(low.to_bytes(size, "little"), np.uint8), count=count, bitorder="little"
    )
    return marks.astype(np.bool_)

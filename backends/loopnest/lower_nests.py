"""Nests as loops: bounds, directions, and guards where a body needs less than the loop around it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import groupby

from backends.loopnest.allocations import Allocation
from backends.loopnest.bodies import AXES, Body
from backends.loopnest.bounds import Range, body_range, domain_range, hull_range, index_side
from backends.loopnest.expressions import Affine, Greatest, Least, Whole
from backends.loopnest.fusion import fused
from backends.loopnest.layout import Layout
from backends.loopnest.lower_statements import StatementLowering
from backends.loopnest.names import BLOCK, FIRST, INDEX, LAST, STRIP
from backends.loopnest.nests import Nest, Part, runs_by_rows
from backends.loopnest.nodes import Allocate, Fence, Free, Loop, LoopKind, Step, Within
from backends.loopnest.prefetching import prefetches
from backends.loopnest.streaming import RowBuffer, row_buffers, streams
from backends.loopnest.uses import uses
from iir.nodes import LoopOrder
from iir.schedule import Axis


def lower_nest(
    nest: Nest, statements: StatementLowering, arrays: Mapping[str, Allocation], layout: Layout
) -> tuple[Step, ...]:
    """The loops of *nest*; the outermost runs over [first, last) if it is shared.

    Those of *arrays* that an iteration has for itself live in it.
    """
    buffers = row_buffers(nest, statements.scope) if layout.streams and nest.stream else {}
    lowering = _NestLowering(nest, statements, buffers, layout)
    steps = tuple(step for part in nest.parts for step in lowering.part(part))
    used = uses(steps).views
    own = [item for name, item in arrays.items() if item.is_private and name in used]
    pairs = [*((item.array, item.view) for item in own), *((b.array, b.view) for b in buffers.values())]
    begin = (step for pair in pairs for step in pair)
    end = (Free(array.array) for array, _ in reversed(pairs) if isinstance(array, Allocate))
    fence = (Fence(),) if buffers else ()
    if nest.overlaps:
        # An iteration uses what those before it have left.
        return (*begin, lowering.outermost(steps), *end, *fence)
    return (lowering.outermost((*begin, *steps, *end)), *fence)


class _NestLowering:
    def __init__(
        self,
        nest: Nest,
        statements: StatementLowering,
        buffers: Mapping[str, RowBuffer],
        layout: Layout,
    ) -> None:
        self.nest = nest
        self.statements = statements
        self.scope = statements.scope
        self.buffers = buffers
        self.layout = layout
        # Rows of a level that is not streamed are there in time without help.
        pays = layout.prefetches and (nest.strip is not None or layout.streams)
        self.prefetches = pays and nest.prefetch
        self.strips = hull_range(nest.bodies, nest.parts[0].lane, self.scope)
        # Where some bodies reach beyond the domain, strips do not begin and end with it.
        fits = self.strips == domain_range(nest.parts[0].lane)
        self.has_whole_strips = nest.strip is not None and nest.strip == layout.strip and fits
        self.may_fuse = nest.fuse and runs_by_rows(nest, layout)
        self.statements.rows = {name: item.view.name for name, item in buffers.items()}

    def outermost(self, steps: tuple[Step, ...]) -> Loop:
        """The loop over rows or levels, around one over strips if there are any, in one over blocks of rows.

        A row is finished before the next, since what follows in memory comes fastest.
        """
        if self.nest.strip is not None:
            steps = (Loop(STRIP, *self.strips, steps, step=self.nest.strip),)
        loop = _loop(self.nest.axis, self._outermost_range(), steps, self.nest.parts[0].order)
        if self.nest.block is None:
            return loop
        (part,) = self.nest.parts
        (row,) = part.outer
        rows = hull_range(part.bodies, row, self.scope)
        return Loop(BLOCK, *rows, (loop,), step=self.nest.block)

    def _outermost_range(self) -> Range:
        """The whole range, or that of a chunk; overlapping chunks begin early and end late."""
        if not self.nest.is_shared:
            return hull_range(self.nest.bodies, self.nest.axis, self.scope)
        if not self.nest.overlaps:
            return Affine(FIRST), Affine(LAST)
        sides = [index_side(body, self.nest.axis) for body in self.nest.bodies]
        return Affine(FIRST, min(low for low, _ in sides)), Affine(LAST, max(high for _, high in sides))

    def range(self, body: Body, axis: Axis) -> Range:
        """Where *body* runs on an axis of the loops around it."""
        if axis is self.nest.axis and self.nest.overlaps and self.nest.is_shared:
            low, high = index_side(body, axis)
            return Affine(FIRST, low), Affine(LAST, high)
        return body_range(body, axis, self.scope)

    def part(self, part: Part) -> tuple[Step, ...]:
        """Loops that all bodies of the part share, and what is in them."""
        ranges = {axis: hull_range(part.bodies, axis, self.scope) for axis in part.outer}
        whole = hull_range(self.nest.bodies, self.nest.axis, self.scope)
        ranges[self.nest.axis] = self._outermost_range() if self.nest.overlaps else whole
        steps = _PartLowering(self, part, ranges).rows(part.bodies)
        if self.prefetches:
            steps = (*prefetches(self.nest, part, self.scope), *steps)
        for axis in reversed(part.outer):
            steps = (_loop(axis, self._of_block(ranges[axis]), steps, part.order),)
        return steps

    def _of_block(self, rows: Range) -> Range:
        """The block's part of *rows*, the only loop between that over levels and the lanes."""
        if self.nest.block is None:
            return rows
        stop = rows[1]
        assert isinstance(stop, Affine), "rows have no run-time bounds"
        return Affine(BLOCK), Least((Affine(BLOCK, self.nest.block), stop))

    def lane_loop(self, body: Body, part: Part) -> tuple[Step, ...]:
        """The innermost loop, and what sends on the rows that it has left in buffers."""
        lanes = self._lane_range(body, part.lane)
        loop = self._lanes((body,), part, lanes)
        return (loop, *streams(body, self.buffers, part.lane, lanes, self.statements.scope))

    def fused_lane_loops(self, bodies: tuple[Body, ...], part: Part) -> tuple[Step, ...]:
        """A loop of *bodies* over the lanes that all have, after loops over those that only some have."""
        own = [body_range(body, part.lane, self.scope) for body in bodies]
        first, last = _common(own)
        steps: list[Step] = []
        for body, (start, stop) in zip(bodies, own, strict=True):
            for lanes in ((start, first), (last, stop)):
                steps += [self._lanes((body,), part, lanes)] if lanes[0] != lanes[1] else []
        steps.append(self._lanes(bodies, part, (first, last)))
        for body, lanes in zip(bodies, own, strict=True):
            steps += streams(body, self.buffers, part.lane, lanes, replace(self.scope, lead=body.lead))
        return tuple(steps)

    def _lanes(self, bodies: tuple[Body, ...], part: Part, lanes: Range) -> Loop:
        self.statements.lane = _index(part.lane)
        steps = tuple(step for body in bodies for step in self.statements.body(body, part.order))
        start, stop = lanes
        if self.layout.whole and part.lane is self.layout.lanes and lanes == domain_range(part.lane):
            assert isinstance(stop, Affine), "the domain has no other bounds"
            stop = Whole(stop, self.layout.whole)
        return _loop(part.lane, (start, stop), steps, part.order, LoopKind.LANES)

    def _lane_range(self, body: Body, lane: Axis) -> Range:
        """Where *body* runs, within the strip if there is one."""
        start, stop = body_range(body, lane, self.scope)
        if self.nest.strip is None:
            return start, stop
        if self.has_whole_strips and (start, stop) == domain_range(lane):
            return Affine(STRIP), Affine(STRIP, self.nest.strip)
        first = Affine(STRIP) if start == self.strips[0] else Greatest((Affine(STRIP), start))
        return first, Least((Affine(STRIP, self.nest.strip), stop))


@dataclass(frozen=True, slots=True)
class _PartLowering:
    """The bodies of a part, in loops that have the *ranges*."""

    nest: _NestLowering
    part: Part
    ranges: Mapping[Axis, Range]

    def guarded(self, bodies: tuple[Body, ...], axes: tuple[Axis, ...]) -> tuple[Step, ...]:
        """The bodies, each run of equal ones under a guard if the loop on an axis goes beyond it."""
        if not axes:
            return tuple(step for body in bodies for step in self._inner(body, self.part.inner))
        axis, *rest = axes
        steps: list[Step] = []
        for own, group in groupby(bodies, lambda body: self.nest.range(body, axis)):
            inside = self.guarded(tuple(group), tuple(rest))
            needs_guard = own != self.ranges[axis]
            steps += (Within(_index(axis), *own, inside),) if needs_guard else inside
        return tuple(steps)

    def rows(self, bodies: tuple[Body, ...]) -> tuple[Step, ...]:
        """The bodies, those in one loop over the lanes that may be."""
        axes = tuple(self.ranges)
        if not self.nest.may_fuse:
            return self.guarded(bodies, axes)
        steps: list[Step] = []
        runs = fused(bodies, axes[0], self.part.lane, self.nest.scope.places)
        for is_alone, some in groupby(runs, lambda run: len(run) == 1):
            if is_alone:
                steps += self.guarded(tuple(body for run in some for body in run), axes)
            else:
                steps += (step for run in some for step in self._together(run, axes))
        return tuple(steps)

    def _together(self, run: tuple[Body, ...], axes: tuple[Axis, ...]) -> tuple[Step, ...]:
        """In rows that all bodies of *run* have, in one loop over the lanes; one by one in others."""
        row, level = axes
        ranges = [body_range(body, row, self.nest.scope) for body in run]
        first, last = _common(ranges)
        early = tuple(body for body, (own, _) in zip(run, ranges, strict=True) if own != first)
        late = tuple(body for body, (_, own) in zip(run, ranges, strict=True) if own != last)
        start, stop = hull_range(run, row, self.nest.scope)
        before = (Within(_index(row), start, first, self.guarded(early, axes)),) if early else ()
        rest = Greatest((first, last))
        after = (Within(_index(row), rest, stop, self.guarded(late, axes)),) if late else ()
        together = self.nest.fused_lane_loops(run, self.part)
        levels = self.nest.range(run[0], level)
        if levels != self.ranges[level]:
            together = (Within(_index(level), *levels, together),)
        return (*before, Within(_index(row), first, last, together), *after)

    def _inner(self, body: Body, axes: tuple[Axis, ...]) -> tuple[Step, ...]:
        """Loops over the body's own ranges, the innermost over the lanes."""
        axis, *rest = axes
        if not rest:
            return self.nest.lane_loop(body, self.part)
        inside = self._inner(body, tuple(rest))
        return (_loop(axis, body_range(body, axis, self.nest.scope), inside, self.part.order),)


def _common(ranges: Iterable[tuple[Affine, Affine]]) -> tuple[Affine, Affine]:
    """What *ranges* of one horizontal axis have in common."""
    starts, stops = zip(*ranges, strict=True)
    return max(starts, key=_offset), min(stops, key=_offset)


def _offset(index: Affine) -> int:
    return index.offset


def _loop(
    axis: Axis, bounds: Range, body: tuple[Step, ...], order: LoopOrder, kind: LoopKind = LoopKind.SERIAL
) -> Loop:
    descending = axis is Axis.K and order is LoopOrder.BACKWARD
    return Loop(_index(axis), *bounds, body, kind, descending)


def _index(axis: Axis) -> str:
    return INDEX[AXES.index(axis)]

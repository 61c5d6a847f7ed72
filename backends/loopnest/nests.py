"""Which loops stand around the bodies of a multistage, and in which order."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from typing import Final

from backends.loopnest.bodies import (
    AXES,
    Body,
    body_reads,
    body_stores,
    box_side,
    multistage_bodies,
    stage_bodies,
)
from backends.loopnest.fusion import fused
from backends.loopnest.layout import FORTRAN, Layout
from backends.loopnest.leads import in_step
from backends.loopnest.overlaps import may_overlap, private_temporaries
from iir.analyses.extents import Extents
from iir.nodes import LoopOrder, MultiStage, Stencil
from iir.schedule import Axis, Schedule

STRIP: Final = 64
"""Columns of a row that sweeps solve together: fewer do not fill vectors, more do not fit into the cache."""
STRIDED_LANES: Final = 32
"""The most columns that are solved together where they do not lie side by side in memory."""


@dataclass(frozen=True, slots=True)
class Part:
    """What a nest does of one multistage (or stage) in an iteration of its outermost loop.

    The bodies stand under common *outer* loops, each with *inner* loops of its own; outermost first.
    """

    bodies: tuple[Body, ...]
    order: LoopOrder
    outer: tuple[Axis, ...]
    inner: tuple[Axis, ...]

    @property
    def lane(self) -> Axis:
        """The axis of the innermost loops."""
        return self.inner[-1]


@dataclass(frozen=True, slots=True)
class Nest:
    """Parts, one after another, under one outermost loop over *axis*.

    Iterations of that loop may run on several threads if *is_shared*. With *strip* all of it is done for
    so many lanes before the next ones, with *block* for so many rows. *prefetch*, *stream*, *fuse* and
    *stack* are as in `Schedule`.
    If it *overlaps*, bodies run ahead on *axis*, and a chunk of it computes beyond its ends what it needs.
    """

    parts: tuple[Part, ...]
    axis: Axis
    is_shared: bool
    strip: int | None = None
    prefetch: bool = False
    stream: bool = False
    stack: int | None = None
    overlaps: bool = False
    block: int | None = None
    fuse: bool = False

    @property
    def lane(self) -> Axis | None:
        """The axis of all innermost loops, None if they differ."""
        lane, *others = {part.lane for part in self.parts}
        return None if others else lane

    @property
    def bodies(self) -> tuple[Body, ...]:
        return tuple(body for part in self.parts for body in part.bodies)


def nests(ir: Stencil, boxes: Extents, layout: Layout) -> tuple[Nest, ...]:
    """The loop nests of *ir*, one after another, with loops ordered for *layout*.

    A sweep and its neighbours run row by row together if no row needs another: what one leaves for
    the next is then in the cache.
    """
    result: list[Nest] = []
    private = private_temporaries(ir)
    for multistage in ir.multistages:
        for nest in _own_nests(multistage, boxes, layout, private):
            joined = _joined(result[-1], nest, layout.row) if result else None
            if joined is not None:
                result.pop()
            result.append(joined or nest)
    in_strips = (_in_strips(nest, layout) for nest in result)
    return tuple(nest if may_be_in_blocks(nest, layout) else replace(nest, block=None) for nest in in_strips)


def usual_nest(multistage: MultiStage, boxes: Extents) -> Nest:
    """The nest of *multistage* for arrays with unit stride on i."""
    (nest,) = _own_nests(multistage, boxes, FORTRAN, frozenset())
    return nest


def may_be_shared(nest: Nest) -> bool:
    """Whether threads may share the outermost loop."""
    return nest.axis is not Axis.K or all(part.order is LoopOrder.PARALLEL for part in nest.parts)


def may_share_lanes(nest: Nest, temporaries: Collection[str]) -> bool:
    """Whether *nest*, for arrays with unit stride on i, has bodies that may be fused."""
    runs = fused(nest.bodies, FORTRAN.row, FORTRAN.lanes, temporaries)
    return runs_by_rows(nest, FORTRAN) and any(len(run) > 1 for run in runs)


def may_be_in_blocks(nest: Nest, layout: Layout) -> bool:
    """Whether blocks of rows may each go through all levels: no row needs another's results."""
    ranges = {box_side(body, layout.row) for body in nest.bodies}
    return runs_by_rows(nest, layout) and len(ranges) == 1 and is_independent(nest.bodies, layout.row)


def runs_by_rows(nest: Nest, layout: Layout) -> bool:
    """Whether *nest* runs level by level, and there row by row through lanes that lie side by side."""
    outer = [part.outer for part in nest.parts]
    return nest.axis is Axis.K and outer == [(layout.row,)] and nest.lane is layout.unit


def is_independent(bodies: Iterable[Body], axis: Axis) -> bool:
    """Whether no field that *bodies* store is accessed off-centre along *axis*.

    Then each index of the axis may run through all bodies before the next one begins.
    """
    bodies = tuple(bodies)
    stored = {access.name for body in bodies for access in body_stores(body)}
    at = AXES.index(axis)
    return all(
        access.offset[at] == 0 for body in bodies for access in body_reads(body) if access.name in stored
    )


def _own_nests(
    multistage: MultiStage, boxes: Extents, layout: Layout, private: frozenset[str]
) -> tuple[Nest, ...]:
    schedule = multistage.schedule or Schedule()
    is_allowed = schedule.parallel is not None
    bodies = multistage_bodies(multistage, boxes)
    if multistage.order is not LoopOrder.PARALLEL:
        nest = _sweep(multistage.order, bodies, layout)
        nest = replace(nest, is_shared=is_allowed and may_be_shared(nest))
        return (_as_decided(nest, schedule, layout),)
    outermost = layout.loops[0]
    if (
        outermost is not Axis.K
        and not is_independent(bodies, outermost)
        and may_overlap(bodies, outermost, private)
    ):
        nest = _nest(in_step(bodies, outermost), LoopOrder.PARALLEL, layout.loops, 1, is_allowed)
        return (_as_decided(replace(nest, overlaps=True), schedule, layout),)
    pieces = _independent_pieces(multistage, boxes, outermost)
    return tuple(_as_decided(_level_nest(piece, layout, is_allowed), schedule, layout) for piece in pieces)


def _as_decided(nest: Nest, schedule: Schedule, layout: Layout) -> Nest:
    return replace(
        nest,
        strip=schedule.strip,
        block=layout.block if schedule.blocks else None,
        prefetch=schedule.prefetch,
        stream=schedule.stream,
        fuse=schedule.fuse,
        stack=schedule.stack,
    )


def _independent_pieces(multistage: MultiStage, boxes: Extents, axis: Axis) -> tuple[tuple[Body, ...], ...]:
    """All bodies of a parallel multistage if each index of *axis* may run through all of them.

    Else stage by stage: there it always may.
    """
    bodies = multistage_bodies(multistage, boxes)
    if is_independent(bodies, axis):
        return (bodies,)
    return tuple(stage_bodies(stage, boxes) for stage in multistage.stages)


def _level_nest(bodies: tuple[Body, ...], layout: Layout, is_shared: bool) -> Nest:
    """Level by level, and there row by row through all bodies, so that rows of temporaries are soon read."""
    if layout.loops[0] is Axis.K:
        return _nest(in_step(bodies, layout.row), LoopOrder.PARALLEL, layout.loops, 2, is_shared)
    return _nest(bodies, LoopOrder.PARALLEL, layout.loops, 1, is_shared)


def _sweep(order: LoopOrder, bodies: tuple[Body, ...], layout: Layout) -> Nest:
    """Row by row if rows are independent.

    Lanes are horizontal even where levels lie next to each other in memory: a column alone waits for
    each of its results.
    """
    row, lane = layout.row, layout.lane_of_sweeps
    if is_independent(bodies, row):
        return _nest(bodies, order, (row, Axis.K, lane), 2)
    return _nest(bodies, order, (Axis.K, row, lane), 1)


def _nest(
    bodies: tuple[Body, ...], order: LoopOrder, axes: tuple[Axis, ...], common: int, is_shared: bool = False
) -> Nest:
    """Loops over *axes*, of which the first *common* stand around all bodies."""
    return Nest((Part(bodies, order, axes[1:common], axes[common:]),), axes[0], is_shared)


def _joined(before: Nest, after: Nest, row: Axis) -> Nest | None:
    """One nest that runs row by row through both, None where that is not possible or no use."""
    if before.overlaps or after.overlaps or before.is_shared != after.is_shared:
        return None
    if row not in (before.axis, after.axis):
        return None
    if not is_independent((*before.bodies, *after.bodies), row):
        return None
    parts = [_by_rows(part, row) for nest in (before, after) for part in nest.parts]
    strips = [nest.strip for nest in (before, after) if nest.strip is not None]
    stacks = [nest.stack for nest in (before, after) if nest.stack is not None]
    return Nest(
        tuple(parts),
        row,
        before.is_shared,
        min(strips, default=None),
        before.prefetch or after.prefetch,
        before.stream or after.stream,
        min(stacks, default=None),
    )


def _in_strips(nest: Nest, layout: Layout) -> Nest:
    """*nest*, in strips only if it goes up and down the columns of rows, and these need no other lanes."""
    if nest.strip is None:
        return nest
    is_by_columns = nest.axis is layout.row and all(Axis.K in part.outer for part in nest.parts)
    if not is_by_columns or nest.lane is None or not is_independent(nest.bodies, nest.lane):
        return replace(nest, strip=None)
    if nest.lane is not layout.unit:
        return replace(nest, strip=min(nest.strip, STRIDED_LANES))
    # A schedule that wants less than usual gets what it wants.
    return replace(nest, strip=layout.strip) if layout.strip and nest.strip >= STRIP else nest


def _by_rows(part: Part, row: Axis) -> Part:
    """*part* under an outermost loop over *row*, where that over levels was."""
    if row not in (*part.outer, *part.inner):
        return part
    outer, inner = (tuple(axis for axis in axes if axis is not row) for axes in (part.outer, part.inner))
    return replace(part, outer=(Axis.K, *outer), inner=inner)

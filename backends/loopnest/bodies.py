"""Statements that may share one loop nest over the columns."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from iir.analyses.accesses import nested, own_reads, own_stores
from iir.analyses.extents import Extents
from iir.expressions import CENTER, FieldAccess, Offset
from iir.extent import Extent
from iir.interval import Interval
from iir.nodes import MultiStage, Stage
from iir.schedule import Axis
from iir.statements import If, Stmt

AXES: Final = (Axis.I, Axis.J, Axis.K)


@dataclass(frozen=True, slots=True)
class Body:
    """Consecutive statements of one do-method that run on one box of columns, point by point.

    They run *lead* ahead of the indices of the loops around them.
    """

    statements: tuple[Stmt, ...]
    box: Extent
    interval: Interval
    lead: Offset = CENTER


def stage_bodies(stage: Stage, boxes: Extents) -> tuple[Body, ...]:
    """The bodies of *stage* in program order."""
    return tuple(
        Body(tuple(statements), box, do_method.interval)
        for do_method in stage.do_methods
        for box, statements in groupby(do_method.body, boxes.box)
    )


def multistage_bodies(multistage: MultiStage, boxes: Extents) -> tuple[Body, ...]:
    """The bodies of *multistage* in program order."""
    return tuple(body for stage in multistage.stages for body in stage_bodies(stage, boxes))


def body_reads(body: Body) -> Iterator[FieldAccess]:
    for statement in nested(body.statements):
        yield from own_reads(statement)


def body_stores(body: Body) -> Iterator[FieldAccess]:
    for statement in nested(body.statements):
        yield from own_stores(statement)


def box_side(body: Body, axis: Axis) -> tuple[int, int]:
    """How far *body* reaches beyond the domain on a horizontal axis, below and above."""
    return body.box.i if axis is Axis.I else body.box.j


def body_accesses(body: Body) -> Iterator[FieldAccess]:
    yield from body_reads(body)
    yield from body_stores(body)


def reads_before_store(body: Body) -> frozenset[str]:
    """Names that *body* may read at a point before it has surely stored there."""
    early: set[str] = set()
    _flow(body.statements, frozenset(), early)
    return frozenset(early)


def _flow(statements: tuple[Stmt, ...], stored: frozenset[str], early: set[str]) -> frozenset[str]:
    """Add early reads to *early*; the result is what is surely stored afterwards."""
    for statement in statements:
        early.update(access.name for access in own_reads(statement) if access.name not in stored)
        if isinstance(statement, If):
            then = _flow(statement.then, stored, early)
            stored = then & _flow(statement.orelse, stored, early)
        else:
            stored |= {access.name for access in own_stores(statement)}
    return stored

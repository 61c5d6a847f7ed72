"""Rows that a loop will soon read are fetched while it works on others.

Processors find out by themselves what a loop over consecutive addresses will need; the rows of the next
level, and those of the next strip of columns, they do not.
"""

from dataclasses import replace
from typing import Final, assert_never

from backends.loopnest.bodies import AXES, Body, body_reads, box_side
from backends.loopnest.expressions import Affine, Position
from backends.loopnest.names import SIZE, STRIP
from backends.loopnest.nests import Nest, Part
from backends.loopnest.nodes import Prefetch
from backends.loopnest.scope import Scope
from backends.loopnest.streaming import other_indices
from iir.expressions import CENTER, FieldAccess, Offset
from iir.nodes import FieldDecl, ScalarDecl, TemporaryDecl
from iir.schedule import Axis

ROWS_AHEAD: Final = 2
"""How far ahead of the first access to a row it is fetched."""


def prefetches(nest: Nest, part: Part, scope: Scope) -> tuple[Prefetch, ...]:
    """What the innermost loop around the lanes of *part* fetches in each iteration."""
    scope = replace(scope, lead=CENTER)
    if scope.unit is not part.lane:
        return ()
    if nest.strip is not None:
        return _next_strip(nest, part, part.lane, scope)
    if nest.axis is Axis.K and len(part.outer) == 1:
        return _rows_ahead(part, part.lane, scope)
    return ()


def _rows_ahead(part: Part, lane: Axis, scope: Scope) -> tuple[Prefetch, ...]:
    """The next rows of the leading level: others were fetched with the levels before."""
    (row,) = part.outer
    at = AXES.index(row)
    reads = _reads(part.bodies, scope)
    result: list[Prefetch] = []
    for name in dict.fromkeys(access.name for _, access in reads):
        own = [(body, access.offset) for body, access in reads if access.name == name]
        if row in scope.axes(name) and lane in scope.axes(name):
            level = max(offset.k for _, offset in own)
            furthest = max(body.lead[at] + offset[at] for body, offset in own if offset.k == level)
            steps = [0, 0, level]
            steps[at] = furthest + ROWS_AHEAD
            others = other_indices(FieldAccess(name, Offset(*steps)), lane, scope)
            unit = scope.axes(name).index(lane)
            result.append(Prefetch(scope.names[name].name, *_side(own, lane), others, unit))
    return tuple(result)


def _side(reads: list[tuple[Body, Offset]], lane: Axis) -> tuple[Position, Position]:
    """The lanes that *reads* touch."""
    at = AXES.index(lane)
    boxes = [(box_side(body, lane), offset[at]) for body, offset in reads]
    low, high = min(box[0] + own for box, own in boxes), max(box[1] + own for box, own in boxes)
    return Affine(None, low), Affine(SIZE[at], high)


def _next_strip(nest: Nest, part: Part, lane: Axis, scope: Scope) -> tuple[Prefetch, ...]:
    """This level of the strip of the next row, of this part's share of the fields that the nest reads."""
    assert nest.strip is not None, "only strips have a next one"
    sweeps = [item for item in nest.parts if item.outer == (Axis.K,)]
    names = dict.fromkeys(access.name for _, access in _reads(nest.bodies, scope))
    columns = [name for name in names if {*AXES} <= {*scope.axes(name)}]
    share = -(-len(columns) // len(sweeps))
    first = share * next(number for number, item in enumerate(sweeps) if item is part)
    steps = [0, 0, 0]
    steps[AXES.index(nest.axis)] = 1
    ahead = Offset(*steps)
    lanes = Affine(STRIP), Affine(STRIP, nest.strip)
    return tuple(
        Prefetch(
            scope.names[name].name,
            *lanes,
            other_indices(FieldAccess(name, ahead), lane, scope),
            AXES.index(lane),
        )
        for name in columns[first : first + share]
    )


def _reads(bodies: tuple[Body, ...], scope: Scope) -> list[tuple[Body, FieldAccess]]:
    return [
        (body, access) for body in bodies for access in body_reads(body) if _is_in_memory(access.name, scope)
    ]


def _is_in_memory(name: str, scope: Scope) -> bool:
    """Whether whole fields of *name* are kept, unlike what an iteration has for itself in a cache."""
    match scope.declared[name]:
        case FieldDecl():
            return True
        case TemporaryDecl():
            return name in scope.places and not scope.places[name].is_private
        case ScalarDecl():
            return False
        case other:
            assert_never(other)

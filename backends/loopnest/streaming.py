"""Rows of fields that a nest only writes go past the caches into memory, by way of a buffer.

An ordinary store first reads the line that it changes; a whole line that is streamed is not read. That
saves a third of the traffic of a kernel that reads one field and writes another.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from backends.loopnest.bodies import AXES, Body, body_reads, body_stores
from backends.loopnest.bounds import Range
from backends.loopnest.expressions import Affine
from backends.loopnest.lower_expressions import access_index
from backends.loopnest.names import SIZE, STRIP
from backends.loopnest.nests import Nest
from backends.loopnest.nodes import Allocate, MakeView, Stream
from backends.loopnest.scope import Scope
from iir.expressions import CENTER, FieldAccess
from iir.nodes import FieldDecl
from iir.schedule import Axis
from iir.statements import Assign


@dataclass(frozen=True, slots=True)
class RowBuffer:
    """The buffer of a field; its view has the indices of the lanes."""

    array: Allocate
    view: MakeView


def row_buffers(nest: Nest, scope: Scope) -> Mapping[str, RowBuffer]:
    """By name, a buffer for each field that *nest* may stream: it has unit stride on the lanes, nothing reads
    it, and each body that stores it does so surely and once."""
    lane = nest.lane
    if lane is None or scope.unit is not lane:
        return {}
    stored = {access.name for body in nest.bodies for access in body_stores(body)}
    read = {access.name for body in nest.bodies for access in body_reads(body)}
    return {
        item.name: _row_buffer(item, nest, lane, scope)
        for item in scope.fields
        if item.name in stored - read
        and lane in scope.axes(item.name)
        and all(_is_stored_once(item.name, body) for body in nest.bodies)
    }


def streams(
    body: Body, buffers: Mapping[str, RowBuffer], lane: Axis, lanes: Range, scope: Scope
) -> tuple[Stream, ...]:
    """What sends the rows on that *body* has left in *buffers*."""
    stored = dict.fromkeys(access.name for access in body_stores(body) if access.name in buffers)
    return tuple(
        Stream(
            scope.names[name].name,
            buffers[name].view.name,
            *lanes,
            other_indices(FieldAccess(name, CENTER), lane, scope),
            scope.axes(name).index(lane),
        )
        for name in stored
    )


def other_indices(access: FieldAccess, lane: Axis, scope: Scope) -> tuple[Affine, ...]:
    """The indices of an access to a field on all axes but that of the lanes."""
    pairs = zip(scope.axes(access.name), access_index(access, scope), strict=True)
    return tuple(index for axis, index in pairs if axis is not lane and isinstance(index, Affine))


def _is_stored_once(name: str, body: Body) -> bool:
    """Whether *body* leaves *name* alone or has one assignment to it, under no condition."""
    stores = sum(access.name == name for access in body_stores(body))
    sure = (item for item in body.statements if isinstance(item, Assign) and item.target.name == name)
    return stores == 0 or (stores == 1 and any(item.target.offset == CENTER for item in sure))


def _row_buffer(field: FieldDecl, nest: Nest, lane: Axis, scope: Scope) -> RowBuffer:
    named = scope.allocator.name(f"row_of_{field.name}")
    if nest.strip:
        origin, size = Affine(STRIP, factor=-1), Affine(None, nest.strip)
    else:
        origin, size = Affine(None, 0), Affine(SIZE[AXES.index(lane)])
    array = Allocate(named.array, field.dtype, (size,), fastest=0)
    return RowBuffer(array, MakeView(named.name, named.array, (origin,), field.dtype, 0))

"""Decides how multistages run and where temporaries are kept."""

from collections.abc import Collection
from dataclasses import replace
from typing import Final

from backends.loopnest.bodies import body_reads, reads_before_store
from backends.loopnest.layout import FORTRAN
from backends.loopnest.nests import (
    STRIP,
    Nest,
    may_be_in_blocks,
    may_be_shared,
    may_share_lanes,
    nests,
    usual_nest,
)
from backends.loopnest.places import Use, storage_of, uses_by_name
from iir.analyses.accesses import accesses
from iir.analyses.extents import Extents, extents
from iir.analyses.operations import operations
from iir.diagnostics import BackendError, Diagnostic
from iir.expressions import CENTER
from iir.nodes import FieldDecl, LoopOrder, MultiStage, Stencil, TemporaryDecl
from iir.schedule import Schedule, Storage

_LARGER: Final = {Storage.RING: (Storage.COLUMN,), Storage.ROW: (Storage.PLANE,)}
MEMORY_BOUND: Final = 4.0
"""Operations for each value that comes from memory or goes there, below which a kernel waits for it."""


def schedule(ir: Stencil) -> Stencil:
    """*ir* with a schedule for every multistage and a storage for every temporary.

    Statements stay the same objects. Where a decision was already made it is kept.
    """
    boxes = extents(ir)
    multistages = tuple(_with_schedule(item, ir, boxes) for item in ir.multistages)
    found = nests(replace(ir, multistages=multistages), boxes, FORTRAN)
    uses, shared = uses_by_name(found), _needed_elsewhere(found)
    temporaries = tuple(_with_storage(item, uses.get(item.name, ()), shared) for item in ir.temporaries)
    return replace(ir, temporaries=temporaries, multistages=multistages)


def _with_schedule(multistage: MultiStage, ir: Stencil, boxes: Extents) -> MultiStage:
    if multistage.schedule is not None:
        return multistage
    return replace(multistage, schedule=_schedule(multistage, ir, boxes))


def _schedule(multistage: MultiStage, ir: Stencil, boxes: Extents) -> Schedule:
    """Sweeps wait for memory, since a strip lies far from the one before; levels only with little to do.

    To fetch early what loops with more arithmetic read has been measured to make them slower.
    """
    nest = usual_nest(multistage, boxes)
    shared = nest.axis if may_be_shared(nest) else None
    if multistage.order is not LoopOrder.PARALLEL:
        return Schedule(shared, strip=STRIP, prefetch=True, stream=True)
    own = accesses(replace(ir, multistages=(multistage,)))
    waits = _intensity(multistage, ir, {access.name for access in own}) < MEMORY_BOUND
    reads_levels = any(access.offset.k != 0 for access in own if not access.is_store)
    blocks = waits and reads_levels and may_be_in_blocks(nest, FORTRAN)
    fuse = may_share_lanes(nest, {item.name for item in ir.temporaries})
    return Schedule(shared, prefetch=waits, stream=waits, blocks=blocks, fuse=fuse)


def _intensity(multistage: MultiStage, ir: Stencil, touched: Collection[str]) -> float:
    """Operations for each value that has to come from memory or go there."""
    bodies = [do_method.body for stage in multistage.stages for do_method in stage.do_methods]
    fields = [item for item in ir.parameters if isinstance(item, FieldDecl) and item.name in touched]
    return sum(operations(statement) for body in bodies for statement in body) / max(1, len(fields))


def _with_storage(temporary: TemporaryDecl, uses: tuple[Use, ...], shared: frozenset[str]) -> TemporaryDecl:
    """The smallest storage in which every read still sees what it should.

    A register lives for one point of one body, and is no memory. All others but a field live for one
    iteration of an outermost loop.
    """
    needs_memory = temporary.name in shared or (temporary.on_heap and uses)
    smallest = storage_of(temporary, uses) if needs_memory else Storage.REGISTER
    if temporary.storage is None:
        return replace(temporary, storage=smallest)
    if temporary.storage not in (smallest, *_LARGER.get(smallest, ()), Storage.FIELD):
        message = f"Temporary '{temporary.name}' cannot be kept as a {temporary.storage.value}."
        hint = f"Let it be a {smallest.value}."
        raise BackendError(Diagnostic(message, "storage", temporary.span, hints=(hint,)))
    return temporary


def _needed_elsewhere(found: tuple[Nest, ...]) -> frozenset[str]:
    """Names that some body uses at other points than its own, or may read before it has set them."""
    names: set[str] = set()
    for body in (body for nest in found for body in nest.bodies):
        names.update(access.name for access in body_reads(body) if access.offset != CENTER)
        names |= reads_before_store(body)
    return frozenset(names)

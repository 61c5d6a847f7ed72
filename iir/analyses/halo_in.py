"""Reads of written fields that leave the domain, where no statement of the stencil stores."""

from iir.analyses.accesses import Access, accesses
from iir.analyses.extents import extents
from iir.analyses.interval_order import LevelLimits, is_at_most, is_disjoint, level_limits
from iir.diagnostics import Diagnostic
from iir.extent import DOMAIN, contains, displace
from iir.interval import Bound, shift_interval
from iir.nodes import Axes, FieldDecl, LoopOrder, Stencil


def diagnose_halo_in(ir: Stencil) -> tuple[Diagnostic, ...]:
    """A note for each field that is read both where a statement has stored and outside the domain.

    Such a read sees new values inside the domain and the caller's outside it. The note stands at
    the field's first such read; levels that are surely none of the stored ones do not count.
    """
    found = accesses(ir)
    fields = {item.name: item.axes for item in ir.parameters if isinstance(item, FieldDecl)}
    stores: dict[str, list[tuple[int, Access]]] = {}
    for position, access in enumerate(found):
        if access.is_store and access.name in fields:
            stores.setdefault(access.name, []).append((position, access))
    if not stores:
        return ()
    boxes, limits = extents(ir), level_limits(ir)
    notes: dict[str, Diagnostic] = {}
    for position, read in enumerate(found):
        if read.is_store or read.name not in stores or read.name in notes:
            continue
        if contains(DOMAIN, displace(boxes.box(read.statement), read.offset)):
            continue
        is_plane = fields[read.name] is Axes.IJ
        for earlier, store in stores[read.name]:
            if _is_seen(store, read, earlier < position, is_plane, limits):
                notes[read.name] = _note(read, store)
                break
    return tuple(notes.values())


def _is_seen(store: Access, read: Access, is_later: bool, is_plane: bool, limits: LevelLimits) -> bool:
    """Whether the read, which *is_later* in the text or not, may see what the store has left."""
    is_swept = store.multistage is read.multistage and read.multistage.order is not LoopOrder.PARALLEL
    if is_plane:
        return is_later or (is_swept and _has_earlier_level(store, read, limits))
    levels = shift_interval(read.do_method.interval, read.offset.k)
    if is_disjoint(levels, store.do_method.interval, limits):
        return False
    ahead = _ahead(read) if is_swept else 0
    return is_later if ahead == 0 else ahead < 0


def _has_earlier_level(store: Access, read: Access, limits: LevelLimits) -> bool:
    """Whether the sweep may come by a level of the store before it comes by one of the read."""
    first, second = store.do_method.interval, read.do_method.interval
    if read.multistage.order is LoopOrder.BACKWARD:
        first, second = second, first
    return not is_at_most(second.end, Bound(first.start.anchor, first.start.offset + 1), limits)


def _ahead(read: Access) -> int:
    """How many levels further on in its sweep the read looks."""
    return -read.offset.k if read.multistage.order is LoopOrder.BACKWARD else read.offset.k


def _note(read: Access, store: Access) -> Diagnostic:
    line = "" if store.node.span is None else f" at line {store.node.span.line}"
    return Diagnostic(
        message=f"Field '{read.name}' is written{line} and then read outside the domain.",
        code="halo-in",
        span=read.node.span,
        label="outside the domain these are the caller's values",
        hints=("If they are to be computed there too, store them in a temporary and read that.",),
    )

"""What a stencil's author should know about reads of temporaries that no statement has set."""

from collections.abc import Mapping

from iir.analyses.accesses import Access, accesses
from iir.analyses.unset_reads import UnsetRead, unset_reads
from iir.diagnostics import Diagnostic
from iir.nodes import LoopOrder, Stencil


def diagnose_unset(ir: Stencil) -> tuple[tuple[Diagnostic, ...], tuple[Diagnostic, ...]]:
    """Errors for temporaries read where nothing can be set, warnings where something may be missing.

    One for each temporary, at its first such read.
    """
    found = unset_reads(ir)
    if not found:
        return (), ()
    order = {id(access.statement): position for position, access in enumerate(accesses(ir))}
    stores: dict[str, list[Access]] = {}
    for access in accesses(ir):
        if access.is_store:
            stores.setdefault(access.name, []).append(access)
    errors: dict[str, Diagnostic] = {}
    warnings: dict[str, Diagnostic] = {}
    for read in found:
        if read.certain and read.name not in errors:
            errors[read.name] = _error(read, stores.get(read.name, []), order)
    for read in found:
        if read.name not in errors and read.name not in warnings:
            warnings[read.name] = _warning(read, stores.get(read.name, []))
    return tuple(errors.values()), tuple(warnings.values())


def _error(read: UnsetRead, stores: list[Access], order: Mapping[int, int]) -> Diagnostic:
    if read.reason == "loop-order" and read.access.offset.k != 0:
        return _loop_order(read, stores)
    if not stores:
        return Diagnostic(
            message=f"Temporary '{read.name}' is read but never written.",
            code="unset-read",
            span=read.access.node.span,
            label="no statement sets it",
            hints=(f"Make '{read.name}' an argument, or set it first.",),
        )
    if all(order[id(store.statement)] >= order[id(read.statement)] for store in stores):
        message, label = f"Temporary '{read.name}' is read before it is written.", "nothing has set it yet"
    else:
        message = f"Temporary '{read.name}' is read at a level that no statement has written."
        label = "some of these levels are never written before"
    return Diagnostic(
        message=message,
        code="unset-read",
        span=read.access.node.span,
        label=label,
        notes=_places(stores, read),
        hints=(f"Set '{read.name}' on all levels that are read, or read fewer levels.",),
    )


def _loop_order(read: UnsetRead, stores: list[Access]) -> Diagnostic:
    order = read.access.multistage.order
    k = read.access.offset.k
    other = "BACKWARD" if order is LoopOrder.FORWARD else "FORWARD"
    return Diagnostic(
        message=f"Temporary '{read.name}' is read at level k{k:+d} before that level is computed.",
        code="loop-order",
        span=read.access.node.span,
        label=f"level k{k:+d} comes later in a {order.value} computation",
        notes=_places([store for store in stores if store.multistage is read.access.multistage], read),
        hints=(f"Put this statement in a computation of its own, or use 'computation({other})'.",),
    )


def _warning(read: UnsetRead, stores: list[Access]) -> Diagnostic:
    return Diagnostic(
        message=f"Temporary '{read.name}' may be read where no statement has set it.",
        code="maybe-unset",
        span=read.access.node.span,
        label="reads zero where it is unset",
        notes=_places(stores, read),
        hints=(f"Set '{read.name}' before, on every level and in every branch.",),
    )


def _places(stores: list[Access], read: UnsetRead) -> tuple[str, ...]:
    """Where the temporary of *stores* is written: the first places that have a span."""
    if stores and all(store.statement is read.statement for store in stores):
        return (f"'{read.name}' is first set by this statement.",)
    lines = dict.fromkeys(store.node.span.line for store in stores if store.node.span is not None)
    if not lines:
        return ()
    name, first, *more = (stores[0].name, *lines)
    if not more:
        return (f"'{name}' is written at line {first}.",)
    return (f"'{name}' is written at lines {', '.join(map(str, (first, *more[:-1])))} and {more[-1]}.",)

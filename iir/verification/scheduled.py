"""Rules from the schedule on: they let a kernel run each stage point by point."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace

from iir.analyses.accesses import Access, nested, own_reads, own_stores
from iir.analyses.dependencies import is_self_dependent
from iir.analyses.extents import Extents, extents
from iir.interval import Interval
from iir.nodes import Declaration, LoopOrder, ScalarDecl, Stencil
from iir.statements import If
from iir.verification.fault import Fault, quote
from iir.verification.program import statements


def scheduled_faults(
    ir: Stencil, accesses: tuple[Access, ...], names: Mapping[str, Declaration]
) -> Iterator[Fault]:
    yield from _horizontal_faults(accesses, names)
    yield from _vertical_faults(accesses, names)
    yield from _plane_faults(accesses, names)
    boxes = extents(ir)
    for multistage in ir.multistages:
        for statement in statements(replace(ir, multistages=(multistage,))):
            if isinstance(statement, If):
                yield from _conditional_faults(statement, multistage.order, boxes, names)


def _horizontal_faults(accesses: tuple[Access, ...], names: Mapping[str, Declaration]) -> Iterator[Fault]:
    written = {(id(access.stage), access.name) for access in accesses if access.is_store}
    for access in accesses:
        is_displaced = access.offset.i or access.offset.j
        if is_displaced and (id(access.stage), access.name) in written:
            text = f"{quote(access.node, names)} is read in the stage that stores it."
            yield Fault(text, access.node)


def _vertical_faults(accesses: tuple[Access, ...], names: Mapping[str, Declaration]) -> Iterator[Fault]:
    parallel = [access for access in accesses if access.multistage.order is LoopOrder.PARALLEL]
    written = {(id(access.multistage), access.name) for access in parallel if access.is_store}
    for access in parallel:
        if access.offset.k and (id(access.multistage), access.name) in written:
            text = (
                f"{quote(access.node, names)} is read in the parallel multistage that stores '{access.name}'."
            )
            yield Fault(text, access.node)


def _plane_faults(accesses: tuple[Access, ...], names: Mapping[str, Declaration]) -> Iterator[Fault]:
    parallel = [access for access in accesses if access.multistage.order is LoopOrder.PARALLEL]
    written = {(id(access.multistage), access.name) for access in parallel if access.is_store}
    fields = {name: item for name, item in names.items() if not isinstance(item, ScalarDecl)}
    planes = {name for name, item in fields.items() if "K" not in item.axes.value}
    intervals: dict[tuple[int, str], set[Interval]] = defaultdict(set)
    for access in parallel:
        key = id(access.multistage), access.name
        if key in written and access.name in planes:
            intervals[key].add(access.do_method.interval)
            if len(intervals[key]) == 2:
                text = (
                    f"'{access.name}', which has no K, is stored in a parallel multistage and accessed "
                    f"there by do-methods of different intervals."
                )
                yield Fault(text, access.node)


def _conditional_faults(
    conditional: If, order: LoopOrder, boxes: Extents, names: Mapping[str, Declaration]
) -> Iterator[Fault]:
    inside = tuple(nested((conditional,)))
    if any(boxes.box(statement) != boxes.box(conditional) for statement in inside):
        yield Fault(f"The statements of {quote(conditional, names)} run on different columns.", conditional)
    stored = {target.name for statement in inside for target in own_stores(statement)}
    for statement in inside:
        for read in own_reads(statement):
            if read.name in stored and is_self_dependent(read.offset, order):
                text = f"{quote(read, names)} is read in {quote(conditional, names)}, which stores it."
                yield Fault(text, read)

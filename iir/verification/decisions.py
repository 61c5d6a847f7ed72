"""Rules on the decisions of a schedule: what each demands of the tree that carries it."""

from collections.abc import Iterator
from typing import Final

from iir.analyses.accesses import Access
from iir.nodes import LoopOrder, Stencil, TemporaryDecl
from iir.schedule import Axis, Storage
from iir.verification.fault import Fault

# The axes along which a temporary so kept has no neighbours.
_SINGLE: Final = {Storage.REGISTER: "ijk", Storage.ROW: "k", Storage.PLANE: "k"}
_OF_ONE_MULTISTAGE: Final = {Storage.RING, Storage.ROW, Storage.PLANE}


def decision_faults(ir: Stencil, accesses: tuple[Access, ...]) -> Iterator[Fault]:
    for multistage in ir.multistages:
        is_sweep = multistage.order is not LoopOrder.PARALLEL
        if is_sweep and multistage.schedule is not None and multistage.schedule.parallel is Axis.K:
            text = f"A {multistage.order.value} multistage visits its levels in order, not in parallel."
            yield Fault(text, multistage)
    yield from _storage_faults(ir, accesses)


def _storage_faults(ir: Stencil, accesses: tuple[Access, ...]) -> Iterator[Fault]:
    for item in ir.temporaries:
        if item.on_heap and item.storage is Storage.REGISTER:
            yield Fault(f"'{item.name}', which must be on the heap, is kept as a register.", item)
    decided = _SINGLE.keys() | _OF_ONE_MULTISTAGE
    kept = {item.name: item for item in ir.temporaries if item.storage in decided}
    by_name: dict[str, list[Access]] = {name: [] for name in kept}
    for access in accesses:
        if access.name in kept:
            by_name[access.name].append(access)
    for name, temporary in kept.items():
        yield from _reach_faults(temporary, by_name[name])


def _reach_faults(temporary: TemporaryDecl, accesses: list[Access]) -> Iterator[Fault]:
    assert temporary.storage is not None, "the temporary was chosen by its storage"
    what = f"'{temporary.name}', kept as a {temporary.storage.value},"
    for access in accesses:
        if any(getattr(access.offset, axis) for axis in _SINGLE.get(temporary.storage, "")):
            yield Fault(f"{what} is read at the offset {tuple(access.offset)}.", access.node)
    homes = {id(access.multistage) for access in accesses}
    if temporary.storage in _OF_ONE_MULTISTAGE and len(homes) > 1:
        yield Fault(f"{what} is accessed in more than one multistage.", temporary)

"""Rules on the decisions of a schedule: what each demands of the tree that carries it."""

from collections import defaultdict
from collections.abc import Iterator

from iir.analyses.accesses import Access
from iir.expressions import CENTER
from iir.nodes import LoopOrder, Stencil
from iir.schedule import Axis, Storage
from iir.verification.fault import Fault


def decision_faults(ir: Stencil, accesses: tuple[Access, ...]) -> Iterator[Fault]:
    for multistage in ir.multistages:
        is_sweep = multistage.order is not LoopOrder.PARALLEL
        if is_sweep and multistage.schedule is not None and multistage.schedule.parallel is Axis.K:
            text = f"A {multistage.order.value} multistage visits its levels in order, not in parallel."
            yield Fault(text, multistage)
    yield from _register_faults(ir, accesses)


def _register_faults(ir: Stencil, accesses: tuple[Access, ...]) -> Iterator[Fault]:
    registers = {item.name: item for item in ir.temporaries if item.storage is Storage.REGISTER}
    bodies: dict[str, set[int]] = defaultdict(set)
    for access in accesses:
        if access.name in registers:
            bodies[access.name].add(id(access.stage))
            if access.offset != CENTER:
                text = f"The register '{access.name}' is read at an offset, {tuple(access.offset)}."
                yield Fault(text, access.node)
    for name, stages in bodies.items():
        if len(stages) > 1:
            yield Fault(f"The register '{name}' is accessed in more than one stage.", registers[name])

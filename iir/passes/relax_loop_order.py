"""Make a sweep parallel where the order of its levels does not matter.

Legal if its levels are independent: nothing stored in it is read at a vertical offset, no field
without K is stored, and no call has effects. A level then sees the same values in any order. A
sweep with a check keeps its order, which decides the failure that is reported.
"""

from collections.abc import Iterator
from dataclasses import replace

from iir.analyses.dependencies import is_level_independent, planes_of, union, units
from iir.nodes import LoopOrder, MultiStage, Stencil
from iir.passes.rebuild import with_multistages


def relax_loop_order(ir: Stencil) -> Stencil:
    """Turn every sweep with independent levels into a parallel multistage."""
    return with_multistages(ir, _relaxed(ir))


def _relaxed(ir: Stencil) -> Iterator[MultiStage]:
    planes = planes_of(ir)
    for multistage in ir.multistages:
        if multistage.order is not LoopOrder.PARALLEL and _is_relaxable(multistage, planes):
            yield replace(multistage, order=LoopOrder.PARALLEL)
        else:
            yield multistage


def _is_relaxable(multistage: MultiStage, planes: frozenset[str]) -> bool:
    items = units(multistage)
    whole = union(unit.footprint for unit in items)
    if whole.has_effects or whole.has_checks or not planes.isdisjoint(whole.stores):
        return False
    return is_level_independent(items, planes)

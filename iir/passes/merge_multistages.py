"""Join neighbouring multistages.

Parallel ones may be joined if their levels stay independent of each other. A sweep takes in a
neighbour, of its own order or parallel and level-independent, if every dependence between the two
is kept when they run level by level: stored values are read at or behind the level of the sweep,
replaced ones at or ahead of it, and a field without K or an effectful call is not shared. A
parallel multistage with a check or an effectful call does not become part of a sweep.

A sweep is joined only where it pays: a temporary passes from one to the other, and the columns
stay independent of each other, so that they can still be shared among threads.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from iir.analyses.dependencies import (
    Footprint,
    dependences,
    is_column_independent,
    is_kept_by_sweep,
    is_level_independent,
    planes_of,
    union,
    units,
)
from iir.nodes import LoopOrder, MultiStage, Stencil
from iir.passes.rebuild import with_multistages


def merge_multistages(ir: Stencil) -> Stencil:
    """Join each multistage with those before it as far as the rules allow."""
    return with_multistages(ir, _merged(ir))


@dataclass(frozen=True, slots=True)
class _Part:
    multistage: MultiStage
    whole: Footprint


def _merged(ir: Stencil) -> Iterator[MultiStage]:
    planes = planes_of(ir)
    temporaries = frozenset(item.name for item in ir.temporaries)
    last: _Part | None = None
    for multistage in ir.multistages:
        part = _Part(multistage, _footprint_of(multistage))
        joined = _joined(last, part, planes, temporaries) if last is not None else None
        if last is not None and joined is None:
            yield last.multistage
        last = joined or part
    if last is not None:
        yield last.multistage


def _joined(first: _Part, second: _Part, planes: frozenset[str], temporaries: frozenset[str]) -> _Part | None:
    orders = {first.multistage.order, second.multistage.order}
    sweeps = orders - {LoopOrder.PARALLEL}
    if len(sweeps) > 1:
        return None
    joined = replace(
        first.multistage,
        order=sweeps.pop() if sweeps else LoopOrder.PARALLEL,
        stages=(*first.multistage.stages, *second.multistage.stages),
    )
    whole = union((first.whole, second.whole))
    if joined.order is LoopOrder.PARALLEL:
        legal = is_level_independent(units(joined), planes)
    else:
        legal = (
            is_column_independent(whole)
            and not temporaries.isdisjoint(_passed(first.whole, second.whole))
            and all(_may_become_sweep(item, planes) for item in (first, second))
            and _is_sweep_kept(first.whole, second.whole, joined.order, planes)
        )
    return _Part(joined, whole) if legal else None


def _is_sweep_kept(first: Footprint, second: Footprint, order: LoopOrder, planes: frozenset[str]) -> bool:
    return all(
        is_kept_by_sweep(item, order) and item.name not in planes for item in dependences(first, second)
    )


def _may_become_sweep(part: _Part, planes: frozenset[str]) -> bool:
    if part.multistage.order is not LoopOrder.PARALLEL:
        return True
    if part.whole.has_checks or part.whole.has_effects:
        return False
    return is_level_independent(units(part.multistage), planes)


def _passed(first: Footprint, second: Footprint) -> frozenset[str]:
    """What *first* stores and *second* reads."""
    return frozenset(first.stores) & {name for name, _ in second.reads}


def _footprint_of(multistage: MultiStage) -> Footprint:
    return union(unit.footprint for unit in units(multistage))

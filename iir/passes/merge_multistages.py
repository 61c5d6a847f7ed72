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
    LevelRule,
    StageRule,
    Summary,
    Unit,
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


def _merged(ir: Stencil) -> Iterator[MultiStage]:
    planes = planes_of(ir)
    temporaries = frozenset(item.name for item in ir.temporaries)
    group: _Group | None = None
    for multistage in ir.multistages:
        part = _part(multistage, planes)
        order = group.order_with(part) if group is not None else None
        if group is None or order is None:
            if group is not None:
                yield group.multistage()
            group = _Group(planes, temporaries, multistage.order)
        group.add(part, order or multistage.order)
    if group is not None:
        yield group.multistage()


@dataclass(frozen=True, slots=True)
class _Part:
    """A multistage and what the rules ask about it alone."""

    multistage: MultiStage
    units: tuple[Unit, ...]
    whole: Footprint
    has_independent_levels: bool


def _part(multistage: MultiStage, planes: frozenset[str]) -> _Part:
    own = units(multistage)
    is_parallel = multistage.order is LoopOrder.PARALLEL
    independent = is_parallel and is_level_independent(own, planes)
    return _Part(multistage, own, union(unit.footprint for unit in own), independent)


class _Group:
    """Multistages that become one, with all that is needed to look at the next in its own size."""

    def __init__(self, planes: frozenset[str], temporaries: frozenset[str], order: LoopOrder) -> None:
        self.planes = planes
        self.temporaries = temporaries
        self.order = order
        self.members: list[MultiStage] = []
        self.summary = Summary()
        self.levels = LevelRule(planes)
        self.columns = StageRule()
        self.has_independent_levels = True
        self.has_independent_columns = True

    def add(self, part: _Part, order: LoopOrder) -> None:
        self.order = order
        self.members.append(part.multistage)
        self.summary.add(part.whole)
        self.columns.add(part.whole)
        self.has_independent_levels &= part.has_independent_levels
        self.has_independent_columns &= is_column_independent(part.whole)
        for unit in part.units:
            self.levels.add(unit.footprint, unit.do_method.interval)

    def multistage(self) -> MultiStage:
        first, *others = self.members
        if not others:
            return first
        stages = tuple(stage for member in self.members for stage in member.stages)
        return replace(first, order=self.order, stages=stages)

    def order_with(self, part: _Part) -> LoopOrder | None:
        """The loop order of the group with *part* in it; None if they must not be joined."""
        sweeps = {self.order, part.multistage.order} - {LoopOrder.PARALLEL}
        if not sweeps:
            return LoopOrder.PARALLEL if self._keeps_levels(part) else None
        order = sweeps.pop()
        return order if not sweeps and self._keeps_sweep(part, order) and self._pays(part) else None

    def _keeps_levels(self, part: _Part) -> bool:
        return (
            self.has_independent_levels
            and part.has_independent_levels
            and all(self.levels.admits(unit.footprint, unit.do_method.interval) for unit in part.units)
        )

    def _keeps_sweep(self, part: _Part, order: LoopOrder) -> bool:
        parts = (
            (self.order, self.has_independent_levels, self.summary),
            (part.multistage.order, part.has_independent_levels, part.whole),
        )
        for own, has_independent_levels, touched in parts:
            is_bound = touched.has_checks or touched.has_effects or not has_independent_levels
            if own is LoopOrder.PARALLEL and is_bound:
                return False
        return all(
            is_kept_by_sweep(item, order) and item.name not in self.planes
            for item in dependences(self.summary, part.whole)
        )

    def _pays(self, part: _Part) -> bool:
        return (
            self.has_independent_columns
            and is_column_independent(part.whole)
            and self.columns.admits(part.whole)
            and any(name in self.summary.stores and name in self.temporaries for name, _ in part.whole.reads)
        )

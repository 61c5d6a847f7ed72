"""Join stages, and in them do-methods of one interval.

Two neighbouring stages may be joined if nothing that either stores is read in the other at a
horizontal offset: the statements keep their order. A do-method moves up to an earlier one of the
same interval if every do-method in between shares nothing with it that either stores, or runs on
other levels: in a sweep the two then never meet, in a parallel multistage they do not if they touch
what they share without a vertical offset, and only fields with K.
"""

from collections.abc import Iterator
from dataclasses import replace

from iir.analyses.dependencies import (
    Dependence,
    DependenceKind,
    Footprint,
    StageRule,
    Summary,
    dependences,
    footprint,
    planes_of,
    union,
)
from iir.analyses.interval_order import LevelLimits, is_disjoint, level_limits
from iir.nodes import DoMethod, LoopOrder, MultiStage, Stage, Stencil
from iir.passes.rebuild import with_multistages, with_stages


def merge_stages(ir: Stencil) -> Stencil:
    """Join neighbouring stages, then do-methods, as far as the rules allow."""
    merger = _Merger(level_limits(ir), planes_of(ir))
    return with_multistages(ir, (with_stages(item, merger.stages(item)) for item in ir.multistages))


class _Merger:
    def __init__(self, limits: LevelLimits, planes: frozenset[str]) -> None:
        self.limits = limits
        self.planes = planes

    def stages(self, multistage: MultiStage) -> Iterator[Stage]:
        for group in _stage_groups(multistage):
            do_methods = [do_method for stage in group for do_method in stage.do_methods]
            joined = self._joined(do_methods, multistage.order)
            if len(group) == 1 and len(joined) == len(do_methods):
                yield group[0]
            else:
                yield replace(group[0], do_methods=tuple(joined))

    def _joined(self, do_methods: list[DoMethod], order: LoopOrder) -> list[DoMethod]:
        """*do_methods* with each moved up to the last one of its interval, where that is allowed."""
        kept: list[DoMethod] = []
        touched: list[Summary] = []
        for do_method in do_methods:
            mover = union(footprint(statement) for statement in do_method.body)
            place = self._place(do_method, mover, order, kept, touched)
            if place is None:
                place = len(kept)
                kept.append(do_method)
                touched.append(Summary())
            else:
                before = kept[place]
                kept[place] = replace(before, body=(*before.body, *do_method.body))
            touched[place].add(mover)
        return kept

    def _place(
        self,
        do_method: DoMethod,
        mover: Footprint,
        order: LoopOrder,
        kept: list[DoMethod],
        touched: list[Summary],
    ) -> int | None:
        for place in reversed(range(len(kept))):
            if kept[place].interval == do_method.interval:
                return place
            if not self._may_pass(do_method, mover, order, kept[place], touched[place]):
                return None
        return None

    def _may_pass(
        self, do_method: DoMethod, mover: Footprint, order: LoopOrder, other: DoMethod, touched: Summary
    ) -> bool:
        found = tuple(dependences(touched, mover))
        if not found:
            return True
        if not is_disjoint(do_method.interval, other.interval, self.limits):
            return False
        return order is not LoopOrder.PARALLEL or not any(self._joins_levels(item) for item in found)

    def _joins_levels(self, dependence: Dependence) -> bool:
        """Whether *dependence* can hold between different levels."""
        is_effect = dependence.kind is DependenceKind.EFFECT
        return is_effect or dependence.offset.k != 0 or dependence.name in self.planes


def _stage_groups(multistage: MultiStage) -> Iterator[list[Stage]]:
    """Neighbouring stages that may be one stage."""
    group: list[Stage] = []
    rule = StageRule()
    for stage in multistage.stages:
        whole = union(footprint(item) for do_method in stage.do_methods for item in do_method.body)
        if group and not rule.admits(whole):
            yield group
            group, rule = [], StageRule()
        group.append(stage)
        rule.add(whole)
    if group:
        yield group

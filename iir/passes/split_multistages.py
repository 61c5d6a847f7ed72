"""Split parallel multistages until their levels are independent of each other.

Always legal: multistages run one after another, as the statements of a parallel multistage do. A
new one starts at a statement that reads at a vertical offset what the multistage stores, or stores
what it so reads, or shares a field without K with another interval. A statement that reads levels
of its own target on one side only becomes a sweep that moves towards them: there it still sees the
old values when it stores in place.
"""

from collections.abc import Iterator
from dataclasses import replace

from iir.analyses.dependencies import LevelRule, Unit, planes_of, sweep_in_place, units
from iir.nodes import LoopOrder, MultiStage, Stencil
from iir.passes.rebuild import stages_of, with_multistages, with_stages


def split_multistages(ir: Stencil) -> Stencil:
    """Make every parallel multistage level-independent; see `LevelRule`."""
    planes = planes_of(ir)
    return with_multistages(ir, (part for item in ir.multistages for part in _parts(item, planes)))


def _parts(multistage: MultiStage, planes: frozenset[str]) -> Iterator[MultiStage]:
    if multistage.order is not LoopOrder.PARALLEL:
        yield multistage
        return
    for order, group in _groups(multistage, planes):
        part = with_stages(multistage, stages_of(group))
        yield part if order is LoopOrder.PARALLEL else replace(part, order=order)


def _groups(multistage: MultiStage, planes: frozenset[str]) -> Iterator[tuple[LoopOrder, list[Unit]]]:
    """Units that may stay together, in program order, as many as possible each time."""
    group: list[Unit] = []
    rule = LevelRule(planes)
    for unit in units(multistage):
        sweep = sweep_in_place(unit.statement)
        if group and (sweep is not None or not rule.admits(unit.footprint, unit.do_method.interval)):
            yield LoopOrder.PARALLEL, group
            group, rule = [], LevelRule(planes)
        if sweep is not None:
            yield sweep, [unit]
        else:
            group.append(unit)
            rule.add(unit.footprint, unit.do_method.interval)
    if group:
        yield LoopOrder.PARALLEL, group

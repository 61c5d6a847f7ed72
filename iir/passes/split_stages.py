"""Split stages at horizontal dependences.

Always legal: at a level (in a parallel multistage: on the whole box) stages run one after another,
as the statements of a stage do. A new stage starts at a statement that reads at a horizontal offset
what the stage stores, or stores what it so reads.
"""

from collections.abc import Iterator

from iir.analyses.dependencies import StageRule, Unit, units
from iir.nodes import MultiStage, Stage, Stencil
from iir.passes.rebuild import stages_of, with_multistages, with_stages


def split_stages(ir: Stencil) -> Stencil:
    """Make every stage free of horizontal dependences; see `StageRule`."""
    return with_multistages(ir, (with_stages(item, _stages(item)) for item in ir.multistages))


def _stages(multistage: MultiStage) -> Iterator[Stage]:
    for group in _groups(multistage):
        yield from stages_of(group)


def _groups(multistage: MultiStage) -> Iterator[list[Unit]]:
    group: list[Unit] = []
    rule = StageRule()
    for unit in units(multistage):
        if group and (unit.stage is not group[-1].stage or not rule.admits(unit.footprint)):
            yield group
            group, rule = [], StageRule()
        group.append(unit)
        rule.add(unit.footprint)
    if group:
        yield group

"""Which loops stand around the bodies of a multistage, and in which order."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from backends.loopnest.bodies import Body, body_reads, body_stores, multistage_bodies, stage_bodies
from iir.analyses.extents import Extents
from iir.nodes import LoopOrder, MultiStage
from iir.schedule import Axis

AXES: Final = (Axis.I, Axis.J, Axis.K)


@dataclass(frozen=True, slots=True)
class Nest:
    """Bodies under common *outer* loops, each with *inner* loops of its own; outermost first.

    Iterations of the outermost loop may run on several threads if *is_shared*.
    """

    bodies: tuple[Body, ...]
    order: LoopOrder
    outer: tuple[Axis, ...]
    inner: tuple[Axis, ...]
    is_shared: bool


def is_independent(bodies: Iterable[Body], axis: Axis) -> bool:
    """Whether no field that *bodies* store is accessed off-centre along *axis*.

    Then each index of the axis may run through all bodies before the next one begins.
    """
    bodies = tuple(bodies)
    stored = {access.name for body in bodies for access in body_stores(body)}
    at = AXES.index(axis)
    return all(
        access.offset[at] == 0 for body in bodies for access in body_reads(body) if access.name in stored
    )


def shared_axis(multistage: MultiStage, boxes: Extents) -> Axis | None:
    """The axis that threads may share, for arrays with unit stride on i."""
    (nest, *_) = nests(multistage, boxes, Axis.I) or (None,)
    if nest is None:
        return None
    if nest.order is LoopOrder.PARALLEL or nest.outer[0] is not Axis.K:
        return nest.outer[0]
    return None


def nests(multistage: MultiStage, boxes: Extents, fastest: Axis) -> tuple[Nest, ...]:
    """The loop nests of *multistage*, one after another.

    The innermost loop is over *fastest*, except in sweeps over arrays whose unit stride is on k.
    """
    if multistage.order is not LoopOrder.PARALLEL:
        return (_sweep(multistage, multistage_bodies(multistage, boxes), fastest),)
    if fastest is Axis.K:
        return _columns(multistage, boxes)
    bodies = multistage_bodies(multistage, boxes)
    return (_nest(multistage, bodies, (Axis.K,), (Axis.J, Axis.I)),)


def _columns(multistage: MultiStage, boxes: Extents) -> tuple[Nest, ...]:
    """Stage by stage unless each i may run through all stages: within a stage it always may."""
    bodies = multistage_bodies(multistage, boxes)
    if is_independent(bodies, Axis.I):
        return (_nest(multistage, bodies, (Axis.I,), (Axis.J, Axis.K)),)
    parts = (stage_bodies(stage, boxes) for stage in multistage.stages)
    return tuple(_nest(multistage, part, (Axis.I,), (Axis.J, Axis.K)) for part in parts)


def _sweep(multistage: MultiStage, bodies: tuple[Body, ...], fastest: Axis) -> Nest:
    horizontal = (Axis.J, Axis.I)
    if fastest is Axis.K:
        horizontal = (Axis.I, Axis.J)
    first, second = horizontal
    if not is_independent(bodies, first):
        return _nest(multistage, bodies, (Axis.K,), horizontal)
    if fastest is Axis.K and is_independent(bodies, second):
        return _nest(multistage, bodies, (first, second, Axis.K), ())
    return _nest(multistage, bodies, (first, Axis.K), (second,))


def _nest(
    multistage: MultiStage, bodies: tuple[Body, ...], outer: tuple[Axis, ...], inner: tuple[Axis, ...]
) -> Nest:
    is_ordered = multistage.order is not LoopOrder.PARALLEL and outer[0] is Axis.K
    is_allowed = multistage.schedule is not None and multistage.schedule.parallel is not None
    return Nest(bodies, multistage.order, outer, inner, is_allowed and not is_ordered)

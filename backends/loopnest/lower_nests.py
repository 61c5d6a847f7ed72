"""Nests as loops: bounds, directions, and guards where a body needs less than the loop around it."""

from collections.abc import Mapping
from itertools import groupby

from backends.loopnest.bodies import Body
from backends.loopnest.bounds import Range, body_range, hull_range
from backends.loopnest.expressions import Affine
from backends.loopnest.lower_statements import StatementLowering
from backends.loopnest.names import FIRST, INDEX, LAST, Named
from backends.loopnest.nests import AXES, Nest
from backends.loopnest.nodes import Loop, LoopKind, Step, Within
from iir.nodes import LoopOrder
from iir.schedule import Axis


def lower_nest(nest: Nest, statements: StatementLowering) -> tuple[Step, ...]:
    """The loops of *nest*; the outermost runs over [first, last) if it is shared."""
    return _NestLowering(nest, statements).outer(nest.outer)


class _NestLowering:
    def __init__(self, nest: Nest, statements: StatementLowering) -> None:
        self.nest = nest
        self.statements = statements
        self.names: Mapping[str, Named] = statements.scope.names

    def outer(self, axes: tuple[Axis, ...]) -> tuple[Step, ...]:
        """Loops that all bodies share."""
        if not axes:
            return self._guarded(self.nest.bodies, self.nest.outer)
        axis, *rest = axes
        bounds = self._hull(axis)
        if self.nest.is_shared and axis is self.nest.outer[0]:
            bounds = (Affine(FIRST), Affine(LAST))
        return (self._loop(axis, bounds, self.outer(tuple(rest)), LoopKind.SERIAL),)

    def _hull(self, axis: Axis) -> Range:
        return hull_range(self.nest.bodies, axis, self.names)

    def _guarded(self, bodies: tuple[Body, ...], axes: tuple[Axis, ...]) -> tuple[Step, ...]:
        """The bodies, each run of equal ones under a guard if the loop on an axis goes beyond it."""
        if not axes:
            return tuple(step for body in bodies for step in self._inner(body, self.nest.inner))
        axis, *rest = axes
        steps: list[Step] = []
        for own, group in groupby(bodies, lambda body: body_range(body, axis, self.names)):
            inside = self._guarded(tuple(group), tuple(rest))
            needs_guard = own != self._hull(axis)
            steps += (Within(_index(axis), *own, inside),) if needs_guard else inside
        return tuple(steps)

    def _inner(self, body: Body, axes: tuple[Axis, ...]) -> tuple[Step, ...]:
        """Loops over the body's own ranges."""
        if not axes:
            return self.statements.body(body, self.nest.order)
        axis, *rest = axes
        kind = LoopKind.SERIAL if rest else LoopKind.LANES
        return (self._loop(axis, body_range(body, axis, self.names), self._inner(body, tuple(rest)), kind),)

    def _loop(self, axis: Axis, bounds: Range, body: tuple[Step, ...], kind: LoopKind) -> Loop:
        descending = axis is Axis.K and self.nest.order is LoopOrder.BACKWARD
        return Loop(_index(axis), *bounds, body, kind, descending)


def _index(axis: Axis) -> str:
    return INDEX[AXES.index(axis)]

"""Nests as loops: bounds, directions, and guards where a body needs less than the loop around it."""

from collections.abc import Mapping
from itertools import groupby

from backends.loopnest.allocations import Allocation
from backends.loopnest.bodies import AXES, Body
from backends.loopnest.bounds import Range, body_range, hull_range
from backends.loopnest.expressions import Affine, Greatest, Least
from backends.loopnest.lower_statements import StatementLowering
from backends.loopnest.names import FIRST, INDEX, LAST, STRIP
from backends.loopnest.nests import Nest, Part
from backends.loopnest.nodes import Free, Loop, LoopKind, Step, Within
from backends.loopnest.uses import uses
from iir.nodes import LoopOrder
from iir.schedule import Axis


def lower_nest(
    nest: Nest, statements: StatementLowering, arrays: Mapping[str, Allocation]
) -> tuple[Step, ...]:
    """The loops of *nest*; the outermost runs over [first, last) if it is shared.

    Those of *arrays* that an iteration has for itself live in it.
    """
    parts = tuple(step for part in nest.parts for step in _PartLowering(nest, part, statements).steps())
    used = uses(parts).views
    own = [item for name, item in arrays.items() if item.is_private and name in used]
    begin = (step for item in own for step in (item.array, item.view))
    parts = (*begin, *parts, *(Free(item.array.array) for item in reversed(own)))
    bounds = hull_range(nest.bodies, nest.axis, statements.scope)
    if nest.is_shared:
        bounds = (Affine(FIRST), Affine(LAST))
    loop = _loop(nest.axis, bounds, parts, nest.parts[0].order)
    if nest.strip is None:
        return (loop,)
    # Strips outside: the next strip of a kernel is then that of the next row.
    lanes = hull_range(nest.bodies, nest.strip.axis, statements.scope)
    return (Loop(STRIP, *lanes, (loop,), step=nest.strip.lanes),)


class _PartLowering:
    def __init__(self, nest: Nest, part: Part, statements: StatementLowering) -> None:
        self.part = part
        self.statements = statements
        self.scope = statements.scope
        self.strip = nest.strip
        self.first_lane = hull_range(nest.bodies, nest.strip.axis, self.scope)[0] if nest.strip else None
        self.ranges = {axis: hull_range(part.bodies, axis, self.scope) for axis in part.outer}
        self.ranges[nest.axis] = hull_range(nest.bodies, nest.axis, self.scope)

    def steps(self) -> tuple[Step, ...]:
        """Loops that all bodies of the part share, and what is in them."""
        steps = self._guarded(self.part.bodies, tuple(self.ranges))
        for axis in reversed(self.part.outer):
            steps = (_loop(axis, self.ranges[axis], steps, self.part.order),)
        return steps

    def _guarded(self, bodies: tuple[Body, ...], axes: tuple[Axis, ...]) -> tuple[Step, ...]:
        """The bodies, each run of equal ones under a guard if the loop on an axis goes beyond it."""
        if not axes:
            return tuple(step for body in bodies for step in self._inner(body, self.part.inner))
        axis, *rest = axes
        steps: list[Step] = []
        for own, group in groupby(bodies, lambda body: body_range(body, axis, self.scope)):
            inside = self._guarded(tuple(group), tuple(rest))
            needs_guard = own != self.ranges[axis]
            steps += (Within(_index(axis), *own, inside),) if needs_guard else inside
        return tuple(steps)

    def _inner(self, body: Body, axes: tuple[Axis, ...]) -> tuple[Step, ...]:
        """Loops over the body's own ranges."""
        if not axes:
            return self.statements.body(body, self.part.order)
        axis, *rest = axes
        kind = LoopKind.SERIAL if rest else LoopKind.LANES
        inside = self._inner(body, tuple(rest))
        return (_loop(axis, self._range(body, axis), inside, self.part.order, kind),)

    def _range(self, body: Body, axis: Axis) -> Range:
        """Where *body* runs on *axis*, within the strip if there is one."""
        start, stop = body_range(body, axis, self.scope)
        if self.strip is None or axis is not self.strip.axis:
            return start, stop
        first = Affine(STRIP) if start == self.first_lane else Greatest((Affine(STRIP), start))
        return first, Least((Affine(STRIP, self.strip.lanes), stop))


def _loop(
    axis: Axis, bounds: Range, body: tuple[Step, ...], order: LoopOrder, kind: LoopKind = LoopKind.SERIAL
) -> Loop:
    descending = axis is Axis.K and order is LoopOrder.BACKWARD
    return Loop(_index(axis), *bounds, body, kind, descending)


def _index(axis: Axis) -> str:
    return INDEX[AXES.index(axis)]

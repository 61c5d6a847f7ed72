"""Which of its lanes an iteration of a loop is."""

from backends.loopnest.expressions import Affine, Index, Least, Position, Slot, Value
from backends.loopnest.nodes import Loop
from backends.loopnest.position_values import integer, operation, position_value
from iir.expressions import Operator

_NONE = Affine(None, 0)


def lane_index(loop: Loop | None, lanes: int) -> tuple[Index, Affine]:
    """The index of the lane of an iteration in a view of all lanes, and the origin of that view.

    A loop of more iterations than lanes uses these, a power of two, in turn. Outside of loops there is one.
    """
    if loop is None:
        return _NONE, _NONE
    index = Affine(loop.index)
    if isinstance(loop.start, Affine) and _has_at_most(loop, loop.start, lanes):
        return index, origin_for(loop.start)
    assert lanes & (lanes - 1) == 0, "lanes that are used in turn are a power of two"
    return Slot(index, lanes), _NONE


def origin_for(first: Affine) -> Affine:
    """Where index 0 lies if *first* is the smallest index."""
    return Affine(first.name, -first.offset, -first.factor)


def block_of_lane(loop: Loop | None, lanes: int, length: int) -> Value:
    """Where the block of the lane of an iteration begins, in blocks of some *length*."""
    if loop is None:
        return integer(0)
    index = position_value(Affine(loop.index))
    if isinstance(loop.start, Affine) and _has_at_most(loop, loop.start, lanes):
        lane = operation(Operator.SUB, index, position_value(loop.start))
    else:
        lane = operation(Operator.MOD, index, integer(lanes))
    return operation(Operator.MUL, lane, integer(length))


def _has_at_most(loop: Loop, start: Affine, lanes: int) -> bool:
    """Whether *loop* surely has no more iterations than *lanes*."""
    stops: tuple[Position, ...] = loop.stop.items if isinstance(loop.stop, Least) else (loop.stop,)
    return any(
        isinstance(stop, Affine)
        and (stop.name, stop.factor) == (start.name, start.factor)
        and stop.offset - start.offset <= lanes
        for stop in stops
    )

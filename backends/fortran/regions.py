"""Boxes of regions as Fortran: first and last indices in the arrays of a call."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from backends.fortran.forms import INTEGER
from iir.interval import Anchor, Bound
from iir.nodes import Axes
from iir.region import RegionBox, Side

AXES = "IJK"


def boxes_text(boxes: Sequence[RegionBox], axes: Axes, scalars: Mapping[str, str]) -> str:
    """*boxes* as the columns of an array: first i, j, k and last i, j, k.

    The domain is from ``first_point`` to ``last_point``, and an axis that a field lacks has index 1.
    """
    numbers = [text for box in boxes for text in _box(box, axes, scalars)]
    return f"reshape([{', '.join(numbers)}], [6, {len(boxes)}])"


def _box(box: RegionBox, axes: Axes, scalars: Mapping[str, str]) -> Iterator[str]:
    sides = (box.i, box.j, box.k)
    for number, side in enumerate(sides):
        yield _limit(side.lower, "max", _lowest, number, axes, scalars)
    for number, side in enumerate(sides):
        yield _limit(side.upper, "min", _highest, number, axes, scalars)


def _limit(
    bounds: tuple[Bound, ...],
    function: str,
    text_of: Callable[[Bound, int, Mapping[str, str]], str],
    axis: int,
    axes: Axes,
    scalars: Mapping[str, str],
) -> str:
    if AXES[axis] not in axes.value:
        return f"1_{INTEGER}"
    texts = [text_of(bound, axis + 1, scalars) for bound in bounds]
    return texts[0] if len(texts) == 1 else f"{function}({', '.join(texts)})"


def _lowest(bound: Bound, axis: int, scalars: Mapping[str, str]) -> str:
    match bound.anchor:
        case Anchor.START:
            return _plus(f"first_point({axis})", bound.offset)
        case Anchor.END:
            return _plus(f"last_point({axis})", bound.offset + 1)
        case name:
            return _plus(f"first_point({axis}) + int({scalars[name]}, {INTEGER})", bound.offset)


def _highest(bound: Bound, axis: int, scalars: Mapping[str, str]) -> str:
    """A region's upper bound is the first index that does not belong to it."""
    return _lowest(Bound(bound.anchor, bound.offset - 1), axis, scalars)


def _plus(text: str, number: int) -> str:
    return text if number == 0 else f"{text} {'-' if number < 0 else '+'} {abs(number)}"


def is_static(boxes: Sequence[RegionBox]) -> bool:
    """Whether no scalar bounds *boxes*."""
    return not any(isinstance(bound.anchor, str) for box in boxes for bound in bounds_in(box))


def bounds_in(box: RegionBox) -> Iterator[Bound]:
    sides: tuple[Side, ...] = (box.i, box.j, box.k)
    for side in sides:
        yield from (*side.lower, *side.upper)

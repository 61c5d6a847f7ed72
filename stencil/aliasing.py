"""Memory that a stencil writes belongs to one argument only, and each element of it to one point."""

from collections.abc import Iterable, Iterator, Mapping
from math import prod
from typing import Final, TypeAlias

import numpy as np

from backends.base import Array
from iir.analyses.reach import Reach, bounding_box
from iir.dtypes import numpy_dtype
from stencil.argument_error import ARGUMENT, CONFORMANCE, allocation, argument_error
from stencil.placement import Index, Placed, Triple

# Candidates that NumPy's exact overlap test may look at; regular layouts need a handful.
_MAX_WORK: Final = 100_000
# A layout whose axes do not nest is tested by listing its elements, if there are no more than these.
_MAX_LISTED: Final = 1 << 20

Region: TypeAlias = tuple[slice, ...]


def is_apart(
    left: tuple[Placed, Array], right: tuple[Placed, Array], domain: Triple, scalars: Mapping[str, int]
) -> bool:
    """Whether nothing that a call stores through one array is touched through the other.

    Exact for the elements of every single access. What cannot be shown apart in bounded work is
    taken to meet.
    """
    return not any(
        _meet(left[1][own], right[1][other]) for own, other in _contests(left[0], right[0], domain, scalars)
    )


def aliasing_error(left: Placed, right: Placed) -> Exception:
    """The error for two arguments over one memory."""
    stored, other = (left, right) if left.use.is_written else (right, left)
    return argument_error(
        ARGUMENT,
        f"Fields '{left.use.name}' and '{right.use.name}' share memory, and '{stored.use.name}' is written.",
        hints=(
            "If they are the same field, make it one argument, which the stencil may read and write.",
            f"If they are not, pass a copy: {other.use.name}.copy().",
        ),
        field=stored.use.name,
        needed="memory of its own",
        given=other.use.name,
    )


def refuse_self_overlap(item: Placed, strides: Index) -> None:
    """No two points of a written array are one element in memory."""
    declaration = item.use.declaration
    if not item.use.is_written or not overlaps_itself(
        item.shape, strides, numpy_dtype(declaration.dtype).itemsize
    ):
        return
    raise argument_error(
        CONFORMANCE,
        f"Field '{declaration.name}' is written, but several points of its array are one element in memory.",
        notes=(f"'{declaration.name}' has the shape {item.shape} and the strides {strides}.",),
        hints=(f"Allocate it as {allocation(item.shape, declaration.dtype)}.",),
        field=declaration.name,
        needed="one element for each point",
        given=strides,
    )


def overlaps_itself(shape: Index, strides: Index, itemsize: int) -> bool:
    """Whether two points of an array share bytes; True also where that would take long to find out."""
    span = itemsize
    for stride, size in sorted((abs(stride), size) for size, stride in zip(shape, strides, strict=True)):
        if size > 1 and stride < span:
            return _has_close_elements(shape, strides, itemsize)
        span += stride * (size - 1)
    return False


def _has_close_elements(shape: Index, strides: Index, itemsize: int) -> bool:
    if prod(shape) > _MAX_LISTED:
        return True
    addresses = np.zeros(1, np.int64)
    for size, stride in zip(shape, strides, strict=True):
        addresses = np.add.outer(addresses, stride * np.arange(size)).ravel()
    return bool(np.any(np.diff(np.sort(addresses)) < itemsize))


def _contests(
    left: Placed, right: Placed, domain: Triple, scalars: Mapping[str, int]
) -> Iterator[tuple[Region, Region]]:
    """The pairs of regions of the two arrays of which at least one is stored to."""
    for stored in _regions(left, _stores(left), domain, scalars):
        for touched in _regions(right, right.use.reaches, domain, scalars):
            yield stored, touched
    for stored in _regions(right, _stores(right), domain, scalars):
        for touched in _regions(left, left.use.reaches, domain, scalars):
            yield touched, stored


def _stores(item: Placed) -> Iterator[Reach]:
    return (reach for reach in item.use.reaches if reach.is_store)


def _regions(
    item: Placed, reaches: Iterable[Reach], domain: Triple, scalars: Mapping[str, int]
) -> tuple[Region, ...]:
    boxes = dict.fromkeys(bounding_box((reach,), domain, scalars) for reach in reaches)
    placed = tuple(zip(item.use.axes, item.origin, strict=True))
    return tuple(
        tuple(slice(origin + box[axis][0], origin + box[axis][1]) for axis, origin in placed)
        for box in boxes
        if box is not None
    )


def _meet(left: Array, right: Array) -> bool:
    try:
        # NumPy's stub knows only two of the values.
        return np.shares_memory(left, right, max_work=_MAX_WORK)  # type: ignore[arg-type]
    except np.exceptions.TooHardError:
        return True

"""The domain of a call: given and found to fit the arrays, or the largest that fits."""

from collections.abc import Iterator, Mapping, Sequence
from operator import index
from typing import Any, Final

from iir.analyses.reach import bounding_box
from stencil.argument_error import CONFORMANCE, allocation, argument_error, type_text
from stencil.levels import refuse_few_levels
from stencil.placement import Misfit, Placed, Triple, axis_letter, misfits
from stencil.wording import counted

# Stands for a size that is not known yet: nothing is empty because of it.
_LARGE: Final = 1 << 40
_LEVELS: Final = 2


def normal_domain(domain: Any) -> Triple:
    """*domain* as three integers of at least 0."""
    try:
        ni, nj, nk = map(index, domain)
    except (TypeError, ValueError):
        raise _not_a_domain(domain) from None
    if min(ni, nj, nk) < 0:
        raise _not_a_domain(domain)
    return ni, nj, nk


def refuse_misfits(placed: Sequence[Placed], domain: Triple, scalars: Mapping[str, int]) -> None:
    """Every access of a call with this domain and these run-time bounds stays inside its array."""
    if 0 in domain:
        return
    for item in placed:
        for misfit in misfits(item, domain, scalars):
            situation = (
                f"The domain is {domain}; '{item.use.name}' has the shape {item.shape} "
                f"and the origin {item.origin}."
            )
            raise _error(item, misfit, situation, _allocate(item, domain, scalars))


def largest_domain(placed: Sequence[Placed], levels: int, scalars: Mapping[str, int]) -> Triple:
    """On each axis the largest size for which every access stays inside its array.

    No size is larger than the room that the largest array has from its origin on; an axis that no
    field has is one point. *levels* is the smallest permitted number of levels.
    """
    sizes = (_LARGE, _LARGE, _LARGE)
    # Levels first: they decide which intervals, and so which columns, are touched at all.
    for axis in (_LEVELS, 0, 1):
        least = levels if axis == _LEVELS else 0
        sizes = _with(sizes, axis, _largest_size(placed, axis, max(1, least), least, sizes, scalars))
    return sizes


def most_levels(placed: Sequence[Placed]) -> int:
    """The levels that the largest array has from its origin on."""
    sides = [item.along(_LEVELS) for item in placed if _LEVELS in item.use.axes]
    return max((size - origin for size, origin in sides), default=1)


def _largest_size(
    placed: Sequence[Placed],
    axis: int,
    smallest: int,
    least: int,
    sizes: Triple,
    scalars: Mapping[str, int],
) -> int:
    accessed = [item for item in placed if item.use.reaches and axis in item.use.axes]
    if not accessed:
        return smallest
    rooms = [size - origin for size, origin in (item.along(axis) for item in accessed)]
    for number in range(max(rooms), smallest - 1, -1):
        if not any(_found(accessed, axis, _with(sizes, axis, number), scalars)):
            return number
    if least == 0 and all(_has_room_for_halo(item, axis) for item in accessed):
        return 0
    if axis == _LEVELS:
        refuse_few_levels(least, min(rooms))
    for item, misfit in _found(accessed, axis, _with(sizes, axis, smallest), scalars):
        situation = (
            f"No domain is given, and the smallest does not fit; '{item.use.name}' has the shape "
            f"{item.shape} and the origin {item.origin}."
        )
        raise _error(item, misfit, situation, _allocate_for_any(item))
    return smallest


def _found(
    placed: Sequence[Placed], axis: int, domain: Triple, scalars: Mapping[str, int]
) -> Iterator[tuple[Placed, Misfit]]:
    for item in placed:
        for misfit in misfits(item, domain, scalars):
            if misfit.axis == axis:
                yield item, misfit


def _with(sizes: Triple, axis: int, number: int) -> Triple:
    i, j, k = (number if own == axis else size for own, size in enumerate(sizes))
    return i, j, k


def _has_room_for_halo(item: Placed, axis: int) -> bool:
    size, origin = item.along(axis)
    low, high = item.use.halo[axis]
    return origin >= low and origin + max(0, high) <= size


def _error(item: Placed, misfit: Misfit, situation: str, hint: str) -> Exception:
    name, letter = item.use.name, axis_letter(misfit.axis)
    if misfit.is_low:
        message = (
            f"The origin of '{name}' leaves too few points below the domain along {letter}: "
            f"{misfit.needed} needed, {misfit.given} given."
        )
    else:
        points = counted(misfit.needed, "point")
        message = f"Field '{name}' is too small along {letter}: {points} needed, {misfit.given} given."
    return argument_error(
        CONFORMANCE,
        message,
        notes=(situation,),
        hints=(hint,),
        field=name,
        side=misfit.side,
        needed=misfit.needed,
        given=misfit.given,
    )


def _allocate(item: Placed, domain: Triple, scalars: Mapping[str, int]) -> str:
    box = bounding_box(item.use.reaches, domain, scalars)
    assert box is not None, "a field that is not touched fits"
    axes = item.use.axes
    origin = tuple(max(own, -box[axis][0]) for axis, own in zip(axes, item.origin, strict=True))
    shape = tuple(own + max(box[axis][1], 0) for axis, own in zip(axes, origin, strict=True))
    array = allocation(shape, item.use.declaration.dtype)
    moved = "" if origin == item.origin else f", and pass origin={{'{item.use.name}': {origin}}}"
    return f"Allocate '{item.use.name}' as {array}{moved}."


def _allocate_for_any(item: Placed) -> str:
    axes, rims = item.use.axes, item.use.halo
    origin = tuple(max(own, rims[axis][0]) for axis, own in zip(axes, item.origin, strict=True))
    extra = [own + max(0, rims[axis][1]) for axis, own in zip(axes, origin, strict=True)]
    sizes = [
        f"n{axis_letter(axis)}" + (f" + {more}" if more else "")
        for axis, more in zip(axes, extra, strict=True)
    ]
    shape = f"({sizes[0]},)" if len(sizes) == 1 else f"({', '.join(sizes)})"
    moved = "" if origin == item.origin else f", and pass origin={{'{item.use.name}': {origin}}}"
    return f"For a domain (ni, nj, nk) allocate '{item.use.name}' with the shape {shape}{moved}."


def _not_a_domain(domain: object) -> Exception:
    given = repr(domain) if isinstance(domain, tuple | list) else type_text(domain)
    return argument_error(
        CONFORMANCE,
        f"The domain must be three integers of at least 0: {given} given.",
        hints=("Pass domain=(ni, nj, nk).",),
        given=domain,
    )

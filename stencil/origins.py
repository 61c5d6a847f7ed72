"""The origin of each field in its array: given for all, given by name, found again, or inferred."""

from collections.abc import Mapping, Sequence
from operator import index
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from stencil.argument_error import CONFORMANCE, argument_error
from stencil.placement import FieldUse, Index, axis_letter
from stencil.wording import did_you_mean, quoted

Origin: TypeAlias = tuple[tuple[str, Index], ...]
"""Origins by name, hashable; `ALL` stands for the fields that are not named."""

_NONE_MADE: Final[Mapping[str, Index]] = MappingProxyType({})

ALL: Final = "_all_"


def normal_origin(origin: Any) -> Origin:
    """What the caller gave, in one form: a tuple of integers, or a mapping from names to such tuples."""
    try:
        if isinstance(origin, Mapping):
            return tuple((name, tuple(map(index, place))) for name, place in origin.items())
        return ((ALL, tuple(map(index, origin))),)
    except TypeError:
        raise argument_error(
            CONFORMANCE,
            f"The origin must be integers, or a mapping from names to them: {origin!r} given.",
            hints=("Pass origin=(i, j, k), or origin={'name': (i, j, k), '_all_': (i, j, k)}.",),
            given=origin,
        ) from None


def origins(
    uses: Sequence[FieldUse], given: Origin | None, made_for: Mapping[str, Index] = _NONE_MADE
) -> tuple[Index, ...]:
    """The origin of each field by its own axes: the given one, the one its array was made for, or inferred.

    Fields with neither share one with all fields of equal axes, the smallest that leaves room for every
    halo: so arrays of equal shape stay aligned.
    """
    by_name = dict(given or ())
    _refuse_unknown(by_name, uses)
    entries = {use.name: by_name.get(use.name, by_name.get(ALL)) for use in uses}
    found = _of_allocations([use for use in uses if entries[use.name] is None], made_for)
    result = []
    for use in uses:
        entry = entries[use.name]
        inferred = found.get(use.name) or _inferred(use, uses)
        result.append(inferred if entry is None else _own(use, entry))
    return tuple(result)


def _of_allocations(uses: Sequence[FieldUse], made_for: Mapping[str, Index]) -> Mapping[str, Index]:
    """The origins of arrays that were made for one, and of other arrays on the axes of such.

    Where one of them leaves too little room for a halo, all begin so much further in: what was made to
    lie on the same point of the domain still does.
    """
    starts = {use.name: start for use in uses if (start := _made(use, uses, made_for)) is not None}
    inward = [0, 0, 0]
    for use in uses:
        for axis, position in zip(use.axes, starts.get(use.name, ()), strict=False):
            inward[axis] = max(inward[axis], use.halo[axis][0] - position)
    return {
        use.name: tuple(inward[axis] + at for axis, at in zip(use.axes, starts[use.name], strict=True))
        for use in uses
        if use.name in starts
    }


def _made(use: FieldUse, uses: Sequence[FieldUse], made_for: Mapping[str, Index]) -> Index | None:
    """What the array of *use* was made for, or else those of the same axes, if any."""
    if use.name in made_for:
        return made_for[use.name]
    peers = {
        made_for[peer.name]: peer.name for peer in uses if peer.axes == use.axes and peer.name in made_for
    }
    if len(peers) > 1:
        raise argument_error(
            CONFORMANCE,
            f"The origin of '{use.name}' is not clear: the arrays of {quoted(peers.values())} were made for "
            f"different ones.",
            notes=tuple(f"The origin of '{name}' is {place}." for place, name in peers.items()),
            hints=(f"Pass origin={{'{use.name}': ...}}, or allocate '{use.name}' with stencil.zeros, too.",),
            field=use.name,
            given=tuple(peers),
        )
    return next(iter(peers), None)


def _inferred(use: FieldUse, uses: Sequence[FieldUse]) -> Index:
    peers = [peer for peer in uses if peer.axes == use.axes]
    return tuple(max(0, *(peer.halo[axis][0] for peer in peers)) for axis in use.axes)


def _refuse_unknown(by_name: Mapping[str, Index], uses: Sequence[FieldUse]) -> None:
    known = (*(use.name for use in uses), ALL)
    for name in by_name:
        if name not in known:
            raise argument_error(
                CONFORMANCE,
                f"The origin names '{name}', which is no field of this stencil.",
                hints=did_you_mean(str(name), known),
                field=str(name),
            )


def _own(use: FieldUse, given: Index) -> Index:
    """The entries of *given* for the field's own axes; it may list all three or just those."""
    if len(given) not in (3, len(use.axes)):
        lengths = " or ".join(dict.fromkeys((str(len(use.axes)), "3")))
        raise argument_error(
            CONFORMANCE,
            f"The origin of '{use.name}' has the wrong length: {lengths} needed, {len(given)} given.",
            hints=("Give an index for each axis, as in origin=(1, 1, 0).",),
            field=use.name,
            needed=len(use.axes),
            given=len(given),
        )
    own = given if len(given) == len(use.axes) else tuple(given[axis] for axis in use.axes)
    for axis, position in zip(use.axes, own, strict=True):
        if position < 0:
            raise _negative(use.name, axis_letter(axis), position)
    return own


def _negative(name: str, letter: str, position: int) -> Exception:
    return argument_error(
        CONFORMANCE,
        f"The origin of '{name}' is negative along {letter}: at least 0 needed, {position} given.",
        hints=("An origin is an index of the array, counted from the array's first point.",),
        field=name,
        side=f"{letter}-low",
        needed=0,
        given=position,
    )

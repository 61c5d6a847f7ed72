"""Where temporaries that need memory are kept, given the loops around their accesses."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from backends.loopnest.bodies import AXES, Body, body_accesses
from backends.loopnest.nests import Nest, Part
from iir.expressions import FieldAccess
from iir.nodes import Axes, LoopOrder, Stencil, TemporaryDecl
from iir.schedule import Axis, Storage

_WINDOWED: Final = (Storage.RING, Storage.ROW)


@dataclass(frozen=True, slots=True)
class Use:
    """An access to a temporary, and the loops that it is in."""

    access: FieldAccess
    body: Body
    part: Part
    nest: Nest


@dataclass(frozen=True, slots=True)
class Place:
    """An array with unit stride on *fastest*, indexed by *axes*.

    If it *is_private* it holds what one iteration of the outermost loop needs, or one of the chunks of
    that loop which overlap. On an axis of *slots* it holds that many indices, a power of two, in turn.
    With *lanes* there is such an array for each of so many indices along *fastest*, side by side.
    """

    axes: tuple[Axis, ...]
    fastest: Axis
    is_private: bool
    slots: Mapping[Axis, int]
    lanes: int | None


def places(ir: Stencil, found: tuple[Nest, ...]) -> Mapping[str, Place]:
    """The places of all temporaries that are not registers and used at all."""
    uses = uses_by_name(found)
    return MappingProxyType(
        {
            item.name: _place(item, uses[item.name])
            for item in ir.temporaries
            if item.storage is not Storage.REGISTER and item.name in uses
        }
    )


def uses_by_name(found: tuple[Nest, ...]) -> Mapping[str, tuple[Use, ...]]:
    """The accesses to each name that there are any to, in program order."""
    uses: defaultdict[str, list[Use]] = defaultdict(list)
    for nest in found:
        for part in nest.parts:
            for body in part.bodies:
                for access in body_accesses(body):
                    uses[access.name].append(Use(access, body, part, nest))
    return {name: tuple(own) for name, own in uses.items()}


def private_axis(temporary: TemporaryDecl, uses: tuple[Use, ...]) -> Axis | None:
    """The axis of an outermost loop each iteration of which may forget what *temporary* held before.

    One nest alone uses it, whose iterations need nothing of each other. What is left of earlier ones
    nobody reads, because every point that is read was set.
    """
    (nest, *others) = {id(use.nest): use.nest for use in uses}.values()
    if others or temporary.axes is not Axes.IJK:
        return None
    is_parallel = all(part.order is LoopOrder.PARALLEL for part in nest.parts)
    return nest.axis if is_parallel or nest.axis is not Axis.K else None


def windows(uses: tuple[Use, ...]) -> Mapping[Axis, int]:
    """For each loop around all *uses*, below the outermost, how many indices of its axis are alive at once.

    What an iteration stores is read in it or in later ones, and nobody reads what was not set.
    """
    parts = {id(use.part): use.part for use in uses}
    if len(parts) > 1:
        return {}
    (part,) = parts.values()
    return {axis: _window(axis, uses) for axis in part.outer}


def storage_of(temporary: TemporaryDecl, uses: tuple[Use, ...]) -> Storage:
    """The smallest storage of *temporary* that needs memory."""
    window = windows(uses)
    match private_axis(temporary, uses):
        case Axis.J:
            return Storage.RING if Axis.K in window else Storage.COLUMN
        case Axis.K:
            return Storage.ROW if Axis.J in window else Storage.PLANE
        case _:
            return Storage.FIELD


def _window(axis: Axis, uses: tuple[Use, ...]) -> int:
    at = AXES.index(axis)
    ahead = [use.body.lead[at] + use.access.offset[at] for use in uses]
    return max(ahead) - min(ahead) + 1


def _place(temporary: TemporaryDecl, uses: tuple[Use, ...]) -> Place:
    own = tuple(Axis(axis.lower()) for axis in temporary.axes.value)
    if temporary.storage is not Storage.FIELD and _is_of_overlapping_chunks(temporary, uses):
        return _place_of_chunk(own, uses)
    without = None if temporary.storage is Storage.FIELD else private_axis(temporary, uses)
    window = windows(uses) if temporary.storage in _WINDOWED and without is not None else {}
    axes = tuple(axis for axis in own if axis is not without and window.get(axis) != 1)
    fastest = _fastest(axes, uses)
    slots = {axis: _power_of_two(length) for axis, length in window.items() if axis in axes}
    lanes = None if without is None else uses[0].nest.strip
    own_axes = axes if lanes is None else tuple(axis for axis in axes if axis is not uses[0].part.lane)
    return Place(own_axes, fastest, without is not None, MappingProxyType(slots), lanes)


def _is_of_overlapping_chunks(temporary: TemporaryDecl, uses: tuple[Use, ...]) -> bool:
    (nest, *others) = {id(use.nest): use.nest for use in uses}.values()
    return nest.overlaps and not others and temporary.axes is Axes.IJK


def _place_of_chunk(own: tuple[Axis, ...], uses: tuple[Use, ...]) -> Place:
    """The indices on the outermost axis that are still needed take turns."""
    axis = uses[0].nest.axis
    window = _window(axis, uses)
    axes = tuple(item for item in own if item is not axis or window > 1)
    slots = {axis: _power_of_two(window)} if window > 1 else {}
    return Place(axes, _fastest(axes, uses), True, MappingProxyType(slots), None)


def _fastest(axes: tuple[Axis, ...], uses: tuple[Use, ...]) -> Axis:
    """The innermost axis of the loops around the first use that the array has."""
    first = uses[0]
    loops = (*first.part.inner[::-1], *first.part.outer[::-1], first.nest.axis)
    return next(axis for axis in loops if axis in axes)


def _power_of_two(least: int) -> int:
    return 1 << (least - 1).bit_length()

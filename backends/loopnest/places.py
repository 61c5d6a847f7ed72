"""Where temporaries that need memory are kept, given the loops around their accesses."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from backends.loopnest.bodies import Body, body_reads, body_stores
from backends.loopnest.nests import Nest
from iir.nodes import Axes, LoopOrder, Stencil, TemporaryDecl
from iir.schedule import Axis, Storage


@dataclass(frozen=True, slots=True)
class Place:
    """An array with unit stride on *fastest*.

    With *without* it holds what one iteration of the outermost loop, over that axis, needs.
    """

    fastest: Axis
    without: Axis | None


def places(ir: Stencil, found: tuple[Nest, ...]) -> Mapping[str, Place]:
    """The places of all temporaries that are not registers and used at all."""
    return MappingProxyType(
        {
            item.name: _place(item, users)
            for item in ir.temporaries
            if item.storage is not Storage.REGISTER and (users := users_of(item.name, found))
        }
    )


def users_of(name: str, found: tuple[Nest, ...]) -> tuple[tuple[Nest, Body], ...]:
    """The bodies that access *name*, and the nests in which they are."""
    return tuple(
        (nest, body)
        for nest in found
        for body in nest.bodies
        if any(access.name == name for access in (*body_reads(body), *body_stores(body)))
    )


def private_axis(temporary: TemporaryDecl, users: tuple[tuple[Nest, Body], ...]) -> Axis | None:
    """The axis of an outermost loop each iteration of which may forget what *temporary* held before.

    One nest alone uses it, whose iterations need nothing of each other. What is left of earlier ones
    nobody reads, because every point that is read was set.
    """
    (nest, *others) = {id(nest): nest for nest, _ in users}.values()
    if others or temporary.axes is not Axes.IJK:
        return None
    is_parallel = all(part.order is LoopOrder.PARALLEL for part in nest.parts)
    return nest.axis if is_parallel or nest.axis is not Axis.K else None


def _place(temporary: TemporaryDecl, users: tuple[tuple[Nest, Body], ...]) -> Place:
    own = tuple(Axis(axis.lower()) for axis in temporary.axes.value)
    without = None if temporary.storage is Storage.FIELD else private_axis(temporary, users)
    nest, body = users[0]
    (part,) = (part for part in nest.parts if any(item is body for item in part.bodies))
    loops = (*part.inner[::-1], *part.outer[::-1], nest.axis)
    return Place(next(axis for axis in loops if axis in own and axis is not without), without)

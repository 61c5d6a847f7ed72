"""Whether chunks of a loop may each compute for themselves what they need of their neighbours."""

from collections import defaultdict

from backends.loopnest.bodies import AXES, Body, body_accesses, body_stores, box_side
from iir.analyses.accesses import accesses
from iir.nodes import Axes, Stencil, TemporaryDecl
from iir.schedule import Axis, Storage


def private_temporaries(ir: Stencil) -> frozenset[str]:
    """The temporaries of all axes that one multistage alone uses, and that need not be whole fields."""
    users: defaultdict[str, set[int]] = defaultdict(set)
    for access in accesses(ir):
        users[access.name].add(id(access.multistage))
    return frozenset(
        item.name for item in ir.temporaries if _may_be_private(item) and len(users[item.name]) == 1
    )


def may_overlap(bodies: tuple[Body, ...], axis: Axis, private: frozenset[str]) -> bool:
    """Whether what *bodies* do on some indices of *axis* needs nothing that is done on others, but for
    values of *private* temporaries, which may be computed twice.

    So it is if a name that others see too is stored and read at the indices themselves only.
    """
    stored = {access.name for body in bodies for access in body_stores(body)} - private
    at = AXES.index(axis)
    return all(
        access.offset[at] == 0 and box_side(body, axis) == (0, 0)
        for body in bodies
        for access in body_accesses(body)
        if access.name in stored
    )


def _may_be_private(temporary: TemporaryDecl) -> bool:
    return temporary.axes is Axes.IJK and temporary.storage is not Storage.FIELD

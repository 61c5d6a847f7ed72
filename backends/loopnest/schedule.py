"""Decides how multistages run and where temporaries are kept."""

from dataclasses import replace

from backends.loopnest.bodies import Body, body_reads, body_stores, multistage_bodies, reads_before_store
from backends.loopnest.nests import shared_axis
from iir.analyses.extents import Extents, extents
from iir.expressions import CENTER
from iir.nodes import Axes, LoopOrder, MultiStage, Stencil, TemporaryDecl
from iir.schedule import Schedule, Storage


def schedule(ir: Stencil) -> Stencil:
    """*ir* with a schedule for every multistage and a storage for every temporary.

    Statements stay the same objects. Where a decision was already made it is kept.
    """
    boxes = extents(ir)
    bodies = [(multistage, multistage_bodies(multistage, boxes)) for multistage in ir.multistages]
    return replace(
        ir,
        temporaries=tuple(_with_storage(item, bodies) for item in ir.temporaries),
        multistages=tuple(_with_schedule(item, boxes) for item in ir.multistages),
    )


def _with_schedule(multistage: MultiStage, boxes: Extents) -> MultiStage:
    if multistage.schedule is not None:
        return multistage
    return replace(multistage, schedule=Schedule(shared_axis(multistage, boxes)))


def _with_storage(
    temporary: TemporaryDecl, bodies: list[tuple[MultiStage, tuple[Body, ...]]]
) -> TemporaryDecl:
    if temporary.storage is not None:
        return temporary
    return replace(temporary, storage=_storage(temporary, bodies))


def _storage(temporary: TemporaryDecl, bodies: list[tuple[MultiStage, tuple[Body, ...]]]) -> Storage:
    """The smallest storage in which every read still sees what it should.

    A register lives for one point of one body, so no body may read what another has stored. A plane
    lives for one level of one level-independent multistage.
    """
    name = temporary.name
    users = [
        (multistage, body)
        for multistage, own in bodies
        for body in own
        if any(access.name == name for access in (*body_reads(body), *body_stores(body)))
    ]
    if all(_is_private(name, body) for _, body in users):
        return Storage.REGISTER
    multistages = {id(multistage) for multistage, _ in users}
    is_parallel = all(multistage.order is LoopOrder.PARALLEL for multistage, _ in users)
    if len(multistages) == 1 and is_parallel and temporary.axes is Axes.IJK:
        return Storage.PLANE
    return Storage.FIELD


def _is_private(name: str, body: Body) -> bool:
    """Whether *body* uses *name* at the point itself only, and sets it there before it reads it."""
    offsets = {access.offset for access in body_reads(body) if access.name == name}
    return offsets <= {CENTER} and name not in reads_before_store(body)

"""Bodies that run together in one loop over the lanes of a row.

What they share is then loaded once. Bodies that run ahead on the rows store one row of a temporary while
others read those before it, so lanes need of each other only what earlier iterations have left.
"""

from collections.abc import Collection, Sequence
from typing import Final

from backends.loopnest.bodies import AXES, Body, body_accesses, body_stores, box_side
from iir.analyses.accesses import nested
from iir.analyses.operations import operations
from iir.schedule import Axis
from iir.statements import Check, ExternalCall

MOST_OPERATIONS: Final = 64
"""In one loop: longer loops have more values than registers."""


def fused(
    bodies: Sequence[Body], row: Axis, lane: Axis, temporaries: Collection[str]
) -> tuple[tuple[Body, ...], ...]:
    """*bodies*, in runs of neighbours that may share a loop over *lane* in each iteration over *row*.

    In such a run no lane needs what the iteration stores at another one. (Loop fusion, the shifts of
    `in_step` being done.) Fields that are stored are touched at one row only, and each of the *temporaries*
    is stored at one: more would have to be told apart when the kernel runs, before vectors may be used.
    """
    runs: list[list[Body]] = []
    for body in bodies:
        if runs and _may_join(runs[-1], body, row, lane, temporaries):
            runs[-1].append(body)
        else:
            runs.append([body])
    return tuple(map(tuple, runs))


def _may_join(run: Sequence[Body], body: Body, row: Axis, lane: Axis, temporaries: Collection[str]) -> bool:
    bodies = (*run, body)
    if any(other.interval != body.interval for other in run) or any(map(_does_more, bodies)):
        return False
    if not _have_common_lanes(bodies, lane):
        return False
    if sum(map(_operations, bodies)) > MOST_OPERATIONS or not _share_names(run, body):
        return False
    return all(
        _are_apart(*pair, row, lane, temporaries) for other in run for pair in ((other, body), (body, other))
    )


def _have_common_lanes(bodies: Sequence[Body], lane: Axis) -> bool:
    """Whether all *bodies* have a lane in common, even in a row of one point."""
    sides = [box_side(body, lane) for body in bodies]
    return max(low for low, _ in sides) <= min(high for _, high in sides)


def _does_more(body: Body) -> bool:
    """Whether *body* does more than to compute: that is neither repeated nor moved."""
    return any(isinstance(statement, Check | ExternalCall) for statement in nested(body.statements))


def _operations(body: Body) -> int:
    return sum(map(operations, body.statements))


def _share_names(run: Sequence[Body], body: Body) -> bool:
    names = {access.name for access in body_accesses(body)}
    return any(access.name in names for other in run for access in body_accesses(other))


def _are_apart(left: Body, right: Body, row: Axis, lane: Axis, temporaries: Collection[str]) -> bool:
    """Whether *right* touches, of what *left* stores, only its own lane, and other rows of temporaries."""
    at, along = AXES.index(row), AXES.index(lane)
    stores = [(store, left.lead[at] + store.offset[at]) for store in body_stores(left)]
    stored_by_right = {store.name for store in body_stores(right)}
    for access in body_accesses(right):
        index = right.lead[at] + access.offset[at]
        for store, own in stores:
            if store.name != access.name:
                continue
            is_other_row = index != own
            if is_other_row and (store.name not in temporaries or store.name in stored_by_right):
                return False
            if not is_other_row and access.offset[along] != store.offset[along]:
                return False
    return True

"""Values that a body stores at a point and needs there again."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from backends.loopnest.bodies import Body
from iir.analyses.accesses import nested, own_reads, own_stores
from iir.expressions import CENTER, FieldAccess
from iir.statements import Assign, Stmt


@dataclass(frozen=True, slots=True)
class Outcome:
    """What happens at the same point to a value after it is assigned.

    *is_read*: the body reads it, so a local variable should hold it. *is_last*: nothing overwrites
    it, so it must be stored.
    """

    is_read: bool
    is_last: bool


def outcomes(body: Body) -> Mapping[int, Outcome]:
    """By id of the statement, for assignments to names that are surely stored when they are.

    A value that lives on in a local variable need not be loaded again, nor stored before it is
    overwritten; compilers find that out only where they can tell all addresses apart.
    """
    result: dict[int, Outcome] = {}
    uncertain = _set_otherwise(body.statements)
    for number, statement in enumerate(body.statements):
        if isinstance(statement, Assign) and statement.target.name not in uncertain:
            result[id(statement)] = _outcome(statement.target, body.statements[number + 1 :])
    return MappingProxyType(result)


def _set_otherwise(statements: tuple[Stmt, ...]) -> frozenset[str]:
    """Names that something else than an assignment of the body itself may store."""
    certain = {id(statement) for statement in statements if isinstance(statement, Assign)}
    return frozenset(
        access.name
        for statement in nested(statements)
        if id(statement) not in certain
        for access in own_stores(statement)
    )


def _outcome(target: FieldAccess, later: tuple[Stmt, ...]) -> Outcome:
    is_read = False
    for statement in later:
        reads = (access for inner in nested((statement,)) for access in own_reads(inner))
        is_read |= any(access.name == target.name and access.offset == CENTER for access in reads)
        if isinstance(statement, Assign) and statement.target.name == target.name:
            return Outcome(is_read, is_last=False)
    return Outcome(is_read, is_last=True)

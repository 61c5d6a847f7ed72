"""Remove what can never run.

Legal because an `If` on a constant is, point for point, one of its branches run statement by
statement, and an interval whose end is never above its start holds no level.
"""

from collections.abc import Iterator

from iir.analyses.interval_order import LevelLimits, is_at_most, level_limits
from iir.expressions import Constant
from iir.nodes import DoMethod, LoopOrder, Stencil
from iir.passes.rebuild import if_parts, map_bodies
from iir.statements import If, Stmt


def prune_unreachable(ir: Stencil) -> Stencil:
    """Put the branch that runs in the place of each `If` on a constant; drop empty intervals."""
    limits = level_limits(ir)

    def rule(do_method: DoMethod, order: LoopOrder) -> tuple[Stmt, ...]:
        return () if _is_empty(do_method, limits) else _reachable(do_method.body)

    return map_bodies(ir, rule)


def _is_empty(do_method: DoMethod, limits: LevelLimits) -> bool:
    return is_at_most(do_method.interval.end, do_method.interval.start, limits)


def _reachable(body: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    return tuple(item for statement in body for item in _reachable_parts(statement))


def _reachable_parts(statement: Stmt) -> Iterator[Stmt]:
    if not isinstance(statement, If):
        yield statement
        return
    then, orelse = _reachable(statement.then), _reachable(statement.orelse)
    match statement.condition:
        case Constant(value):
            yield from then if value else orelse
        case _:
            yield from if_parts(statement, then, orelse)

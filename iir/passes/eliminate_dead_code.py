"""Remove statements that nothing depends on, and temporaries that nothing mentions.

Legal where no output on the domain, no check and no effectful call can see what a statement
stores: no later statement reads it, or an unconditional store that surely covers it comes first.
"""

from collections.abc import Iterator
from dataclasses import replace

from iir.analyses.accesses import accesses
from iir.analyses.dead_statements import dead_statements
from iir.nodes import DoMethod, LoopOrder, Stencil
from iir.passes.rebuild import if_parts, map_bodies
from iir.statements import If, Stmt


def eliminate_dead_code(ir: Stencil) -> Stencil:
    """Keep the statements that an output, a check or an effectful call depends on."""
    dead = dead_statements(ir)

    def rule(do_method: DoMethod, order: LoopOrder) -> tuple[Stmt, ...]:
        return _live(do_method.body, dead)

    return _without_unused_temporaries(map_bodies(ir, rule) if dead else ir)


def _live(body: tuple[Stmt, ...], dead: frozenset[int]) -> tuple[Stmt, ...]:
    return tuple(part for item in body if id(item) not in dead for part in _live_parts(item, dead))


def _live_parts(statement: Stmt, dead: frozenset[int]) -> Iterator[Stmt]:
    if isinstance(statement, If):
        yield from if_parts(statement, _live(statement.then, dead), _live(statement.orelse, dead))
    else:
        yield statement


def _without_unused_temporaries(ir: Stencil) -> Stencil:
    used = {access.name for access in accesses(ir)}
    temporaries = tuple(item for item in ir.temporaries if item.name in used)
    return ir if len(temporaries) == len(ir.temporaries) else replace(ir, temporaries=temporaries)

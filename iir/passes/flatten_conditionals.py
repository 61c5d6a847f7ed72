"""Turn conditionals that cannot run point by point into guarded statements.

Legal because a condition is evaluated once, before its body: its value is kept in a mask, a fresh
temporary that nothing else stores. Every statement of the body is then guarded by itself; the else
part runs on the opposite mask after the then part. A condition on scalars alone needs no mask, as
scalars never change. Nested conditions are evaluated on more points than before, which has no
effect.
"""

from collections.abc import Iterator
from dataclasses import replace

from iir.analyses.accesses import field_reads, nested
from iir.analyses.dependencies import footprint, is_self_dependent, is_single, self_reads
from iir.analyses.extents import Extents, extents
from iir.dtypes import DType
from iir.expressions import Binary, Expr, FieldAccess, Operator, Unary, UnaryOperator
from iir.nodes import DoMethod, LoopOrder, Stencil, TemporaryDecl
from iir.passes.fresh_names import FreshNames
from iir.passes.rebuild import map_bodies, with_temporaries
from iir.statements import Assign, If, Stmt


def flatten_conditionals(ir: Stencil) -> Stencil:
    """Flatten each `If` whose statements run on different boxes or read off-centre what it stores."""
    flattener = _Flattener(ir)

    def rule(do_method: DoMethod, order: LoopOrder) -> tuple[Stmt, ...]:
        return tuple(part for item in do_method.body for part in flattener.parts(item, order))

    return with_temporaries(map_bodies(ir, rule), flattener.masks)


class _Flattener:
    def __init__(self, ir: Stencil) -> None:
        self.extents: Extents = extents(ir)
        self.names = FreshNames(ir)
        self.masks: list[TemporaryDecl] = []

    def parts(self, statement: Stmt, order: LoopOrder) -> Iterator[Stmt]:
        if isinstance(statement, If) and self._must_flatten(statement, order):
            yield from self._flatten(statement, None)
        else:
            yield statement

    def _must_flatten(self, statement: If, order: LoopOrder) -> bool:
        if is_single(statement) and not _reads_aside(statement, order):
            return False
        boxes = {self.extents.box(item) for item in nested((statement,))}
        offsets = self_reads(footprint(statement))
        return len(boxes) > 1 or any(is_self_dependent(offset, order) for offset in offsets)

    def _flatten(self, statement: If, outer: Expr | None) -> Iterator[Stmt]:
        condition = _both(outer, statement.condition)
        if any(True for _ in field_reads(condition)):
            yield (mask := self._mask(condition))
            condition = mask.target
        for item in statement.then:
            yield from self._guarded(item, condition)
        if not statement.orelse:
            return
        opposite = _both(outer, Unary(UnaryOperator.NOT, condition, span=statement.condition.span))
        if any(isinstance(item, If) for item in statement.orelse) and outer is not None:
            yield (mask := self._mask(opposite))
            opposite = mask.target
        for item in statement.orelse:
            yield from self._guarded(item, opposite)

    def _guarded(self, statement: Stmt, condition: Expr) -> Iterator[Stmt]:
        if isinstance(statement, If):
            yield from self._flatten(statement, condition)
        else:
            yield If(condition, (statement,), span=statement.span)

    def _mask(self, condition: Expr) -> Assign:
        declaration = TemporaryDecl(self.names.take("mask"), DType.BOOL, span=condition.span)
        self.masks.append(declaration)
        return Assign(FieldAccess(declaration.name, span=condition.span), condition, span=condition.span)


def _reads_aside(statement: If, order: LoopOrder) -> bool:
    """Whether the condition reads off-centre what the body stores."""
    whole = footprint(statement)
    own = footprint(replace(statement, then=(), orelse=()))
    offsets = self_reads(replace(whole, reads=own.reads))
    return any(is_self_dependent(offset, order) for offset in offsets)


def _both(left: Expr | None, right: Expr) -> Expr:
    return right if left is None else Binary(Operator.AND, left, right, span=right.span)

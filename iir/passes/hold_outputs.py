"""Let a sweep read back what it has stored from a temporary instead of from the field.

A field argument is memory of the caller's; of a temporary only the levels that are still needed are
kept. What is left of the accesses to the field are stores, which need not pass through the caches.
Legal where the sweep sees nothing of the field but what it has surely stored itself: its irbw is empty.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from iir.analyses.accesses import Access, accesses
from iir.analyses.declarations import declarations
from iir.analyses.intents import intents
from iir.base import Node
from iir.expressions import CENTER, FieldAccess
from iir.nodes import Axes, DoMethod, FieldDecl, LoopOrder, MultiStage, Stencil, TemporaryDecl
from iir.passes.fresh_names import FreshNames
from iir.passes.rebuild import with_multistages, with_temporaries
from iir.statements import Assign, Stmt
from iir.traversal import rewrite


def hold_outputs(ir: Stencil) -> Stencil:
    """Give each sweep a temporary for each field that it reads back at columns of its own."""
    held = _Held(ir)
    return with_temporaries(with_multistages(ir, map(held.multistage, ir.multistages)), held.added)


class _Held:
    def __init__(self, ir: Stencil) -> None:
        self.ir = ir
        self.declared = declarations(ir)
        self.names = FreshNames(ir)
        self.added: list[TemporaryDecl] = []

    def multistage(self, multistage: MultiStage) -> MultiStage:
        candidates = self._candidates(multistage)
        if not candidates:
            return multistage
        found = intents(self.ir, multistage)
        chosen = {name: self._temporary(name) for name in candidates if not found[name].irbw}
        if not chosen:
            return multistage

        def rule(node: Node) -> Node:
            return _renamed(node, chosen) if isinstance(node, DoMethod) else node

        return rewrite(multistage, rule)

    def _candidates(self, multistage: MultiStage) -> tuple[str, ...]:
        """Fields that a sweep stores by assignments under no condition, and reads at the same columns."""
        if multistage.order is LoopOrder.PARALLEL:
            return ()
        own = accesses(replace(self.ir, multistages=(multistage,)))
        read = dict.fromkeys(access.name for access in own if not access.is_store)
        stored = {access.name for access in own if access.is_store}
        others = {access.name for access in own if not self._is_simple(access)}
        return tuple(name for name in read if name in stored - others)

    def _is_simple(self, access: Access) -> bool:
        declaration = self.declared[access.name]
        is_field = isinstance(declaration, FieldDecl) and declaration.axes is Axes.IJK
        return is_field and (_is_plain_store(access) if access.is_store else _is_at_own_column(access))

    def _temporary(self, name: str) -> str:
        declaration = self.declared[name]
        assert isinstance(declaration, FieldDecl), "only fields are candidates"
        fresh = self.names.take(f"{name}_held")
        self.added.append(TemporaryDecl(fresh, declaration.dtype, Axes.IJK, span=declaration.span))
        return fresh


def _is_plain_store(access: Access) -> bool:
    is_assignment = isinstance(access.statement, Assign) and access.offset == CENTER
    return is_assignment and any(access.statement is item for item in access.do_method.body)


def _is_at_own_column(access: Access) -> bool:
    return access.offset.i == access.offset.j == 0


def _renamed(do_method: DoMethod, names: Mapping[str, str]) -> DoMethod:
    """*do_method* with the temporaries of *names* in the place of fields, which get what these hold."""

    def rule(node: Node) -> Node:
        if isinstance(node, FieldAccess) and node.name in names:
            return replace(node, name=names[node.name])
        return node

    def parts(statement: Stmt) -> Iterator[Stmt]:
        changed = rewrite(statement, rule)
        yield changed
        if isinstance(statement, Assign) and statement.target.name in names:
            held = FieldAccess(names[statement.target.name], span=statement.target.span)
            yield Assign(statement.target, held, span=statement.span)

    return replace(do_method, body=tuple(part for item in do_method.body for part in parts(item)))

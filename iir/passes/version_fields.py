"""Give statements that read off-centre what they store a version of their result to store first.

Legal because the language evaluates a right-hand side completely before it stores: ``a = a[1, 0, 0]``
becomes ``a_new = a[1, 0, 0]`` and ``a = a_new``, on the same interval and box, so that the very same
points are read. In a sweep only horizontal offsets count, since other planes are final or untouched.
A parallel statement that looks to one vertical side only is left alone: `split_multistages` gives
it a sweep of its own, in which it stores in place.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import assert_never

from iir.analyses.declarations import declarations
from iir.analyses.dependencies import footprint, is_self_dependent, self_reads, sweep_in_place
from iir.dtypes import DType
from iir.expressions import Expr, FieldAccess
from iir.nodes import Axes, DoMethod, FieldDecl, LoopOrder, Stencil, TemporaryDecl
from iir.passes.fresh_names import FreshNames
from iir.passes.rebuild import map_bodies, with_temporaries
from iir.statements import Assign, Check, ExternalCall, If, Stmt


def version_fields(ir: Stencil) -> Stencil:
    """Split each self-dependent statement into one that evaluates and one that stores."""
    versions = _Versions(ir)

    def rule(do_method: DoMethod, order: LoopOrder) -> tuple[Stmt, ...]:
        return tuple(part for item in do_method.body for part in versions.parts(item, order))

    return with_temporaries(map_bodies(ir, rule), versions.added)


class _Versions:
    def __init__(self, ir: Stencil) -> None:
        self.declared = declarations(ir)
        self.names = FreshNames(ir)
        self.added: list[TemporaryDecl] = []

    def parts(self, statement: Stmt, order: LoopOrder) -> Iterator[Stmt]:
        unit = footprint(statement)
        depends = any(is_self_dependent(offset, order) for offset in self_reads(unit))
        if depends and not (order is LoopOrder.PARALLEL and sweep_in_place(statement) is not None):
            yield from self._split(statement)
        else:
            yield statement

    def _split(self, statement: Stmt) -> Iterator[Stmt]:
        match statement:
            case Assign(target):
                version = self._version(target)
                yield replace(statement, target=version)
                yield Assign(target, replace(version), span=statement.span)
            case If(condition, (Assign() as inner,), ()):
                # Evaluated everywhere: that has no effect, and the version needs no zeros.
                first, second = self._split(inner)
                yield first
                yield If(condition, (second,), span=statement.span)
            case If(condition, (ExternalCall() | Check() as inner,), ()):
                mask = self._fresh("mask", DType.BOOL, Axes.IJK, condition)
                yield Assign(mask, condition, span=condition.span)
                for part in self._split(inner):
                    yield If(replace(mask), (part,), span=statement.span)
            case If():
                yield statement  # `flatten_conditionals` takes these apart
            case ExternalCall(targets):
                versions = [self._version(target) for target in targets]
                yield replace(statement, targets=tuple(versions))
                yield from _copies(targets, versions)
            case Check(guards=guards):
                targets = tuple(guard.target for guard in guards)
                versions = [self._version(target) for target in targets]
                pairs = zip(guards, versions, strict=True)
                yield replace(statement, guards=tuple(replace(item, target=new) for item, new in pairs))
                yield from _copies(targets, versions)
            case _:
                assert_never(statement)

    def _version(self, target: FieldAccess) -> FieldAccess:
        declaration = self.declared[target.name]
        assert isinstance(declaration, FieldDecl | TemporaryDecl)
        return self._fresh(f"{target.name}_new", declaration.dtype, declaration.axes, target)

    def _fresh(self, wish: str, dtype: DType, axes: Axes, origin: Expr) -> FieldAccess:
        name = self.names.take(wish)
        self.added.append(TemporaryDecl(name, dtype, axes, span=origin.span))
        return FieldAccess(name, span=origin.span)


def _copies(targets: Sequence[FieldAccess], versions: Sequence[FieldAccess]) -> Iterator[Stmt]:
    for target, version in zip(targets, versions, strict=True):
        yield Assign(target, replace(version), span=target.span)

"""Give statements that read off-centre what they store a version of their result to store first.

Legal because the language evaluates a right-hand side completely before it stores: ``a = a[1, 0, 0]``
becomes ``a_new = a[1, 0, 0]`` and ``a = a_new``, on the same interval and box, so that the very same
points are read. In a sweep only horizontal offsets count, since other planes are final or untouched.
A parallel statement that looks to one vertical side only is left alone: `split_multistages` gives
it a sweep of its own, in which it stores in place.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import assert_never

from iir.analyses.declarations import declarations
from iir.analyses.dependencies import footprint, is_self_dependent, self_reads, sweep_in_place
from iir.expressions import FieldAccess
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
        if depends and not (order is LoopOrder.PARALLEL and sweep_in_place(unit) is not None):
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
            case If():
                yield statement  # `flatten_conditionals` takes these apart
            case ExternalCall(targets):
                versions = {target.name: self._version(target) for target in targets}
                yield replace(statement, targets=tuple(versions[target.name] for target in targets))
                yield from _copies(targets, versions)
            case Check(guards=guards):
                targets = tuple(guard.target for guard in guards)
                versions = {target.name: self._version(target) for target in targets}
                yield replace(
                    statement,
                    guards=tuple(replace(guard, target=versions[guard.target.name]) for guard in guards),
                )
                yield from _copies(targets, versions)
            case _:
                assert_never(statement)

    def _version(self, target: FieldAccess) -> FieldAccess:
        declaration = self.declared[target.name]
        assert isinstance(declaration, FieldDecl | TemporaryDecl)
        name = self.names.take(f"{target.name}_new")
        axes = declaration.axes if declaration.axes in (Axes.IJK, Axes.IJ) else Axes.IJK
        self.added.append(TemporaryDecl(name, declaration.dtype, axes, span=target.span))
        return FieldAccess(name, span=target.span)


def _copies(targets: tuple[FieldAccess, ...], versions: Mapping[str, FieldAccess]) -> Iterator[Stmt]:
    for target in targets:
        yield Assign(target, replace(versions[target.name]), span=target.span)

"""What lowering knows about the names of a stencil."""

from collections.abc import Mapping
from dataclasses import dataclass

from backends.loopnest.names import Named, Names
from iir.analyses.declarations import declarations
from iir.analyses.dtypes import expression_dtype
from iir.dtypes import DType
from iir.expressions import Expr
from iir.nodes import Declaration, FieldDecl, LoopOrder, ScalarDecl, Stencil, TemporaryDecl
from iir.schedule import Axis, Storage


@dataclass(frozen=True, slots=True)
class Scope:
    """Declarations and given-out names of *ir*; *fastest* is the axis with unit stride, if known."""

    ir: Stencil
    declared: Mapping[str, Declaration]
    names: Mapping[str, Named]
    allocator: Names
    fastest: Axis | None
    order: LoopOrder = LoopOrder.PARALLEL

    def is_register(self, name: str) -> bool:
        declaration = self.declared[name]
        return isinstance(declaration, TemporaryDecl) and declaration.storage is Storage.REGISTER

    def is_plane(self, name: str) -> bool:
        """Whether only one level of a temporary is kept: needs the loop over k to be outermost."""
        declaration = self.declared[name]
        is_plane = isinstance(declaration, TemporaryDecl) and declaration.storage is Storage.PLANE
        return is_plane and self.fastest is not Axis.K

    def axes(self, name: str) -> tuple[Axis, ...]:
        """The axes by which *name* is indexed."""
        declaration = self.declared[name]
        assert not isinstance(declaration, ScalarDecl)
        own = tuple(Axis(axis.lower()) for axis in declaration.axes.value)
        return own[:2] if self.is_plane(name) else own

    def dtype(self, expr: Expr) -> DType:
        return expression_dtype(expr, self.declared)

    @property
    def fields(self) -> tuple[FieldDecl, ...]:
        return tuple(item for item in self.ir.parameters if isinstance(item, FieldDecl))

    @property
    def scalars(self) -> tuple[ScalarDecl, ...]:
        return tuple(item for item in self.ir.parameters if isinstance(item, ScalarDecl))


def stencil_scope(ir: Stencil, fastest: Axis | None, reserved: frozenset[str]) -> Scope:
    allocator = Names(reserved)
    declared = declarations(ir)
    return Scope(ir, declared, allocator.names(declared), allocator, fastest)

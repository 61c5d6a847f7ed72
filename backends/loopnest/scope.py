"""What lowering knows about the names of a stencil."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from backends.loopnest.names import Named, Names
from iir.analyses.declarations import declarations
from iir.analyses.dtypes import expression_dtype
from iir.analyses.interval_order import LevelLimits, level_limits
from iir.dtypes import DType
from iir.expressions import CENTER, Expr, FieldAccess
from iir.nodes import Declaration, FieldDecl, ScalarDecl, Stencil, TemporaryDecl
from iir.schedule import Axis, Storage

_OUTERMOST: Final[Mapping[Storage | None, Axis]] = MappingProxyType(
    {Storage.PLANE: Axis.K, Storage.COLUMN: Axis.J}
)
"""The axis of the loop for which a temporary is kept one iteration at a time, unless k is fastest."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Declarations and given-out names of *ir*; *fastest* is the axis with unit stride, if known.

    *held* has the local variables that hold what was last stored at the point itself.
    """

    ir: Stencil
    declared: Mapping[str, Declaration]
    names: Mapping[str, Named]
    allocator: Names
    fastest: Axis | None
    limits: LevelLimits
    held: Mapping[str, str] = field(default_factory=dict)

    def variable(self, access: FieldAccess) -> str | None:
        """The local variable that has the value of *access*, None if memory has."""
        if self.is_register(access.name):
            return self.names[access.name].name
        return self.held.get(access.name) if access.offset == CENTER else None

    def is_register(self, name: str) -> bool:
        declaration = self.declared[name]
        return isinstance(declaration, TemporaryDecl) and declaration.storage is Storage.REGISTER

    def is_per_chunk(self, name: str) -> bool:
        """Whether a temporary is kept for one iteration of an outermost loop at a time."""
        return len(self.axes(name)) < len(self._declared_axes(name))

    def axes(self, name: str) -> tuple[Axis, ...]:
        """The axes by which *name* is indexed: without that of its outermost loop, if it is kept so."""
        own = self._declared_axes(name)
        declaration = self.declared[name]
        if isinstance(declaration, TemporaryDecl) and self.fastest is not Axis.K:
            missing = _OUTERMOST.get(declaration.storage)
            return tuple(axis for axis in own if axis is not missing)
        return own

    def _declared_axes(self, name: str) -> tuple[Axis, ...]:
        declaration = self.declared[name]
        assert not isinstance(declaration, ScalarDecl)
        return tuple(Axis(axis.lower()) for axis in declaration.axes.value)

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
    return Scope(ir, declared, allocator.names(declared), allocator, fastest, level_limits(ir))

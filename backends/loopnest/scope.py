"""What lowering knows about the names of a stencil."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from backends.loopnest.names import Named, Names
from backends.loopnest.places import Place
from iir.analyses.declarations import declarations
from iir.analyses.dtypes import expression_dtype
from iir.analyses.interval_order import LevelLimits, level_limits
from iir.dtypes import DType
from iir.expressions import CENTER, Expr, FieldAccess, Offset
from iir.nodes import Declaration, FieldDecl, ScalarDecl, Stencil, TemporaryDecl
from iir.schedule import Axis, Storage


@dataclass(frozen=True, slots=True)
class Scope:
    """Declarations and given-out names of *ir*, and where its temporaries are kept.

    *unit* is the axis on which all fields have unit stride, if any. *held* has the local variables that
    hold what was last stored at the point itself; *lead* is that of the body being lowered.
    """

    ir: Stencil
    declared: Mapping[str, Declaration]
    names: Mapping[str, Named]
    allocator: Names
    unit: Axis | None
    limits: LevelLimits
    places: Mapping[str, Place]
    held: Mapping[str, str] = field(default_factory=dict)
    lead: Offset = CENTER

    def variable(self, access: FieldAccess) -> str | None:
        """The local variable that has the value of *access*, None if memory has."""
        if self.is_register(access.name):
            return self.names[access.name].name
        return self.held.get(access.name) if access.offset == CENTER else None

    def is_register(self, name: str) -> bool:
        declaration = self.declared[name]
        return isinstance(declaration, TemporaryDecl) and declaration.storage is Storage.REGISTER

    def axes(self, name: str) -> tuple[Axis, ...]:
        """The axes by which *name* is indexed: those that its place has, if it has one."""
        declaration = self.declared[name]
        assert not isinstance(declaration, ScalarDecl)
        place = self.places.get(name)
        return place.axes if place else tuple(Axis(axis.lower()) for axis in declaration.axes.value)

    def slots(self, name: str) -> Mapping[Axis, int]:
        """How many indices of an axis *name* is kept for at a time, where that is not all."""
        place = self.places.get(name)
        return place.slots if place else {}

    def dtype(self, expr: Expr) -> DType:
        return expression_dtype(expr, self.declared)

    @property
    def fields(self) -> tuple[FieldDecl, ...]:
        return tuple(item for item in self.ir.parameters if isinstance(item, FieldDecl))

    @property
    def scalars(self) -> tuple[ScalarDecl, ...]:
        return tuple(item for item in self.ir.parameters if isinstance(item, ScalarDecl))


def stencil_scope(
    ir: Stencil, unit: Axis | None, places: Mapping[str, Place], reserved: frozenset[str]
) -> Scope:
    allocator = Names(reserved)
    declared = declarations(ir)
    return Scope(ir, declared, allocator.names(declared), allocator, unit, level_limits(ir), places)

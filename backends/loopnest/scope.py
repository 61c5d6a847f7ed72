"""What lowering knows about the names of a stencil."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from backends.loopnest.names import Named, Names
from backends.loopnest.places import Place
from iir.analyses.declarations import declarations
from iir.analyses.dtypes import expression_dtype
from iir.analyses.interval_order import LevelLimits, level_limits
from iir.dtypes import DType
from iir.expressions import CENTER, Expr, FieldAccess
from iir.nodes import Declaration, FieldDecl, ScalarDecl, Stencil, TemporaryDecl
from iir.schedule import Axis, Storage


@dataclass(frozen=True, slots=True)
class Scope:
    """Declarations and given-out names of *ir*, and where its temporaries are kept.

    *unit* is the axis on which all fields have unit stride, if any. *held* has the local variables that
    hold what was last stored at the point itself.
    """

    ir: Stencil
    declared: Mapping[str, Declaration]
    names: Mapping[str, Named]
    allocator: Names
    unit: Axis | None
    limits: LevelLimits
    places: Mapping[str, Place]
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
        return self.places[name].without is not None

    def axes(self, name: str) -> tuple[Axis, ...]:
        """The axes by which *name* is indexed: without that of its outermost loop, if it is kept so."""
        declaration = self.declared[name]
        assert not isinstance(declaration, ScalarDecl)
        own = tuple(Axis(axis.lower()) for axis in declaration.axes.value)
        place = self.places.get(name)
        return own if place is None else tuple(axis for axis in own if axis is not place.without)

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

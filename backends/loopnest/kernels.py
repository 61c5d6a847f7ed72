"""Kernels: the loops of one nest in a function of its own, with the views and arguments they use."""

from collections.abc import Mapping

from backends.loopnest.allocations import Allocation
from backends.loopnest.drivers import index_parameters
from backends.loopnest.expressions import Affine, Conversion, Variable
from backends.loopnest.heap_arguments import workspace_parameter
from backends.loopnest.names import CHUNK, FIRST, LAST, RECORDS, SIZE
from backends.loopnest.nodes import (
    Allocate,
    ArrayParameter,
    Function,
    Let,
    MakeView,
    NumberParameter,
    Parameter,
    Step,
)
from backends.loopnest.scope import Scope
from backends.loopnest.uses import uses
from iir.dtypes import DType
from iir.nodes import FieldDecl
from iir.schedule import Axis


def kernel(
    name: str, steps: tuple[Step, ...], scope: Scope, arrays: Mapping[str, Allocation], *, is_shared: bool
) -> Function:
    """A function of *steps* that takes just what they use."""
    used = uses(steps)
    wide = [item for item in arrays.values() if not item.is_private and item.view.name in used.views]
    fields = [item for item in scope.fields if scope.names[item.name].name in used.views]
    levels = level_lets(scope, used.names)
    parameters: tuple[Parameter, ...] = (
        *(field_parameter(item, scope) for item in fields),
        *(workspace_parameter(item.array) for item in wide if isinstance(item.array, Allocate)),
        *((RECORD_PARAMETER,) if used.reports else ()),
        *(part for item in fields for part in index_parameters(scope.names[item.name].origin(item.axes))),
        *index_parameters(name for name in SIZE if name in used.names),
        *(item for item in scalar_parameters(scope) if item.name in used.names | uses(levels).names),
        *index_parameters((FIRST, LAST) if is_shared else ()),
        *index_parameters((CHUNK,) if used.reports else ()),
    )
    views = (*(_field_view(item, scope) for item in fields), *(item.view for item in wide))
    return Function(name, parameters, (*views, *levels, *steps))


RECORD_PARAMETER = ArrayParameter(RECORDS, DType.INT64, 2)


def field_parameter(field: FieldDecl, scope: Scope) -> ArrayParameter:
    return ArrayParameter(scope.names[field.name].array, field.dtype, len(field.axes.value))


def scalar_parameters(scope: Scope) -> tuple[NumberParameter, ...]:
    return tuple(NumberParameter(scope.names[item.name].name, item.dtype) for item in scope.scalars)


def level_lets(scope: Scope, names: frozenset[str]) -> tuple[Let, ...]:
    """Scalars as bounds of loops, in full width, for those of *names* that are such."""
    return tuple(
        Let(named.level, Conversion(Variable(named.name, item.dtype), DType.INT64))
        for item in scope.scalars
        if (named := scope.names[item.name]).level in names
    )


def unit_axis(axes: tuple[Axis, ...], unit: Axis | None) -> int | None:
    return axes.index(unit) if unit in axes else None


def _field_view(field: FieldDecl, scope: Scope) -> MakeView:
    named = scope.names[field.name]
    origin = tuple(Affine(name) for name in named.origin(field.axes))
    unit = unit_axis(scope.axes(field.name), scope.unit)
    return MakeView(named.name, named.array, origin, field.dtype, unit)

"""Kernels: the loops of one nest in a function of its own, with the views and arguments they use."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from backends.loopnest.drivers import index_parameters
from backends.loopnest.expressions import Affine, Conversion, Load, Variable
from backends.loopnest.names import CHUNK, FIRST, LAST, RECORDS, SIZE
from backends.loopnest.nodes import (
    Allocate,
    ArrayParameter,
    Function,
    Let,
    MakeView,
    NumberParameter,
    Parameter,
    Report,
    Step,
    Store,
)
from backends.loopnest.scope import Scope
from iir.dtypes import DType
from iir.nodes import FieldDecl
from iir.schedule import Axis
from iir.traversal import walk


@dataclass(frozen=True, slots=True)
class Uses:
    """The names that some steps refer to."""

    views: frozenset[str]
    names: frozenset[str]
    reports: bool


def uses(steps: Iterable[Step]) -> Uses:
    nodes = [node for step in steps for node in walk(step)]
    return Uses(
        frozenset(node.view for node in nodes if isinstance(node, Load | Store)),
        frozenset(node.name for node in nodes if isinstance(node, Affine | Variable) and node.name),
        any(isinstance(node, Report) for node in nodes),
    )


def kernel(
    name: str, steps: tuple[Step, ...], scope: Scope, workspaces: Mapping[str, Allocate], *, is_shared: bool
) -> Function:
    """A function of *steps* that takes just what they use."""
    used = uses(steps)
    fields = [item for item in scope.fields if scope.names[item.name].name in used.views]
    temporaries = [item for item in scope.ir.temporaries if scope.names[item.name].name in used.views]
    views = [
        *(_field_view(item, scope) for item in fields),
        *(_workspace_view(item.name, scope, workspaces) for item in temporaries),
    ]
    has_chunk = used.reports or any(view.chunk is not None for view in views)
    levels = level_lets(scope, used.names)
    parameters: tuple[Parameter, ...] = (
        *(field_parameter(item, scope) for item in fields),
        *(workspace_parameter(workspaces[scope.names[item.name].array]) for item in temporaries),
        *((RECORD_PARAMETER,) if used.reports else ()),
        *(part for item in fields for part in index_parameters(scope.names[item.name].origin(item.axes))),
        *index_parameters(name for name in SIZE if name in used.names),
        *(item for item in scalar_parameters(scope) if item.name in used.names | uses(levels).names),
        *index_parameters((FIRST, LAST) if is_shared else ()),
        *index_parameters((CHUNK,) if has_chunk else ()),
    )
    return Function(name, parameters, (*views, *levels, *steps))


RECORD_PARAMETER = ArrayParameter(RECORDS, DType.INT64, 2)


def field_parameter(field: FieldDecl, scope: Scope) -> ArrayParameter:
    return ArrayParameter(scope.names[field.name].array, field.dtype, len(field.axes.value))


def workspace_parameter(workspace: Allocate) -> ArrayParameter:
    return ArrayParameter(workspace.array, workspace.dtype, len(workspace.axes) + workspace.per_chunk)


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


def _workspace_view(name: str, scope: Scope, workspaces: Mapping[str, Allocate]) -> MakeView:
    workspace = workspaces[scope.names[name].array]
    origin = tuple(Affine(None, -low) for low in workspace.low)
    unit = unit_axis(workspace.axes, workspace.fastest)
    chunk = Affine(CHUNK) if workspace.per_chunk else None
    return MakeView(scope.names[name].name, workspace.array, origin, workspace.dtype, unit, chunk)

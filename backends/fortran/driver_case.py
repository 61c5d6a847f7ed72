"""One call of a driver: the names of its variables, and its bounds."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from backends.fortran.declarations import type_of
from backends.fortran.forms import Form, shape_of
from backends.fortran.names import Names
from backends.fortran.reference_case import Arguments
from backends.fortran.spec import FieldSpec, StencilSpec
from backends.fortran.stencil_names import StencilNames, forms_of

_VARIABLES: Final = (
    "workspace",
    "before",
    "metrics",
    "data_unit",
    "data_path",
    "data_key",
    "failures",
    "j_block",
)


@dataclass(frozen=True, slots=True)
class DriverCase:
    """*own* are the variables for fields and scalars; a field has further arrays: what it holds at the
    *start*, what is *expected*, and the same in *blocks*. *bounds* are those of all forms."""

    call: Arguments
    names: StencilNames
    own: dict[str, str]
    start: dict[str, str]
    expected: dict[str, str]
    blocks: dict[str, str]
    bounds: Mapping[str, int]

    @property
    def spec(self) -> StencilSpec:
        return self.call.spec

    @property
    def forms(self) -> tuple[Form, ...]:
        return forms_of(self.spec)

    @property
    def changed(self) -> tuple[FieldSpec, ...]:
        return tuple(field for field in self.spec.fields if field.is_changed)

    def declarations(self) -> Iterator[str]:
        for field in self.spec.fields:
            arrays = [self.own[field.name], self.start[field.name]]
            arrays += [self.expected[field.name]] if field.is_changed else []
            declared = shape_of(field.axes, Form.WHOLE).declared
            for array in arrays:
                yield f"{type_of(field.dtype)}, allocatable, target :: {array}{declared}"
            if Form.BLOCKS in self.forms:
                declared = shape_of(field.axes, Form.BLOCKS).declared
                yield f"{type_of(field.dtype)}, allocatable, target :: {self.blocks[field.name]}{declared}"
        for scalar in self.spec.scalars:
            yield f"{type_of(scalar.dtype)} :: {self.own[scalar.name]}"
        if self.spec.has_workspace:
            yield "integer(c_int8_t), allocatable, target :: workspace(:)"
        yield "type(stencil_before) :: before"
        yield "type(stencil_metrics) :: metrics"
        if Form.BLOCK in self.forms:
            yield "integer :: j_block"

    def kind(self, field: FieldSpec) -> str:
        return f"STENCIL_{field.dtype.value.upper()}"

    def blocked_shape(self, field: FieldSpec) -> tuple[int, ...]:
        shape = dict(zip(field.axes.value, self.call.arrays[field.name].shape, strict=True))
        return tuple(shape[axis] for axis in shape_of(field.axes, Form.BLOCKS).axes)

    def part(self, field: FieldSpec, index: str, array: str | None = None) -> str:
        """The values of a field at one index along j."""
        whole = array or self.own[field.name]
        return whole + _section(field.axes.value, index)

    def last(self, field: FieldSpec, index: str) -> str:
        return _section(shape_of(field.axes, Form.BLOCKS).axes, index)


def _section(axes: str, index: str) -> str:
    if "J" not in axes:
        return ""
    return f"({', '.join(index if axis == 'J' else ':' for axis in axes)})"


def driver_case(call: Arguments, names: StencilNames) -> DriverCase:
    spec = call.spec
    scope = Names((*_VARIABLES, *names.public.values(), names.workspace_bytes))
    fields = [field.name for field in spec.fields]
    own = {item.name: scope.claim(item.name) for item in spec.arguments}
    bounds = {
        f"{axis}_{end}": origin + (1 if end == "start" else size)
        for axis, origin, size in zip("ijk", call.origin, call.domain, strict=True)
        for end in ("start", "end")
    }
    bounds |= {"block_start": bounds["j_start"], "block_end": bounds["j_end"]}
    return DriverCase(
        call,
        names,
        own,
        {name: scope.claim(name, "_start") for name in fields},
        {name: scope.claim(name, "_expected") for name in fields},
        {name: scope.claim(name, "_blocks") for name in fields},
        bounds,
    )

"""The private procedures of a stencil, which know arrays by address and shape: call, save, verify."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from backends.fortran.conditions import EVER
from backends.fortran.declarations import type_of
from backends.fortran.forms import INTEGER
from backends.fortran.fortran_writer import FortranWriter
from backends.fortran.procedures import Dummy, write_subroutine
from backends.fortran.regions import AXES, boxes_text
from backends.fortran.signatures import TOLERANCES, WORKSPACE
from backends.fortran.spec import FieldSpec, StencilSpec
from backends.fortran.stencil_names import StencilNames
from backends.fortran.verification import FieldCheck
from iir.dtypes import numpy_dtype
from iir.nodes import Axes

OUTCOME: Final = Dummy("outcome", "type(stencil_failure), intent(inout)")
_CORNERS: Final = tuple(
    Dummy(name, f"integer({INTEGER}), intent(in)", "(3)") for name in ("first_point", "last_point")
)
_SIZES: Final = ("size_i", "size_j", "size_k")


def scalar_names(stencil: StencilSpec, names: StencilNames) -> Mapping[str, str]:
    return {item.name: names.arguments[item.name].dummy for item in stencil.scalars}


def saved_fields(checks: Sequence[FieldCheck], stencil: StencilSpec) -> tuple[FieldSpec, ...]:
    """The fields of which copies may be made."""
    return tuple(item.field for item in checks if item.copies or _small(item, stencil))


def write_call(w: FortranWriter, stencil: StencilSpec, names: StencilNames) -> None:
    """Calls the kernel on a domain from *first* to *last*."""
    variables = [Dummy("work_address", "type(c_ptr)"), Dummy("kernel_status", "integer(c_int32_t)")]
    dummies = [*_arguments(stencil, names), *_CORNERS, OUTCOME, WORKSPACE]

    def body(b: FortranWriter) -> None:
        needed = f"{names.kernel_workspace}(last_point - first_point + 1)"
        b.line(f"call stencil_workspace({needed}, work_address, outcome, workspace)")
        b.line("if (outcome%status > STENCIL_OK) return")
        b.line(f"kernel_status = {names.kernel}({', '.join(_kernel_arguments(stencil, names))})")
        b.line("outcome%status = kernel_status")

    write_subroutine(w, names.call, dummies, body, variables=variables)


def write_save(
    w: FortranWriter, stencil: StencilSpec, names: StencilNames, checks: Sequence[FieldCheck]
) -> None:
    """Copies what the stencil sees or may keep of the fields that it changes."""
    saved = {field.name for field in saved_fields(checks, stencil)}
    dummies = [
        *(dummy for field in stencil.fields if field.name in saved for dummy in _array(field, names)),
        *_scalars(stencil, names),
        *_CORNERS,
        Dummy("before", "type(stencil_before), intent(inout)"),
    ]

    def body(b: FortranWriter) -> None:
        _write_sizes(b, stencil, checks)
        for check in checks:
            if check.field.name in saved:
                _write_copies(b, stencil, names, check)

    write_subroutine(w, names.save, dummies, body, variables=_size_variables())


def write_verify(
    w: FortranWriter, stencil: StencilSpec, names: StencilNames, checks: Sequence[FieldCheck]
) -> None:
    """Runs the kernel on memory of its own and compares with the fields."""
    dummies = [
        *_arguments(stencil, names),
        *_CORNERS,
        Dummy("before", "type(stencil_before), intent(in)"),
        Dummy("j_before", f"integer({INTEGER}), intent(in)"),
        Dummy("metrics", "type(stencil_metrics), intent(inout)"),
        TOLERANCES,
        OUTCOME,
        WORKSPACE,
    ]
    changed = [names.arguments[check.field.name] for check in checks]
    variables = [
        *_size_variables(),
        *(Dummy(item.scratch, "type(stencil_scratch), target") for item in changed),
        *(Dummy(item.used, "type(c_ptr)") for item in changed),
    ]

    def body(b: FortranWriter) -> None:
        b.line(f"call stencil_check_before({_text(stencil.name)}, before, outcome)")
        b.line("if (outcome%status > STENCIL_OK) return")
        _write_sizes(b, stencil, checks)
        for check in checks:
            _write_scratch(b, names, check)
        b.line(f"call {names.call}({', '.join(_arguments_in_scratch(stencil, names))})")
        b.line("if (outcome%status /= STENCIL_OK) return")
        b.line(f"call metrics%start({_text(stencil.name)}, {field_list(stencil)})")
        for check in checks:
            _write_comparison(b, stencil, names, check)

    write_subroutine(w, names.verify, dummies, body, variables=variables)


def _arguments_in_scratch(stencil: StencilSpec, names: StencilNames) -> Iterator[str]:
    """The arguments of a call that changes no field."""
    for field in stencil.fields:
        own = names.arguments[field.name]
        yield own.used if field.is_changed else own.dummy
        yield own.shape
    yield from scalar_names(stencil, names).values()
    yield from ("first_point", "last_point", "outcome", "workspace")


def field_list(stencil: StencilSpec) -> str:
    """The names of the fields as an array of texts."""
    texts = ", ".join(_text(field.name) for field in stencil.fields)
    return f"[character(len=63) :: {texts}]"


def _text(name: str) -> str:
    return f"'{name}'"


def _arguments(stencil: StencilSpec, names: StencilNames) -> Iterator[Dummy]:
    for field in stencil.fields:
        yield from _array(field, names)
    yield from _scalars(stencil, names)


def _array(field: FieldSpec, names: StencilNames) -> tuple[Dummy, Dummy]:
    own = names.arguments[field.name]
    return Dummy(own.dummy, "type(c_ptr), intent(in)"), Dummy(
        own.shape, f"integer({INTEGER}), intent(in)", "(3)"
    )


def _scalars(stencil: StencilSpec, names: StencilNames) -> Iterator[Dummy]:
    for item in stencil.scalars:
        yield Dummy(names.arguments[item.name].dummy, f"{type_of(item.dtype)}, intent(in)")


def _kernel_arguments(stencil: StencilSpec, names: StencilNames) -> Iterator[str]:
    for field in stencil.fields:
        own = names.arguments[field.name]
        yield own.dummy
        yield own.shape + _section(field.axes)
    yield from scalar_names(stencil, names).values()
    yield from ("first_point - 1", "last_point - first_point + 1", "work_address", "outcome")


def _section(axes: Axes) -> str:
    """Which of three sizes belong to *axes*."""
    numbers = [AXES.index(axis) + 1 for axis in axes.value]
    first, last = numbers[0], numbers[-1]
    if len(numbers) == last - first + 1:
        return "" if len(numbers) == 3 else f"({first}:{last})"
    return f"({first}:{last}:2)"


def _size_variables() -> list[Dummy]:
    return [Dummy(name, f"integer({INTEGER})") for name in _SIZES]


def _write_sizes(b: FortranWriter, stencil: StencilSpec, checks: Sequence[FieldCheck]) -> None:
    """Sets the sizes of the domain that conditions look at."""
    conditions = " ".join(
        text
        for check in checks
        for text in (_small(check, stencil), check.is_changed, *(copy.condition for copy in check.copies))
    )
    for number, name in enumerate(_SIZES, start=1):
        if name in conditions.replace("(", " ").replace(")", " ").split():
            b.line(f"{name} = last_point({number}) - first_point({number}) + 1")


def _small(check: FieldCheck, stencil: StencilSpec) -> str:
    """On which domains the regions are not known exactly; nothing where they always are."""
    least = (1, 1, max(1, stencil.required_levels))
    limits = zip(_SIZES, check.exact_from, least, strict=True)
    return " .or. ".join(f"{name} < {exact}" for name, exact, low in limits if exact > low)


def _write_copies(b: FortranWriter, stencil: StencilSpec, names: StencilNames, check: FieldCheck) -> None:
    own = names.arguments[check.field.name]
    size = numpy_dtype(check.field.dtype).itemsize

    def save(boxes: str) -> str:
        return f"call before%save({check.number}, {own.dummy}, {size}_{INTEGER}, {own.shape}, {boxes})"

    def write_exact() -> None:
        for copy in check.copies:
            boxes = boxes_text(copy.boxes, check.field.axes, scalar_names(stencil, names))
            if copy.condition == EVER:
                b.line(save(boxes))
            else:
                with b.block(f"if ({copy.condition}) then", "end if"):
                    b.line(save(boxes))

    b.comment(f"{check.field.name}: {check.field.facts.label}")
    small = _small(check, stencil)
    if not small:
        write_exact()
        return
    with b.block(f"if ({small}) then", "end if"):
        ones = f"1_{INTEGER}"
        b.line(save(f"reshape([{ones}, {ones}, {ones}, {own.shape}], [6, 1])"))
        if check.copies:
            b.alternative("else")
            write_exact()


def _write_scratch(b: FortranWriter, names: StencilNames, check: FieldCheck) -> None:
    own = names.arguments[check.field.name]
    size = numpy_dtype(check.field.dtype).itemsize
    scratch = f"{own.scratch}%allocate(before, {check.number}, {size}_{INTEGER}, {own.shape})"
    if check.is_changed == EVER:
        b.line(f"{own.used} = {scratch}")
    else:
        b.line(f"{own.used} = {own.dummy}")
        b.line(f"if ({check.is_changed}) {own.used} = {scratch}")


def _write_comparison(b: FortranWriter, stencil: StencilSpec, names: StencilNames, check: FieldCheck) -> None:
    own = names.arguments[check.field.name]
    kind = f"STENCIL_{check.field.dtype.value.upper()}"

    def compare(boxes: str) -> str:
        return (
            f"call metrics%compare({check.number}, {kind}, {own.used}, {own.dummy}, {own.shape}, {boxes}, "
            "j_before, tolerances)"
        )

    def write_comparisons() -> None:
        exact = compare(boxes_text(check.compared, check.field.axes, scalar_names(stencil, names)))
        small = _small(check, stencil)
        if not small:
            b.line(exact)
            return
        with b.block(f"if ({small}) then", "end if"):
            b.line(compare(f"reshape([{', '.join(_domain(check.field.axes))}], [6, 1])"))
            b.alternative("else")
            b.line(exact)

    if check.is_changed == EVER:
        write_comparisons()
    else:
        with b.block(f"if ({check.is_changed}) then", "end if"):
            write_comparisons()


def _domain(axes: Axes) -> Iterator[str]:
    for corner in ("first_point", "last_point"):
        for number, axis in enumerate(AXES, start=1):
            yield f"{corner}({number})" if axis in axes.value else f"1_{INTEGER}"

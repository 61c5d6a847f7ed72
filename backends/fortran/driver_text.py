"""A program that repeats recorded calls: whole domain, block by block, all blocks, verification."""

from collections.abc import Iterator, Sequence
from typing import Final

from backends.fortran.driver_case import DriverCase, driver_case
from backends.fortran.forms import Form, bounds_of
from backends.fortran.fortran_writer import FortranWriter
from backends.fortran.module_text import LibraryNames, library_names
from backends.fortran.names import Names
from backends.fortran.reference_case import Arguments, data_key
from backends.fortran.spec import FieldSpec, LibrarySpec
from backends.fortran.stencil_names import Task

_LINE: Final = "'(2x, a, 1x, a, 2(1x, i0, 1x, a))'"
_OPEN: Final = "access='stream', form='unformatted', status='old', action='read'"


def driver_text(library: LibrarySpec, calls: Sequence[Arguments]) -> str:
    """The text of ``test_<name>.F90``; it reads data that `reference_case.data_of` made."""
    names = library_names(library)
    w = FortranWriter()
    w.comment(f"Repeats recorded calls of library {library.name} and compares the results bit for bit.")
    w.comment("Generated from IIR; do not edit.")
    program = Names((names.module,)).claim(f"test_{library.name}")
    with w.block(f"program {program}", f"end program {program}"):
        _write_main(w, library, names, len(calls))
        w.line()
        w.alternative("contains")
        for number, (call, own) in enumerate(zip(calls, names.stencils, strict=True), start=1):
            w.line()
            _write_case(w, number, driver_case(call, own))
        w.line()
        _write_compare(w)
        w.line()
    return w.text


def _write_main(w: FortranWriter, library: LibrarySpec, names: LibraryNames, count: int) -> None:
    w.line("use, intrinsic :: iso_c_binding")
    w.line(f"use {names.module}")
    w.line("use stencil_runtime")
    w.line("implicit none")
    w.line("character(len=4096) :: data_path")
    w.line("integer(c_int64_t) :: data_key")
    w.line("integer :: data_unit, failures")
    w.line()
    w.line("failures = 0")
    w.line(f"data_path = 'test_{library.name}.bin'")
    w.line("if (command_argument_count() > 0) call get_command_argument(1, data_path)")
    w.line(f"open (newunit=data_unit, file=trim(data_path), {_OPEN})")
    w.line("read (data_unit) data_key")
    w.line(f"if (data_key /= {data_key(library)}_c_int64_t) error stop 'The data is of another library.'")
    for number in range(1, count + 1):
        w.line(f"call test_{number}()")
    w.line("close (data_unit)")
    w.line("if (failures > 0) error stop 'Results differ.'")
    w.line("print '(a)', 'All results are equal.'")


def _write_case(w: FortranWriter, number: int, case: DriverCase) -> None:
    with w.block(f"subroutine test_{number}()", f"end subroutine test_{number}"):
        for line in case.declarations():
            w.line(line)
        w.line()
        _write_reading(w, case)
        for form in case.forms:
            w.line()
            _write_run(w, case, form)
        w.line()
        _write_verification(w, case)


def _write_reading(w: FortranWriter, case: DriverCase) -> None:
    """Reads a call, and allocates what the forms need."""
    for scalar in case.spec.scalars:
        w.line(f"read (data_unit) {case.own[scalar.name]}")
    for field in case.spec.fields:
        sizes = ", ".join(map(str, case.call.arrays[field.name].shape))
        arrays = [case.own[field.name], case.start[field.name]]
        arrays += [case.expected[field.name]] if field.is_changed else []
        w.line(f"allocate ({', '.join(f'{array}({sizes})' for array in arrays)})")
        w.line(f"read (data_unit) {case.start[field.name]}")
    for field in case.changed:
        w.line(f"read (data_unit) {case.expected[field.name]}")
    if Form.BLOCKS in case.forms:
        for field in case.spec.fields:
            sizes = ", ".join(map(str, case.blocked_shape(field)))
            w.line(f"allocate ({case.blocks[field.name]}({sizes}))")
    if case.spec.has_workspace:
        domain = ", ".join(map(str, case.call.domain))
        w.line(f"allocate (workspace({case.names.workspace_bytes}({domain})))")


def _write_run(w: FortranWriter, case: DriverCase, form: Form) -> None:
    name = case.names.public[Task.RUN, form]
    match form:
        case Form.WHOLE:
            _write_start(w, case)
            w.line(f"call {name}({', '.join(_run_arguments(case, form, case.own))})")
        case Form.BLOCK:
            _write_start(w, case)
            parts = {field.name: case.part(field, "j_block") for field in case.spec.fields}
            j_start, j_end = case.bounds["j_start"], case.bounds["j_end"]
            with w.block(f"do j_block = {j_start}, {j_end}", "end do"):
                w.line(f"call {name}({', '.join(_run_arguments(case, form, parts))})")
        case Form.BLOCKS:
            for field in case.spec.fields:
                _write_blocked_copy(w, case, field, to_blocks=True)
            w.line(f"call {name}({', '.join(_run_arguments(case, form, case.blocks))})")
            for field in case.changed:
                _write_blocked_copy(w, case, field, to_blocks=False)
    for field in case.changed:
        own, expected = case.own[field.name], case.expected[field.name]
        arrays = f"c_loc({own}), c_loc({expected}), size({own}, kind=c_int64_t)"
        w.line(f"call compare('{name}', '{field.name}', {case.kind(field)}, {arrays})")


def _write_start(w: FortranWriter, case: DriverCase) -> None:
    for field in case.spec.fields:
        w.line(f"{case.own[field.name]} = {case.start[field.name]}")


def _write_blocked_copy(w: FortranWriter, case: DriverCase, field: FieldSpec, *, to_blocks: bool) -> None:
    """Blocks lie last."""
    blocks, whole = case.blocks[field.name], case.own[field.name]
    source = case.start[field.name] if to_blocks else blocks
    if "J" not in field.axes.value:
        w.line(f"{blocks if to_blocks else whole} = {source}")
        return
    with w.block(f"do j_block = 1, size({whole}, {field.axes.value.index('J') + 1})", "end do"):
        last = case.last(field, "j_block")
        if to_blocks:
            w.line(f"{blocks}{last} = {case.part(field, 'j_block', source)}")
        else:
            w.line(f"{case.part(field, 'j_block')} = {blocks}{last}")


def _write_verification(w: FortranWriter, case: DriverCase) -> None:
    """The recorded results stand for those of a model, and are found to be what the stencil computes."""
    names = case.names
    _write_start(w, case)
    arguments = [*_arguments(case, Form.WHOLE, case.own)]
    w.line(f"call {names.public[Task.SAVE, Form.WHOLE]}({', '.join((*arguments, 'before'))})")
    for field in case.changed:
        w.line(f"{case.own[field.name]} = {case.expected[field.name]}")
    arguments += ["before", "metrics", "[stencil_tolerance()]"]
    arguments += ["workspace=workspace"] if case.spec.has_workspace else []
    w.line(f"call {names.public[Task.VERIFY, Form.WHOLE]}({', '.join(arguments)})")
    w.line("call before%print()")
    w.line("call metrics%print()")


def _run_arguments(case: DriverCase, form: Form, arrays: dict[str, str]) -> Iterator[str]:
    yield from _arguments(case, form, arrays)
    if case.spec.has_workspace:
        yield "workspace=workspace"


def _arguments(case: DriverCase, form: Form, arrays: dict[str, str]) -> Iterator[str]:
    """Fields, scalars and bounds."""
    for field in case.spec.fields:
        yield arrays[field.name]
    for scalar in case.spec.scalars:
        yield case.own[scalar.name]
    for bound in bounds_of(form):
        yield str(case.bounds[bound])


def _write_compare(w: FortranWriter) -> None:
    head = "subroutine compare(procedure, field, kind, computed, expected, count)"
    with w.block(head, "end subroutine compare"):
        w.line("character(len=*), intent(in) :: procedure, field")
        w.line("integer, intent(in) :: kind")
        w.line("type(c_ptr), intent(in) :: computed, expected")
        w.line("integer(c_int64_t), intent(in) :: count")
        w.line("integer(c_int64_t) :: differing")
        w.line()
        w.line("differing = stencil_differing_values(kind, computed, expected, count)")
        w.line(f"print {_LINE}, procedure, field, count, 'values,', differing, 'differ'")
        w.line("if (differing > 0) failures = failures + 1")

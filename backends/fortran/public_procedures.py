"""The procedures that models call: they turn arrays and bounds of one form into addresses and corners."""

from collections.abc import Iterator, Sequence
from typing import Final, assert_never

from backends.fortran.forms import INTEGER, Form, shape_of
from backends.fortran.fortran_writer import FortranWriter
from backends.fortran.kernel_procedures import field_list, saved_fields
from backends.fortran.procedures import Dummy, write_subroutine
from backends.fortran.signatures import signature
from backends.fortran.spec import FieldSpec, StencilSpec
from backends.fortran.stencil_names import Logicals, StencilNames, Task
from backends.fortran.verification import FieldCheck

_VARIABLES: Final = (
    Dummy("outcome", "type(stencil_failure)"),
    *(Dummy(name, f"integer({INTEGER})", "(3)") for name in ("first_point", "last_point")),
    Dummy("block_number", "integer"),
    Dummy("this_call", "type(stencil_metrics)"),
)


def write_public(
    w: FortranWriter,
    stencil: StencilSpec,
    names: StencilNames,
    checks: Sequence[FieldCheck],
    task: Task,
    form: Form,
) -> None:
    """The procedure for *task* on arrays of *form*; its logicals are those of C."""
    dummies = signature(stencil, names, task, form, Logicals.C)

    def body(b: FortranWriter) -> None:
        if task is Task.EITHER:
            _write_either(b, stencil, names, form)
            return
        _write_begin(b, stencil, task, form)
        if form is Form.BLOCKS:
            _write_blocks(b, stencil, names, checks, task)
        else:
            _write_corners(b, form)
            _write_core_call(b, stencil, names, checks, task, form)
        if task is Task.VERIFY:
            b.line("call this_call%judge(outcome)")
            b.line("call metrics%add(this_call)")
        if task is not Task.SAVE:
            b.line(f"call stencil_finish('{stencil.name}', outcome, rc, failure)")

    name = names.specific[task, form, Logicals.C]
    write_subroutine(w, name, dummies, body, variables=_VARIABLES, remark=_remark(task, form))


def _remark(task: Task, form: Form) -> str:
    match task:
        case Task.RUN:
            what = "Runs the stencil"
        case Task.SAVE:
            what = "Copies what the stencil will need when the fields have changed"
        case Task.VERIFY:
            what = "Runs the stencil on what the fields held before, and compares with what they hold now"
        case Task.EITHER:
            what = "Verifies where STENCIL_VERIFY is defined, runs elsewhere"
        case _:
            assert_never(task)
    match form:
        case Form.WHOLE:
            return f"{what}: points i_start to i_end, j_start to j_end, k_start to k_end of the arrays."
        case Form.BLOCK:
            return f"{what}: columns i_start to i_end of one block, levels k_start to k_end."
        case Form.BLOCKS:
            return (
                f"{what}: blocks block_start to block_end, in the first from i_start on, in the last up to "
                "i_end, levels k_start to k_end."
            )
        case _:
            assert_never(form)


def _write_begin(b: FortranWriter, stencil: StencilSpec, task: Task, form: Form) -> None:
    if task is not Task.SAVE:
        if form is Form.BLOCKS:
            b.line("outcome%status = STENCIL_OK")
    elif form is Form.BLOCKS:
        b.line("if (allocated(before)) deallocate (before)")
        b.line("allocate (before(block_start:block_end))")
    else:
        b.line(f"call before%start('{stencil.name}', {field_list(stencil)})")


def _write_corners(b: FortranWriter, form: Form) -> None:
    j_start, j_end = ("j_start", "j_end") if form is Form.WHOLE else ("1", "1")
    b.line(f"first_point = int([i_start, {j_start}, k_start], {INTEGER})")
    b.line(f"last_point = int([i_end, {j_end}, k_end], {INTEGER})")


def _write_blocks(
    b: FortranWriter,
    stencil: StencilSpec,
    names: StencilNames,
    checks: Sequence[FieldCheck],
    task: Task,
) -> None:
    if task is Task.SAVE:
        _write_unchecked_blocks(b, stencil, names, checks)
        return
    _write_block_checks(b, stencil, names)
    if task is Task.VERIFY:
        b.line("call stencil_check_saved_blocks(before, block_start, block_end, outcome)")
    with b.block("do block_number = block_start, block_end", "end do"):
        b.line("if (outcome%status > STENCIL_OK) exit")
        _write_block_corners(b, stencil, names)
        _write_core_call(b, stencil, names, checks, task, Form.BLOCKS)
        b.line("if (outcome%status > STENCIL_OK) call stencil_name_block(block_number, outcome)")


def _write_unchecked_blocks(
    b: FortranWriter, stencil: StencilSpec, names: StencilNames, checks: Sequence[FieldCheck]
) -> None:
    """What arrays do not have is not saved; the call to come tells of it."""
    if any("J" in field.axes.value for field in saved_fields(checks, stencil)):
        b.line("outcome%status = STENCIL_OK")
        _write_block_checks(b, stencil, names)
    with b.block("do block_number = block_start, block_end", "end do"):
        b.line(f"call before(block_number)%start('{stencil.name}', {field_list(stencil)})")
        if saved_fields(checks, stencil):
            if any("J" in field.axes.value for field in saved_fields(checks, stencil)):
                b.line("if (outcome%status > STENCIL_OK) cycle")
            _write_block_corners(b, stencil, names)
            _write_core_call(b, stencil, names, checks, Task.SAVE, Form.BLOCKS)


def _write_block_checks(b: FortranWriter, stencil: StencilSpec, names: StencilNames) -> None:
    for number, field in enumerate(stencil.fields):
        if "J" in field.axes.value:
            dummy = names.arguments[field.name].dummy
            b.line(
                f"call stencil_check_blocks({number}, '{field.name}', shape({dummy}, {INTEGER}), "
                "block_start, block_end, outcome)"
            )


def _write_block_corners(b: FortranWriter, stencil: StencilSpec, names: StencilNames) -> None:
    """Blocks between the first and the last one are used from end to end."""
    columns = [names.arguments[field.name].dummy for field in stencil.fields if "I" in field.axes.value]
    if columns:
        i_start = "merge(i_start, 1, block_number == block_start)"
        i_end = f"merge(i_end, size({columns[0]}, 1), block_number == block_end)"
    else:
        i_start, i_end = "i_start", "i_end"
    b.line(f"first_point = int([{i_start}, 1, k_start], {INTEGER})")
    b.line(f"last_point = int([{i_end}, 1, k_end], {INTEGER})")


def _write_core_call(
    b: FortranWriter,
    stencil: StencilSpec,
    names: StencilNames,
    checks: Sequence[FieldCheck],
    task: Task,
    form: Form,
) -> None:
    """Calls the procedure that knows no forms."""
    fields = saved_fields(checks, stencil) if task is Task.SAVE else stencil.fields
    if not fields:
        return
    before = "before(block_number)" if form is Form.BLOCKS else "before"
    arguments = [text for field in fields for text in _address_and_shape(field, names, form)]
    arguments += [names.arguments[item.name].dummy for item in stencil.scalars]
    arguments += ["first_point", "last_point"]
    match task:
        case Task.RUN:
            b.line(f"call {names.call}({', '.join((*arguments, 'outcome', 'workspace'))})")
        case Task.SAVE:
            b.line(f"call {names.save}({', '.join((*arguments, before))})")
        case Task.VERIFY:
            j_before = f"int(block_number - 1, {INTEGER})" if form is Form.BLOCKS else f"0_{INTEGER}"
            rest = (before, j_before, "this_call", "tolerances", "outcome", "workspace")
            b.line(f"call {names.verify}({', '.join((*arguments, *rest))})")
        case Task.EITHER:
            raise AssertionError(task)
        case _:
            assert_never(task)


def _address_and_shape(field: FieldSpec, names: StencilNames, form: Form) -> Iterator[str]:
    dummy = names.arguments[field.name].dummy
    shape = shape_of(field.axes, form)
    is_part = form is Form.BLOCKS and "J" in shape.axes
    element = (
        f"({', '.join('block_number' if axis == 'J' else '1' for axis in shape.axes)})" if is_part else ""
    )
    yield f"c_loc({dummy}{element})"
    sizes = (
        f"1_{INTEGER}" if axis == "J" and form is not Form.WHOLE else shape.extent(dummy, axis)
        for axis in "IJK"
    )
    yield f"[{', '.join(sizes)}]"


def _write_either(b: FortranWriter, stencil: StencilSpec, names: StencilNames, form: Form) -> None:
    run = signature(stencil, names, Task.RUN, form, Logicals.C)
    verify = signature(stencil, names, Task.VERIFY, form, Logicals.C)
    known = {dummy.name for dummy in run}
    b.directive("#ifdef STENCIL_VERIFY")
    b.line(f"call {names.specific[Task.VERIFY, form, Logicals.C]}({_arguments(verify)})")
    b.directive("#else")
    b.line("if (present(tolerances)) continue")
    unused = [dummy.name for dummy in verify if dummy.name not in known and not dummy.is_optional]
    pairs = ", ".join(f"unused_{number} => {name}" for number, name in enumerate(unused, start=1))
    with b.block(f"associate ({pairs})", "end associate"):
        pass
    b.line(f"call {names.specific[Task.RUN, form, Logicals.C]}({_arguments(run)})")
    b.directive("#endif")


def _arguments(dummies: Sequence[Dummy]) -> str:
    """Optional arguments are passed on by name, since others may stand before them."""
    return ", ".join(f"{item.name}={item.name}" if item.is_optional else item.name for item in dummies)

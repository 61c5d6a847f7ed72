"""The C source of a library's functions: they check the arguments and call the kernels."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, assert_never

from backends.loopnest.nodes import ArrayParameter, IndexParameter, NumberParameter
from backends.native.boundary_tables import BoundaryTables, write_tables
from backends.native.c_text import c_string, comment_text
from backends.native.c_types import C_TYPE, item_size
from backends.native.check_failures import write_check_failures
from backends.native.description import SHAPE, STRIDES, NativeField, NativeLibrary, NativeStencil
from backends.native.header import write_prototype
from backends.native.workspaces import stack_room, write_workspaces
from backends.writer import Writer
from iir.dtypes import DType

RECORD: Final = 10
"""Numbers in a record of a failed check."""

_SUPPORT: Final = Path(__file__).with_name("support.c")


def kernels_symbol(stencil: NativeStencil) -> str:
    """The function that runs the kernels of *stencil*, inside the library."""
    return f"{stencil.symbol}_kernels"


def boundary(library: NativeLibrary, frames: Mapping[str, int]) -> str:
    """The text of the library's C source; *frames* is what the kernels of each symbol take of the stack
    beside their arrays."""
    w = Writer()
    w.line(f"/* Boundary of library {library.name}. Generated from IIR; do not edit. */")
    w.line(f'#include "{library.name}.h"')
    w.line()
    for name in ("math", "stddef", "stdio", "string"):
        w.line(f"#include <{name}.h>")
    w.line()
    for line in _SUPPORT.read_text().splitlines():
        w.line(line)
    for stencil in library.stencils:
        w.line()
        w.line(f"/* Stencil {comment_text(stencil.name)}. */")
        w.line()
        _write_stencil(w, stencil, frames[stencil.symbol])
    return w.text


def _write_stencil(w: Writer, stencil: NativeStencil, frames: int) -> None:
    _write_kernels(w, stencil)
    w.line()
    if stencil.program.checks:
        write_check_failures(w, stencil)
        w.line()
    write_workspaces(w, stencil, frames)
    _write_run(w, stencil, write_tables(w, stencil), frames)


def _write_kernels(w: Writer, stencil: NativeStencil) -> None:
    """The prototype of what the object file of the kernels defines."""
    types: list[str] = []
    for item in stencil.program.serial.parameters:
        match item:
            case ArrayParameter(_, dtype, _):
                types += [f"{C_TYPE[dtype]} *", "const int64_t *"]
            case NumberParameter(_, dtype):
                types.append(C_TYPE[dtype])
            case IndexParameter():
                types.append("int64_t")
            case _:
                assert_never(item)
    w.line(f"int32_t {kernels_symbol(stencil)}({', '.join(types)});")


def _write_run(w: Writer, stencil: NativeStencil, tables: BoundaryTables, frames: int) -> None:
    write_prototype(w, stencil, "")
    with w.block("{"):
        w.line("stencil_failure unseen;")
        with w.block("if (failure == NULL)"):
            w.line("failure = &unseen;")
        w.line("stencil_begin(failure);")
        _write_checks(w, stencil, tables)
        with w.block("if (domain[0] == 0 || domain[1] == 0 || domain[2] == 0)"):
            w.line("return failure->status = STENCIL_OK;")
        _write_if(w, f"stencil_overlap_fails(fields, {len(stencil.fields)}, failure)")
        _write_workspace(w, stencil, frames)
        _write_call(w, stencil)
    w.line("}")


def _write_if(w: Writer, condition: str) -> None:
    with w.block(f"if ({condition})"):
        w.line("return failure->status;")


def _write_checks(w: Writer, stencil: NativeStencil, tables: BoundaryTables) -> None:
    levels = ", ".join(("0", "domain[2]", *(f"(int64_t){item.parameter}" for item in tables.scalars)))
    w.line(f"const int64_t levels[] = {{{levels}}};")
    with w.block("const stencil_field fields[] = {"):
        for item in stencil.fields:
            axes = ", ".join(str("IJK".index(axis)) for axis in item.axes.value)
            facts = f"{item.rank}, {{{axes}}}, {item_size(item.dtype)}, {int(item.is_written)}"
            w.line(f"{{{c_string(item.name)}, {item.parameter}, {item.parameter}{SHAPE}, {facts}}},")
    w.line("};")
    count = len(stencil.fields)
    for check in (
        f"stencil_domain_fails(origin, domain, {stencil.required_levels}, failure)",
        f"stencil_bounds_fail({tables.bounds}, levels, failure)",
        f"stencil_fields_fail(fields, {count}, {tables.accesses}, levels, origin, domain, failure)",
    ):
        _write_if(w, check)


def _write_workspace(w: Writer, stencil: NativeStencil, frames: int) -> None:
    """Make ``workspace`` hold the arrays: it is on the stack if they are small."""
    if count := len(stencil.program.workspaces):
        w.line(f"stencil_layout layouts[{count}];")
        w.line(f"const int64_t total = {stencil.symbol}_layouts(domain, layouts);")
        w.line(f"const int is_small = total <= {stack_room(stencil, frames)};")
        w.line("char memory[is_small ? total + STENCIL_LINE : 1];")
        with w.block("if (is_small)"):
            w.line("workspace = stencil_aligned(memory);")
        with w.block("else if (stencil_workspace_fails(workspace, total, failure))"):
            w.line("return failure->status;")
    else:
        w.line("(void)workspace;")


def _write_call(w: Writer, stencil: NativeStencil) -> None:
    for item in stencil.fields:
        w.line(f"const int64_t {item.parameter}{STRIDES}[] = {{{_strides(item)}}};")
    if stencil.program.checks:
        w.line(f"int64_t record[{RECORD}] = {{0}};")
        w.line("const int64_t record_strides[] = {sizeof record, sizeof record[0]};")
    arguments = list(_arguments(stencil))
    with w.block(f"if ({kernels_symbol(stencil)}("):
        for text in arguments[:-1]:
            w.line(f"{text},")
        w.line(f"{arguments[-1]}) != 0)")
    with w.indented():
        w.line("return stencil_internal_error(failure);")
    if stencil.program.checks:
        with w.block("if (record[0] != 0)"):
            w.line(f"return {stencil.symbol}_check_failed(record, failure);")
    w.line("return failure->status = STENCIL_OK;")


def _arguments(stencil: NativeStencil) -> Iterator[str]:
    """The arguments of the kernels, in the order of a driver's parameters."""
    for item in stencil.fields:
        constant = "" if item.is_written else f"({C_TYPE[item.dtype]} *)"
        yield f"{constant}{item.parameter}, {item.parameter}{STRIDES}"
    for number, workspace in enumerate(stencil.program.workspaces):
        address = f"(char *)workspace + layouts[{number}].offset"
        yield f"({C_TYPE[workspace.dtype]} *)({address}), layouts[{number}].strides"
    if stencil.program.checks:
        yield "record, record_strides"
    for item in stencil.fields:
        yield ", ".join(f"origin[{'IJK'.index(axis)}]" for axis in item.axes.value)
    yield "domain[0], domain[1], domain[2]"
    for scalar in stencil.scalars:
        yield f"{scalar.parameter} != 0" if scalar.dtype is DType.BOOL else scalar.parameter


def _strides(field: NativeField) -> str:
    size = item_size(field.dtype)
    shape = [f"{field.parameter}{SHAPE}[{axis}]" for axis in range(field.rank - 1)]
    return ", ".join(" * ".join((str(size), *shape[:axis])) for axis in range(field.rank))

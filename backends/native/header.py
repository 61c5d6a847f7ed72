"""The C header of a library."""

from pathlib import Path
from typing import Final

from backends.native.c_names import symbol
from backends.native.c_text import comment_text
from backends.native.c_types import C_TYPE
from backends.native.description import SHAPE, NativeField, NativeLibrary, NativeScalar, NativeStencil
from backends.writer import Writer
from iir.dtypes import DType

_FAILURE: Final = Path(__file__).with_name("failure.h")

_CALLS: Final = """\
/* Fields are contiguous and their first axis varies fastest; each comes with its shape. `origin` is the
   index of the domain's first point, from 0, on axes i, j, k; a field uses those it has. `domain` is ni,
   nj, nk; without points there is nothing to do. `workspace` holds `..._workspace_bytes(domain)` bytes
   at a multiple of 64, and is used by one call at a time; NULL if that is 0. A call takes at most
   `..._stack_bytes(domain)` of the stack. `failure` may be NULL. A field of bool is true where it is
   not 0. Calls may run in several threads. */"""


def header(library: NativeLibrary) -> str:
    """The text of ``<name>.h``."""
    guard = f"STENCIL_LIBRARY_{symbol(library.name).upper()}"
    w = Writer()
    w.line(f"/* Stencils of library {library.name}. Generated from IIR; do not edit. */")
    w.line(f"#ifndef {guard}")
    w.line(f"#define {guard}")
    w.line()
    w.line("#include <stdint.h>")
    w.line()
    w.line("#ifdef __cplusplus")
    w.line('extern "C" {')
    w.line("#endif")
    w.line()
    for line in (*_FAILURE.read_text().splitlines(), "", *_CALLS.splitlines()):
        w.line(line)
    for stencil in library.stencils:
        w.line()
        _write_stencil(w, stencil)
    w.line()
    w.line("#ifdef __cplusplus")
    w.line("}")
    w.line("#endif")
    w.line("#endif")
    return w.text


def _write_stencil(w: Writer, stencil: NativeStencil) -> None:
    w.line(f"/* Stencil {comment_text(stencil.name)}: at least {stencil.required_levels} level(s).")
    arguments: tuple[NativeField | NativeScalar, ...] = (*stencil.fields, *stencil.scalars)
    for item in arguments:
        w.line(f"   {item.position}: {comment_text(_describe(item))}")
    w.line("*/")
    write_prototype(w, stencil, ";")
    for ending in ("workspace_bytes", "stack_bytes"):
        w.line(f"int64_t {stencil.symbol}_{ending}(const int64_t domain[3]);")


def write_prototype(w: Writer, stencil: NativeStencil, end: str) -> None:
    """The head of the function that runs *stencil*."""
    parameters = [
        *(text for item in stencil.fields for text in _field_parameters(item)),
        *(f"{C_TYPE[item.dtype]} {item.parameter}" for item in stencil.scalars),
        *("const int64_t origin[3]", "const int64_t domain[3]", "void *workspace"),
        "stencil_failure *failure",
    ]
    w.line(f"int32_t {stencil.symbol}_run(")
    with w.indented():
        for text in parameters[:-1]:
            w.line(f"{text},")
        w.line(f"{parameters[-1]}){end}")


def _field_parameters(field: NativeField) -> tuple[str, str]:
    constant = "" if field.is_written else "const "
    shape = f"const int64_t {field.parameter}{SHAPE}[{field.rank}]"
    return f"{constant}{C_TYPE[field.dtype]} *{field.parameter}", shape


def _describe(item: NativeField | NativeScalar) -> str:
    match item:
        case NativeScalar(name, _, _, dtype):
            return f"scalar {name}, {_type_text(dtype)}"
        case NativeField(name, _, _, dtype, axes, halo, is_written):
            access = "written" if is_written else "only read"
            sides = ", ".join(
                f"{axis.lower()} {low}+{high}"
                for axis, (low, high) in zip("IJK", halo, strict=True)
                if axis in axes.value
            )
            return f"field {name}, {_type_text(dtype)} on {axes.value}, {access}; halo {sides}"


def _type_text(dtype: DType) -> str:
    return "bool as int8_t" if dtype is DType.BOOL else C_TYPE[dtype]

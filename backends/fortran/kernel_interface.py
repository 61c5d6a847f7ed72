"""The interfaces of the functions in object code."""

from collections.abc import Iterator

from backends.fortran.declarations import type_of
from backends.fortran.forms import INTEGER
from backends.fortran.fortran_writer import FortranWriter
from backends.fortran.procedures import Dummy
from backends.fortran.spec import StencilSpec
from backends.fortran.stencil_names import StencilNames


def write_kernel_interface(w: FortranWriter, stencil: StencilSpec, names: StencilNames, symbol: str) -> None:
    """The functions that begin with *symbol* in C."""
    with w.block("interface", "end interface"):
        dummies = list(_dummies(stencil, names))
        _write_function(w, names.kernel, f"{symbol}_run", "c_int32_t", dummies)
        domain = [Dummy("domain_size", f"integer({INTEGER}), intent(in)", "(*)")]
        _write_function(w, names.kernel_workspace, f"{symbol}_workspace_bytes", INTEGER, domain)


def _write_function(w: FortranWriter, name: str, symbol: str, kind: str, dummies: list[Dummy]) -> None:
    arguments = ", ".join(dummy.name for dummy in dummies)
    head = f"integer({kind}) function {name}({arguments}) bind(c, name='{symbol}')"
    with w.block(head, f"end function {name}"):
        w.line("import")
        for dummy in dummies:
            w.line(f"{dummy.declaration} :: {dummy.name}{dummy.dimensions}")


def _dummies(stencil: StencilSpec, names: StencilNames) -> Iterator[Dummy]:
    for field in stencil.fields:
        own = names.arguments[field.name]
        yield Dummy(own.dummy, "type(c_ptr), value, intent(in)")
        yield Dummy(own.shape, f"integer({INTEGER}), intent(in)", "(*)")
    for scalar in stencil.scalars:
        yield Dummy(names.arguments[scalar.name].dummy, f"{type_of(scalar.dtype)}, value, intent(in)")
    for name in ("domain_origin", "domain_size"):
        yield Dummy(name, f"integer({INTEGER}), intent(in)", "(*)")
    yield Dummy("workspace", "type(c_ptr), value, intent(in)")
    yield Dummy("failure", "type(stencil_failure), intent(inout)")

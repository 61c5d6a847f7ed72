"""Procedures for arguments of the default kind of logical, which C does not know."""

from typing import Final

from backends.fortran.forms import Form, shape_of
from backends.fortran.fortran_writer import FortranWriter
from backends.fortran.procedures import Dummy, write_subroutine
from backends.fortran.signatures import signature
from backends.fortran.spec import StencilSpec
from backends.fortran.stencil_names import Logicals, StencilNames, Task
from iir.dtypes import DType

_REMARK: Final = "The same for logicals of the default kind; arrays of them are copied."


def write_generic(w: FortranWriter, names: StencilNames, task: Task, form: Form) -> None:
    """One name for both kinds."""
    generic = names.public[task, form]
    with w.block(f"interface {generic}", f"end interface {generic}"):
        for kind in Logicals:
            w.line(f"module procedure {names.specific[task, form, kind]}")


def write_for_default_logicals(
    w: FortranWriter, stencil: StencilSpec, names: StencilNames, task: Task, form: Form
) -> None:
    """Calls the procedure for C's logicals on copies."""
    dummies = signature(stencil, names, task, form, Logicals.DEFAULT)
    fields = [field for field in stencil.fields if field.dtype is DType.BOOL]
    scalars = [scalar for scalar in stencil.scalars if scalar.dtype is DType.BOOL]
    own = names.arguments
    passed = {own[field.name].dummy: own[field.name].converted for field in fields}
    passed |= {own[item.name].dummy: f"logical({own[item.name].dummy}, c_bool)" for item in scalars}
    variables = [
        Dummy(
            own[field.name].converted,
            "logical(c_bool), allocatable",
            shape_of(field.axes, form).declared,
        )
        for field in fields
    ]

    def body(b: FortranWriter) -> None:
        for field in fields:
            item = own[field.name]
            b.line(f"allocate ({item.converted}, source=logical({item.dummy}, c_bool))")
        arguments = (
            f"{item.name}={item.name}" if item.is_optional else passed.get(item.name, item.name)
            for item in dummies
        )
        b.line(f"call {names.specific[task, form, Logicals.C]}({', '.join(arguments)})")
        for field in fields:
            if field.is_changed and task in (Task.RUN, Task.EITHER):
                item = own[field.name]
                b.line(f"{item.dummy} = logical({item.converted})")

    name = names.specific[task, form, Logicals.DEFAULT]
    write_subroutine(w, name, dummies, body, variables=variables, remark=_REMARK)

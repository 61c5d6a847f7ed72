"""The module of a library: its interfaces, and procedures that take a model's arrays."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from backends.fortran.forms import INTEGER
from backends.fortran.fortran_writer import FortranWriter
from backends.fortran.kernel_interface import write_kernel_interface
from backends.fortran.kernel_procedures import (
    saved_fields,
    scalar_names,
    write_call,
    write_save,
    write_verify,
)
from backends.fortran.logical_procedures import write_for_default_logicals, write_generic
from backends.fortran.module_header import write_header
from backends.fortran.names import Names
from backends.fortran.public_procedures import write_public
from backends.fortran.spec import LibrarySpec, StencilSpec
from backends.fortran.stencil_names import StencilNames, stencil_names
from backends.fortran.verification import field_checks
from backends.native.c_names import symbol

_RUNTIME: Final = (
    *("wp", "vp"),
    *("STENCIL_UNSET", "STENCIL_OK", "STENCIL_ESETUP", "STENCIL_ESHAPE", "STENCIL_EBOUNDS"),
    *("STENCIL_ERUNTIME", "STENCIL_EVERIFY"),
    *("stencil_failure", "stencil_message", "stencil_tolerance", "stencil_before", "stencil_metrics"),
)
"""What a module passes on of the one that all share, so that its users need no other."""


@dataclass(frozen=True, slots=True)
class LibraryNames:
    """The name of the module, and those in it."""

    module: str
    stencils: tuple[StencilNames, ...]


def library_names(library: LibrarySpec) -> LibraryNames:
    names = Names(("stencil_runtime", *_RUNTIME))
    module = names.claim(library.name, "_dsl")
    return LibraryNames(module, tuple(stencil_names(stencil, names) for stencil in library.stencils))


def module_text(library: LibrarySpec) -> str:
    """The text of ``<name>_dsl.F90``."""
    names = library_names(library)
    both = tuple(zip(library.stencils, names.stencils, strict=True))
    w = FortranWriter()
    write_header(w, library, names.stencils, names.module)
    with w.block(f"module {names.module}", f"end module {names.module}"):
        w.line("use, intrinsic :: iso_c_binding")
        w.line("use stencil_runtime")
        w.line("implicit none")
        w.line("private")
        w.line(f"public :: {', '.join((*_RUNTIME, *_public_names(both)))}")
        for stencil, own in both:
            w.line()
            write_kernel_interface(w, stencil, own, symbol(stencil.name))
            if stencil.has_logicals:
                for task, form in own.public:
                    w.line()
                    write_generic(w, own, task, form)
        w.line()
        w.alternative("contains")
        for stencil, own in both:
            _write_procedures(w, stencil, own)
        w.line()
    return w.text


def _public_names(both: Sequence[tuple[StencilSpec, StencilNames]]) -> Iterator[str]:
    for _, names in both:
        yield from names.public.values()
        yield names.workspace_bytes


def _write_procedures(w: FortranWriter, stencil: StencilSpec, names: StencilNames) -> None:
    checks = field_checks(stencil, scalar_names(stencil, names))
    for task, form in names.public:
        write_public(w, stencil, names, checks, task, form)
        if stencil.has_logicals:
            write_for_default_logicals(w, stencil, names, task, form)
    _write_workspace_bytes(w, names)
    write_call(w, stencil, names)
    if saved_fields(checks, stencil):
        write_save(w, stencil, names, checks)
    write_verify(w, stencil, names, checks)


def _write_workspace_bytes(w: FortranWriter, names: StencilNames) -> None:
    w.line()
    w.comment("The bytes of the workspace that calls on ni, nj, nk points need, often 0; in blocks nj is 1.")
    name = names.workspace_bytes
    with w.block(f"function {name}(ni, nj, nk) result(bytes)", f"end function {name}"):
        w.line("integer, intent(in) :: ni, nj, nk")
        w.line(f"integer({INTEGER}) :: bytes")
        w.line()
        w.line(f"bytes = stencil_workspace_size({names.kernel_workspace}(int([ni, nj, nk], {INTEGER})))")

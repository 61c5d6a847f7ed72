"""Stencils as a library for Fortran and C."""

from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from iir.diagnostics import BackendError, Diagnostic
from iir.nodes import FieldDecl

if TYPE_CHECKING:
    from backends.fortran.reference_case import Arguments, ReferenceCase
    from backends.fortran.spec import LibrarySpec
    from backends.native import NativeLibrary
    from stencil.stencil_object import StencilObject

DEFAULT_TARGET = "x86-64-v3"
SEED = 20240229


def write_fortran(
    stencils: "Sequence[StencilObject]",
    folder: str | Path,
    *,
    name: str,
    target: str = DEFAULT_TARGET,
    spec_only: bool = False,
) -> tuple[Path, ...]:
    """Write *stencils* as library *name* to *folder*, and give the paths of the files.

    The results that the driver of the library compares with are those of the reference back end.
    """
    from backends.fortran.artefacts import write_document, write_library

    native, library = library_of(stencils, name, target)
    place = Path(folder)
    try:
        if spec_only:
            return (write_document(library, place),)
        references = [f.with_options(backend="reference") for f in stencils]
        cases = [
            recorded(f, arguments)
            for f, arguments in zip(references, random_calls(stencils, library, SEED), strict=True)
        ]
        return write_library(library, native, cases, place)
    except OSError as error:
        message = f"The library cannot be written to '{folder}': {error.strerror or error}."
        raise BackendError(Diagnostic(message, "output-folder")) from None


def verify_fortran(f: "StencilObject", *, target: str = DEFAULT_TARGET, seed: int = SEED) -> str:
    """Compile a driver of *f* and compare with *f* itself on random data; what the driver prints."""
    from backends.fortran.artefacts import write_library
    from backends.fortran.run_driver import run_driver

    name = "verified"
    native, library = library_of((f,), name, target)
    (arguments,) = random_calls((f,), library, seed)
    with TemporaryDirectory() as folder:
        write_library(library, native, [recorded(f, arguments)], Path(folder))
        return run_driver(Path(folder), name)


def library_of(
    stencils: "Sequence[StencilObject]", name: str, target: str
) -> "tuple[NativeLibrary, LibrarySpec]":
    """The object code to be, and what drivers have to know of it."""
    from backends.fortran.spec import LibrarySpec, stencil_spec
    from backends.native import NativeSource, native_library, native_options

    for f in stencils:
        if not any(isinstance(item, FieldDecl) for item in f.iir.parameters):
            message = f"Stencil '{f.iir.name}' has no field, so that a call of it would do nothing."
            raise BackendError(Diagnostic(message, "no-fields"))
    compiled = [f.with_options(backend="numba") for f in stencils]
    sources = [NativeSource(f.iir, f.optimized, native_options(f.options)) for f in compiled]
    native = native_library(sources, name, target)
    specs = tuple(
        stencil_spec(item.source.ir, has_workspace=bool(item.program.workspaces)) for item in native.stencils
    )
    return native, LibrarySpec(name, target, specs)


def random_calls(stencils: "Sequence[StencilObject]", library: "LibrarySpec", seed: int) -> "list[Arguments]":
    """One call for each of *stencils*."""
    from backends.fortran.reference_case import random_arguments

    return [
        random_arguments(f.iir, spec, seed + number)
        for number, (f, spec) in enumerate(zip(stencils, library.stencils, strict=True))
    ]


def recorded(f: "Callable[..., Any]", arguments: "Arguments") -> "ReferenceCase":
    """What *f* makes of *arguments*."""
    from backends.fortran.reference_case import ReferenceCase

    arrays = arguments.copies()
    origin = {field.name: arguments.origin_of(field) for field in arguments.spec.fields}
    f(**arrays, **arguments.scalars, domain=arguments.domain, origin=origin)
    return ReferenceCase(arguments, arrays)

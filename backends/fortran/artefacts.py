"""The files of a library for Fortran, written together or not at all."""

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from backends.fortran.cmake_text import cmake_text
from backends.fortran.document import document_text
from backends.fortran.driver_text import driver_text
from backends.fortran.module_text import module_text
from backends.fortran.reference_case import ReferenceCase, data_of
from backends.fortran.spec import LibrarySpec
from backends.native import NativeLibrary, build_library

RUNTIME: Final = Path(__file__).with_name("stencil_runtime.F90")


def write_document(library: LibrarySpec, folder: Path) -> Path:
    """Write the driver interface spec alone."""
    return _publish(folder, {f"{library.name}.json": document_text(library).encode()}, None)[0]


def write_library(
    library: LibrarySpec, native: NativeLibrary, cases: Sequence[ReferenceCase], folder: Path
) -> tuple[Path, ...]:
    """Write object code of *native*, module, spec, build file, driver and its data."""
    return _publish(folder, library_files(library, cases, is_foreign=native.target.is_foreign), native)


def library_files(
    library: LibrarySpec, cases: Sequence[ReferenceCase], *, is_foreign: bool = False
) -> Mapping[str, bytes]:
    """All files but those of object code, by name."""
    name = library.name
    kernels = f"{name}_kernels.o" if is_foreign else None
    return {
        "stencil_runtime.F90": RUNTIME.read_bytes(),
        f"{name}_dsl.F90": module_text(library).encode(),
        f"{name}.json": document_text(library).encode(),
        "CMakeLists.txt": cmake_text(name, kernels).encode(),
        f"test_{name}.F90": driver_text(library, [case.arguments for case in cases]).encode(),
        f"test_{name}.bin": data_of(library, tuple(cases)),
    }


def _publish(folder: Path, files: Mapping[str, bytes], native: NativeLibrary | None) -> tuple[Path, ...]:
    """Make everything beside its place first, so that a failure leaves *folder* as it was."""
    is_new = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with tempfile.TemporaryDirectory(dir=folder, prefix=".fortran-") as staging:
            made = Path(staging)
            for name, data in files.items():
                (made / name).write_bytes(data)
            if native is not None:
                build_library(native, made)
            return tuple(path.replace(folder / path.name) for path in _wanted(made, native))
    except BaseException:
        if is_new:
            folder.rmdir()
        raise


def _wanted(made: Path, native: NativeLibrary | None) -> tuple[Path, ...]:
    """The files in *made*, without those that were made for the sake of a library."""
    steps = ("_boundary.c", "_kernels.o")
    is_linked = native is not None and not native.target.is_foreign
    return tuple(
        path
        for path in sorted(made.iterdir())
        if path.is_file() and not (is_linked and path.name.endswith(steps))
    )

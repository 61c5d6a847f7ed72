"""Writes a native library: shared, static, and its header."""

import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from backends.native.boundary import boundary
from backends.native.description import NativeLibrary
from backends.native.header import header
from backends.native.kernel_object import build_kernels
from iir.diagnostics import BackendError, Diagnostic

COMPILER_VARIABLE: Final = "CC"

_FLAGS: Final = ("-std=c11", "-O2", "-fPIC", "-fvisibility=default")


@dataclass(frozen=True, slots=True)
class BuiltLibrary:
    """The files of a library; *frames* is what the kernels of a symbol take of the stack beside their arrays.

    For another architecture than this machine's there are no libraries, but *kernels*, an object file,
    to be linked with *boundary* where there is a C compiler for it.
    """

    header: Path
    boundary: Path
    kernels: Path
    shared: Path | None
    static: Path | None
    frames: Mapping[str, int]


def build_library(library: NativeLibrary, folder: Path) -> BuiltLibrary:
    """Write *library* to *folder*: all of its files, or none if anything fails."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder, prefix=".build-") as name:
        built = _build(library, Path(name))
        return BuiltLibrary(
            _move(built.header, folder),
            _move(built.boundary, folder),
            _move(built.kernels, folder),
            built.shared and _move(built.shared, folder),
            built.static and _move(built.static, folder),
            built.frames,
        )


def _build(library: NativeLibrary, folder: Path) -> BuiltLibrary:
    name = library.name
    compiler = None if library.target.is_foreign else _compiler()
    kernels = build_kernels(library, folder)
    header_path, source = folder / f"{name}.h", folder / f"{name}_boundary.c"
    header_path.write_text(header(library), encoding="utf-8")
    source.write_text(boundary(library, kernels.frames), encoding="utf-8")
    if compiler is None:
        return BuiltLibrary(header_path, source, kernels.path, None, None, kernels.frames)
    objects = folder / f"{name}_boundary.o"
    flags = (*_FLAGS, *library.target.flags)
    _run(*compiler, *flags, "-c", str(source), "-o", str(objects))
    shared, static = folder / f"lib{name}.so", folder / f"lib{name}.a"
    both = str(objects), str(kernels.path)
    link = "-Wl,--no-undefined", f"-Wl,-soname,{shared.name}"
    _run(*compiler, "-shared", *both, "-o", str(shared), *link, "-lm")
    _run(_tool("ar"), "rcsD", str(static), *both)
    return BuiltLibrary(header_path, source, kernels.path, shared, static, kernels.frames)


def _compiler() -> tuple[str, ...]:
    """The C compiler with its own options, as make takes it from the environment."""
    command, *options = shlex.split(os.environ.get(COMPILER_VARIABLE) or "cc")
    return _tool(command), *options


def _tool(name: str) -> str:
    path = shutil.which(name)
    if path is None:
        message = f"The program '{name}' is missing, which makes libraries."
        hint = f"Install a C compiler, or name one in the environment variable {COMPILER_VARIABLE}."
        raise BackendError(Diagnostic(message, "missing-tool", hints=(hint,)))
    return path


def _run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        message = f"'{Path(command[0]).name}' failed."
        raise BackendError(Diagnostic(message, "native", notes=(shlex.join(command), done.stderr.strip())))


def _move(path: Path, folder: Path) -> Path:
    return path.replace(folder / path.name)

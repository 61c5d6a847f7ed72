"""Compiles and runs Fortran programs against libraries of stencils."""

import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

import pytest
from filelock import FileLock

from stencil.fortran_output import write_fortran
from stencil.stencil_object import StencilObject

STRICT: Final = ("-std=f2018", "-Wall", "-Wextra", "-Werror", "-pedantic")
PROGRAMS: Final = Path(__file__).with_name("programs")
_DONE: Final = "done"


def shared_library(
    factory: pytest.TempPathFactory, name: str, stencils: Callable[[], Sequence[StencilObject]]
) -> Path:
    """The folder of library *name*, which the processes of a test run build once, its modules compiled."""
    base = factory.getbasetemp()
    root = base.parent if base.name.startswith("popen-") else base
    folder = root / f"library-{name}"
    with FileLock(root / f"{name}.lock"):
        if not (folder / _DONE).exists():
            write_fortran(stencils(), folder, name=name)
            compile_modules(folder, name)
            (folder / _DONE).touch()
    return folder


def compile_modules(folder: Path, name: str, *flags: str) -> None:
    for source in ("stencil_runtime.F90", f"{name}_dsl.F90"):
        gfortran(folder, *STRICT, *flags, "-c", source)


def compile_program(
    library: Path, name: str, source: Path, program: Path, *flags: str, wrap: Sequence[str] = ()
) -> Path:
    """*program* from *source* and library *name*, whose modules are compiled."""
    objects = [str(library / item) for item in (f"{name}_dsl.o", "stencil_runtime.o", f"lib{name}.a")]
    options = (*STRICT, *flags, f"-I{library}", *wrap)
    gfortran(program.parent, *options, str(source), *objects, "-lm", "-o", str(program))
    return program


def gfortran(folder: Path, *arguments: str) -> None:
    done = subprocess.run(("gfortran", *arguments), cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def run(
    *command: str | Path, folder: Path | None = None, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a program in an empty environment."""
    return subprocess.run(
        tuple(map(str, command)), cwd=folder, env=dict(env or {}), capture_output=True, text=True, check=False
    )


def output(*command: str | Path, folder: Path | None = None, env: Mapping[str, str] | None = None) -> str:
    """What a program prints that succeeds."""
    done = run(*command, folder=folder, env=env)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout

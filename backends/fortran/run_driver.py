"""Compiles the driver of a library and runs it, without any Python around it."""

import os
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Final

from iir.diagnostics import BackendError, Diagnostic

COMPILER_VARIABLE: Final = "FC"

FLAGS: Final = ("-std=f2018", "-O1", "-Wall", "-Wextra", "-Werror", "-pedantic")


def run_driver(folder: Path, name: str) -> str:
    """What the driver of library *name* in *folder* prints; `BackendError` if it finds a difference."""
    compiler = _compiler()
    sources = ("stencil_runtime.F90", f"{name}_dsl.F90", f"test_{name}.F90", f"lib{name}.a")
    program = f"test_{name}"
    _run(folder, *compiler, *FLAGS, *sources, "-lm", "-o", program)
    done = subprocess.run(
        (str(folder / program),), cwd=folder, env={}, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        notes = (done.stdout.strip(), done.stderr.strip())
        message = f"Fortran does not compute what Python does in library '{name}'."
        raise BackendError(Diagnostic(message, "driver", notes=tuple(note for note in notes if note)))
    return done.stdout


def _compiler() -> tuple[str, ...]:
    """The Fortran compiler with its own options, as make takes it from the environment."""
    command, *options = shlex.split(os.environ.get(COMPILER_VARIABLE) or "gfortran")
    path = shutil.which(command)
    if path is None:
        message = f"The program '{command}' is missing, which compiles Fortran."
        hint = f"Install a Fortran compiler, or name one in the environment variable {COMPILER_VARIABLE}."
        raise BackendError(Diagnostic(message, "missing-tool", hints=(hint,)))
    return path, *options


def _run(folder: Path, *command: str) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        message = f"'{Path(command[0]).name}' failed."
        raise BackendError(Diagnostic(message, "driver", notes=(shlex.join(command), done.stderr.strip())))

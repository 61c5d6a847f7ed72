"""Functions of the loop program, compiled on their own."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from backends.base import Options
from backends.loopnest.nodes import Function, Invoke, Program
from backends.loopnest.verifier import verify
from backends.numba_cpu.emit import emit_program
from backends.numba_cpu.module_file import import_module_file
from tests.unit.backends.loopnest.lowered import lowered

_EMPTY = "stencil s(u: f64[IJK])\n  multistage parallel\n    stage\n      do [start, end)\n        u = 1.0\n"


def program_of(function: Function) -> Program:
    """A program whose only kernel is *function*, which its driver calls with the arguments it gets."""
    arguments = tuple(item.name for item in function.parameters)
    driver = Function("run", function.parameters, (Invoke(function.name, arguments),))
    return replace(lowered(_EMPTY), kernels=(function,), serial=driver, parallel=None, workspaces=())


def written(function: Function, folder: Path, options: Options | None = None) -> Path:
    """The file of a module that has *function*."""
    path = folder / f"{function.name}.py"
    path.write_text(emit_program(program_of(function), options or Options()), encoding="utf-8")
    return path


def compiled(function: Function, folder: Path, options: Options | None = None) -> Callable[..., Any]:
    verify(program_of(function))
    module = import_module_file(written(function, folder, options))
    result: Callable[..., Any] = getattr(module, function.name)
    return result

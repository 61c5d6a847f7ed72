"""The kernels of a library as one object file, made in a process that compiles for the target."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from backends.libm import LIBM_NAMES
from backends.native.boundary import kernels_symbol
from backends.native.description import NativeLibrary, NativeStencil
from backends.native.targets import Target
from backends.numba_cpu.interface import to_data
from backends.numba_cpu.program_interface import program_interface
from iir.diagnostics import BackendError, Diagnostic

_COMPILER: Final = "backends.native.compile_kernels"
_SETTINGS: Final = "NUMBA_"

_LIBM: Final = frozenset({*LIBM_NAMES.values(), "fmod", "pow", "floor", "ceil", "trunc", "rint", "sqrt"})
_LIBC: Final = frozenset({"memcpy", "memmove", "memset"})
"""All that the kernels may need from elsewhere."""


@dataclass(frozen=True, slots=True)
class KernelObject:
    """The object file; *frames* is what the kernels of a symbol take of the stack beside their arrays."""

    path: Path
    frames: Mapping[str, int]


def build_kernels(library: NativeLibrary, folder: Path) -> KernelObject:
    """Compile the kernels of *library*; all files are made in *folder*."""
    path = folder / f"{library.name}_kernels.o"
    modules = [_module(item, folder) for item in library.stencils]
    job = {
        "triple": library.target.triple,
        "cpu": library.target.cpu,
        "object": str(path),
        "modules": modules,
    }
    result = _run(job, library)
    _refuse_foreign(result["undefined"], library)
    frames = {item.symbol: result["frame_bytes"][kernels_symbol(item)] for item in library.stencils}
    return KernelObject(path, MappingProxyType(frames))


def _module(stencil: NativeStencil, folder: Path) -> dict[str, Any]:
    path = folder / f"{stencil.symbol}.py"
    path.write_text(stencil.text, encoding="utf-8")
    interface = to_data(program_interface(stencil.program))
    return {
        "stencil": stencil.name,
        "path": str(path),
        "entry": kernels_symbol(stencil),
        "interface": interface,
    }


def _run(job: Mapping[str, Any], library: NativeLibrary) -> dict[str, Any]:
    done = subprocess.run(
        (sys.executable, "-m", _COMPILER),
        input=json.dumps(job),
        env=_environment(library.target),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise _error(f"Numba cannot compile library '{library.name}'.", done.stderr.strip())
    result: dict[str, Any] = json.loads(done.stdout)
    if "error" in result:
        (stencil,) = (item for item in library.stencils if item.name == result["stencil"])
        raise _error(f"Numba cannot compile stencil '{stencil.name}'.", *_calls(stencil), result["error"])
    return result


def _environment(target: Target) -> dict[str, str]:
    """The variables of a process that compiles for *target*, whatever Numba does in this one, and imports
    what this one can."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_SETTINGS)}
    paths = os.pathsep.join(path or os.getcwd() for path in sys.path)
    # Code for another architecture follows from what Numba makes for this one.
    own = target.cpu is not None and not target.is_foreign
    cpu = {"NUMBA_CPU_NAME": str(target.cpu), "NUMBA_CPU_FEATURES": ""} if own else {}
    # LLVM optimises the library as a whole, once.
    return {**kept, **cpu, "NUMBA_OPT": "0", "PYTHONPATH": paths}


def _refuse_foreign(needed: list[str], library: NativeLibrary) -> None:
    """A library needs nothing but libm and the functions on memory of libc."""
    known = _LIBC | _LIBM | {f"{name}f" for name in _LIBM}
    if foreign := [item for item in needed if item not in known]:
        calls = [text for stencil in library.stencils for text in _calls(stencil)]
        message = f"Library '{library.name}' cannot do without Python."
        raise _error(message, f"The kernels need {', '.join(foreign)}.", *calls)


def _calls(stencil: NativeStencil) -> tuple[str, ...]:
    return tuple(f"'{stencil.name}' calls '{item.place}'." for item in stencil.program.externals)


def _error(message: str, *notes: str) -> BackendError:
    return BackendError(Diagnostic(message, "native", notes=notes))

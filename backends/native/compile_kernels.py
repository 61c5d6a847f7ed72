"""Compiles generated modules to one object file: ``python -m backends.native.compile_kernels``.

It runs in a process of its own, since Numba takes the processor to compile for from the environment, once.
It reads a job from the standard input and writes what came of it to the standard output, both JSON.
"""

import json
import sys
from contextlib import redirect_stdout
from pathlib import Path
from types import FunctionType, MappingProxyType, ModuleType
from typing import Any, Final

import llvmlite.binding as llvm
from numba import njit, types
from numba.core.errors import NumbaError

from backends.native.entries import entry_module
from backends.native.object_code import frame_bytes, internalise, optimise, target_machine, undefined
from backends.numba_cpu.interface import Interface, from_data
from backends.numba_cpu.module_file import import_module_file
from backends.numba_cpu.runtime.compiled import NoAliasCompiler
from backends.numba_cpu.signature_types import numba_type

_OPTIONS: Final = MappingProxyType(
    {"error_model": "numpy", "_nrt": False, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
)
"""Nothing of Python's is in what is compiled: no reference counts, no way in from the interpreter."""


def compile_job(job: dict[str, Any]) -> dict[str, Any]:
    """Write the object file; what its functions take of the stack, and the symbols that it lacks."""
    machine = target_machine(job["triple"], job["cpu"])
    whole = llvm.parse_assembly("")
    whole.triple, whole.data_layout = machine.triple, str(machine.target_data)
    for item in job["modules"]:
        try:
            texts = _assembly(item)
        except NumbaError as error:
            return {"error": str(error), "stencil": item["stencil"]}
        for text in texts:
            part = llvm.parse_assembly(text)
            part.triple, part.data_layout = whole.triple, whole.data_layout
            whole.link_in(part)
    entries = [item["entry"] for item in job["modules"]]
    internalise(whole, entries)
    optimise(whole, machine)
    Path(job["object"]).write_bytes(machine.emit_object(whole))
    stack = {entry: frame_bytes(whole, entry, machine.target_data) for entry in entries}
    return {"frame_bytes": stack, "undefined": undefined(whole)}


def _assembly(item: dict[str, Any]) -> tuple[str, str]:
    """The LLVM modules of one generated module: what Numba made, and the entry."""
    module = import_module_file(Path(item["path"]))
    interface = from_data(item["interface"])
    driver = _compiled_driver(module, interface)
    return driver.library.get_llvm_str(), str(entry_module(item["entry"], driver))


def _compiled_driver(module: ModuleType, interface: Interface) -> Any:
    """The serial driver, compiled with kernels that count no references and are kept nowhere."""
    kernels = {item.name: _kernel(getattr(module, item.name)) for item in interface.kernels}
    driver: FunctionType = getattr(module, interface.serial.name)
    own = FunctionType(driver.__code__, {**vars(module), **kernels}, driver.__name__)
    signature = types.void(*map(numba_type, interface.serial.parameters))
    dispatcher = njit(signature, **_OPTIONS)(own)
    return dispatcher.overloads[signature.args]


def _kernel(dispatcher: Any) -> Any:
    fastmath = dispatcher.targetoptions["fastmath"]
    return njit(pipeline_class=NoAliasCompiler, fastmath=fastmath, **_OPTIONS)(dispatcher.py_func)


def main() -> None:
    # Modules that kernels call may print when they are imported.
    with redirect_stdout(sys.stderr):
        result = compile_job(json.load(sys.stdin))
    json.dump(result, sys.stdout)


if __name__ == "__main__":
    main()

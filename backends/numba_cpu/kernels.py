"""The compiled (or plain) drivers of one generated module."""

from collections.abc import Callable
from pathlib import Path
from threading import Lock
from types import FunctionType, ModuleType
from typing import Any

import numpy as np
from numba import from_dtype, types
from numba.core.errors import NumbaError

from backends.base import Options
from backends.loopnest.names import PARALLEL_DRIVER, SERIAL_DRIVER, short
from backends.loopnest.nodes import (
    ArrayParameter,
    Function,
    IndexParameter,
    NumberParameter,
    Parameter,
    Program,
)
from backends.numba_cpu.cache_key import ingredients, key
from backends.numba_cpu.emit import emit_program
from backends.numba_cpu.module_file import import_module_file, module_lock, write_module
from iir.diagnostics import BackendError, Diagnostic
from iir.dtypes import numpy_dtype

Entry = Callable[..., None]
"""A driver: arguments in the order of its parameters, no check of any of them."""


class Kernels:
    """Writes, imports and compiles the module of *program*, each when it is first needed."""

    def __init__(self, program: Program, options: Options, folder: Path) -> None:
        self.program = program
        self._options = options
        self._text = emit_program(program, options)
        places = tuple(item.place for item in program.externals)
        name = f"{short(program.ir.name)}_{key(ingredients(self._text, options, places))}"
        self.path = folder / f"{name}.py"
        self._entries: dict[str, Entry] = {}
        self._lock = Lock()

    def serial(self) -> Entry:
        """The driver for one thread: plain Python around compiled kernels."""
        return self._entry(SERIAL_DRIVER, self._make_serial)

    def parallel(self) -> Entry:
        """The driver that shares loops among threads, compiled itself."""
        return self._entry(PARALLEL_DRIVER, self._make_parallel)

    def _entry(self, name: str, make: Callable[[ModuleType], Entry]) -> Entry:
        with self._lock:
            if name not in self._entries:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                with module_lock(self.path):
                    write_module(self.path, self._text)
                    self._entries[name] = make(import_module_file(self.path))
            return self._entries[name]

    def _make_serial(self, module: ModuleType) -> Entry:
        driver: FunctionType = getattr(module, SERIAL_DRIVER)
        if not self._options.jit:
            return _without_warnings(driver)
        compiled = {item.name: self._compile(module, item) for item in self.program.kernels}
        return FunctionType(driver.__code__, {**vars(module), **compiled})

    def _make_parallel(self, module: ModuleType) -> Entry:
        if not self._options.jit:
            return _without_warnings(getattr(module, PARALLEL_DRIVER))
        assert self.program.parallel is not None
        return self._compile(module, self.program.parallel)

    def _compile(self, module: ModuleType, function: Function) -> Entry:
        """The entry point of a compiled function.

        It takes arrays of any layout as they are; a dispatcher would resolve the types of all
        arguments on every call.
        """
        try:
            signature = types.void(*map(_numba_type, function.parameters))
            entry: Entry = getattr(module, function.name).compile(signature)
        except NumbaError as error:
            message = f"Numba cannot compile '{function.name}'."
            notes = (f"The generated source is in {self.path}.", str(error))
            raise BackendError(Diagnostic(message, "numba", notes=notes)) from error
        return entry


def _without_warnings(driver: Entry) -> Entry:
    def run(*arguments: Any) -> None:
        with np.errstate(all="ignore"):
            driver(*arguments)

    return run


def _numba_type(parameter: Parameter) -> Any:
    match parameter:
        case ArrayParameter(_, dtype, ndim):
            return types.Array(from_dtype(numpy_dtype(dtype)), ndim, "A")
        case NumberParameter(_, dtype):
            return from_dtype(numpy_dtype(dtype))
        case IndexParameter():
            return types.intp

"""The compiled (or plain) drivers of one generated module."""

from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import Any, Final

import numpy as np
from numba import from_dtype, types

from backends.base import Options
from backends.loopnest.names import PARALLEL_DRIVER, SERIAL_DRIVER
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
from iir.dtypes import numpy_dtype

Entry = Callable[..., None]
"""A driver: arguments in the order of its parameters, no check of any of them."""

_LONGEST_NAME: Final = 40


class Kernels:
    """Writes, imports and compiles the module of *program*, each when it is first needed."""

    def __init__(self, program: Program, options: Options, folder: Path) -> None:
        self.program = program
        self._options = options
        self._text = emit_program(program, options)
        places = tuple(item.place for item in program.externals)
        name = f"{program.ir.name[:_LONGEST_NAME]}_{key(ingredients(self._text, options, places))}"
        self.path = folder / f"{name}.py"
        self._entries: dict[str, Entry] = {}
        self._lock = Lock()

    def serial(self) -> Entry:
        return self._entry(SERIAL_DRIVER, self.program.serial)

    def parallel(self) -> Entry:
        return self._entry(PARALLEL_DRIVER, self.program.parallel)

    def _entry(self, name: str, function: Function) -> Entry:
        with self._lock:
            if name not in self._entries:
                self._entries[name] = self._make_entry(name, function)
            return self._entries[name]

    def _make_entry(self, name: str, function: Function) -> Entry:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with module_lock(self.path):
            write_module(self.path, self._text)
            driver = getattr(import_module_file(self.path), name)
            if not self._options.jit:
                return _without_warnings(driver)
            # The entry point takes arrays of any layout as they are; the dispatcher would resolve the
            # types of all arguments on every call.
            entry: Entry = driver.compile(types.void(*map(_numba_type, function.parameters)))
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

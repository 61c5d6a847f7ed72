"""The compiled (or plain) drivers of one generated module."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from errno import ENOENT
from functools import cached_property
from pathlib import Path
from threading import Lock
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numba import types
from numba.core.errors import NumbaError

from backends.base import Options
from backends.numba_cpu.cache_key import ingredients, key
from backends.numba_cpu.interface import Signature
from backends.numba_cpu.manifest import Module, text_digest
from backends.numba_cpu.module_file import forget_module, import_module_file, module_lock, write_module
from backends.numba_cpu.signature_types import numba_type
from iir.diagnostics import BackendError, Diagnostic

if TYPE_CHECKING:
    from backends.loopnest.nodes import Program

Entry = Callable[..., None]
"""A driver: arguments in the order of its parameters, no check of any of them."""

LONGEST_NAME: Final = 40


class Kernels:
    """Writes, imports and compiles a module, each when it is first needed.

    *make* gives the program that the module is printed from; *note* is told what has been compiled.
    """

    def __init__(
        self,
        module: Module,
        options: Options,
        make: Callable[[], Program],
        note: Callable[[Module], None] = lambda module: None,
    ) -> None:
        self.module = module
        self.interface = module.interface
        self.path = module.path
        self._options = options
        self._make = make
        self._note = note
        self._entries: dict[str, Entry] = {}
        self._lock = Lock()

    @cached_property
    def program(self) -> Program:
        """What the module is printed from."""
        return self._make()

    @cached_property
    def text(self) -> str:
        """The module's text."""
        from backends.numba_cpu.emit import emit_program

        return emit_program(self.program, self._options)

    def serial(self) -> Entry:
        """The driver for one thread: plain Python around compiled kernels."""
        return self._entry(self.interface.serial, self._make_serial)

    def parallel(self) -> Entry:
        """The driver that shares loops among threads, compiled itself."""
        assert self.interface.parallel is not None
        return self._entry(self.interface.parallel, self._make_parallel)

    def _entry(self, signature: Signature, make: Callable[[ModuleType, Signature], Entry]) -> Entry:
        with self._lock:
            if signature.name not in self._entries:
                entry = self._loaded(signature, make) or self._made(signature, make)
                self._entries[signature.name] = entry
            return self._entries[signature.name]

    def _loaded(self, signature: Signature, make: Callable[[ModuleType, Signature], Entry]) -> Entry | None:
        """What an earlier process has compiled; None if there is nothing, or its files are damaged."""
        if signature.name not in self.module.compiled or not self.module.is_whole:
            return None
        try:
            return make(import_module_file(self.path), signature)
        except Exception:  # whatever damaged files raise
            return None

    def _made(self, signature: Signature, make: Callable[[ModuleType, Signature], Entry]) -> Entry:
        """Compile what the folder does not hold; an OSError says that the folder is of no use."""
        try:
            return self._made_now(signature, make)
        except BackendError:
            raise
        except Exception:  # whatever files raise that are damaged, or that another process removes
            forget_module(self.path)
        try:
            return self._made_now(signature, make)
        except RuntimeError as error:
            if "no locator available" not in str(error):
                raise
            raise FileNotFoundError(ENOENT, os.strerror(ENOENT), str(self.path)) from error

    def _made_now(self, signature: Signature, make: Callable[[ModuleType, Signature], Entry]) -> Entry:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with module_lock(self.path):
            write_module(self.path, self.text)
            entry = make(import_module_file(self.path), signature)
            self.module = replace(self.module, compiled=self.module.compiled | {signature.name})
            self._note(self.module)
        return entry

    def _make_serial(self, module: ModuleType, signature: Signature) -> Entry:
        driver: FunctionType = getattr(module, signature.name)
        if not self._options.jit:
            return _without_warnings(driver)
        compiled = {item.name: self._compile(module, item) for item in self.interface.kernels}
        return FunctionType(driver.__code__, {**vars(module), **compiled})

    def _make_parallel(self, module: ModuleType, signature: Signature) -> Entry:
        if not self._options.jit:
            return _without_warnings(getattr(module, signature.name))
        return self._compile(module, signature)

    def _compile(self, module: ModuleType, signature: Signature) -> Entry:
        """The entry point of a compiled function.

        It takes arrays of any layout as they are; a dispatcher would resolve the types of all
        arguments on every call.
        """
        try:
            arguments = types.void(*map(numba_type, signature.parameters))
            entry: Entry = getattr(module, signature.name).compile(arguments)
        except NumbaError as error:
            message = f"Numba cannot compile '{signature.name}'."
            notes = (f"The generated source is in {self.path}.", str(error))
            raise BackendError(Diagnostic(message, "numba", notes=notes)) from error
        return entry


def new_kernels(
    program: Program, options: Options, folder: Path, note: Callable[[Module], None] = lambda module: None
) -> Kernels:
    """The kernels of *program*, of which nobody has told anything yet."""
    from backends.numba_cpu.emit import emit_program
    from backends.numba_cpu.program_interface import program_interface

    text = emit_program(program, options)
    places = tuple(item.place for item in program.externals)
    name = f"{program.ir.name[:LONGEST_NAME]}_{key(ingredients(text, options, places))}"
    module = Module(folder / f"{name}.py", text_digest(text), program_interface(program))
    kernels = Kernels(module, options, lambda: program, note)
    kernels.text = text
    return kernels


def _without_warnings(driver: Entry) -> Entry:
    def run(*arguments: Any) -> None:
        with np.errstate(all="ignore"):
            driver(*arguments)

    return run

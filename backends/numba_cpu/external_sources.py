"""All that the machine code of functions outside the stencil may depend on, as text."""

import sys
from collections.abc import Iterator
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Final

import numpy as np
from numba.core.dispatcher import Dispatcher

_KNOWN: Final = frozenset({*sys.stdlib_module_names, "llvmlite", "numba", "numpy"})
"""Packages that the versions in the key speak for."""


def external_sources(place: str) -> Iterator[str]:
    """The sources of the module of ``module:qualified.name`` and of all modules that it reaches, and the
    values that Numba compiles into code: numbers, texts and arrays in these modules."""
    rest, seen = [import_module(place.partition(":")[0])], set[str]()
    while rest:
        module = rest.pop()
        if module.__name__ in seen or module.__name__.partition(".")[0] in _KNOWN:
            continue
        seen.add(module.__name__)
        yield f"{module.__name__} {_text(module)}"
        for name, value in vars(module).items():
            if _is_constant(value):
                yield f"{name} = {value!r}"
            elif isinstance(value, np.ndarray):
                yield f"{name} = {value.dtype} {value.shape} {sha256(value.tobytes()).hexdigest()}"
            elif (owner := _module_of(value)) is not None:
                rest.append(owner)


def _is_constant(value: object) -> bool:
    if isinstance(value, tuple):
        return all(map(_is_constant, value))
    return isinstance(value, bool | int | float | complex | str | np.generic)


def _module_of(value: object) -> ModuleType | None:
    if isinstance(value, ModuleType):
        return value
    if isinstance(value, FunctionType | Dispatcher | type):
        return sys.modules.get(value.__module__)
    return None


def _text(module: ModuleType) -> str:
    file = getattr(module, "__file__", None)
    return Path(file).read_bytes().hex() if file else ""

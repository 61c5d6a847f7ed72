"""What a compiled kernel depends on, and the name that follows from it."""

import hashlib
import platform
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import import_module
from inspect import getsourcefile
from pathlib import Path
from types import MappingProxyType

import llvmlite
import numba
import numpy as np
from numba.core.registry import cpu_target

import backends
import iir
from backends.base import Options


def ingredients(text: str, options: Options, externals: Iterable[str] = ()) -> Mapping[str, str]:
    """Everything that the machine code of *text* depends on.

    *text* is the generated module, *externals* are the places of the functions that it calls. Whether
    a call uses threads is no part of it: both drivers are in the text.
    """
    own = {
        "text": text,
        "options": f"fastmath={sorted(options.fastmath)} jit={options.jit}",
        "externals": "\n".join(_module_source(place) for place in externals),
    }
    return MappingProxyType({**own, **environment()})


@cache
def environment() -> Mapping[str, str]:
    """The ingredients that are the same for all kernels of a process."""
    return MappingProxyType(
        {
            "compiler": compiler_digest((Path(iir.__file__).parent, Path(backends.__file__).parent)),
            "python": platform.python_version(),
            "numpy": np.__version__,
            "numba": numba.__version__,
            "llvmlite": llvmlite.__version__,
            "cpu": " ".join(map(str, cpu_target.target_context.codegen().magic_tuple())),
        }
    )


def key(parts: Mapping[str, str]) -> str:
    """A name for *parts*: another one as soon as any of them differs."""
    digest = hashlib.sha256()
    for name, value in sorted(parts.items()):
        for item in (name, value):
            encoded = item.encode()
            digest.update(len(encoded).to_bytes(8, "little"))
            digest.update(encoded)
    return digest.hexdigest()[:24]


def compiler_digest(packages: Iterable[Path]) -> str:
    """A digest of all Python sources below *packages*."""
    digest = hashlib.sha256()
    for package in packages:
        for path in sorted(package.rglob("*.py")):
            content = path.read_bytes()
            digest.update(f"{path.relative_to(package.parent).as_posix()} {len(content)}\n".encode())
            digest.update(content)
    return digest.hexdigest()


def _module_source(place: str) -> str:
    """The text of the file that an external function comes from."""
    file = getsourcefile(import_module(place.partition(":")[0]))
    return Path(file).read_text() if file else ""

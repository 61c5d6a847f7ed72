"""What a compiled kernel depends on, and the name that follows from it."""

import hashlib
import os
import platform
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

import llvmlite
import numba
import numpy as np
from numba.core.registry import cpu_target

import backends
import iir
from backends.base import Options
from backends.loopnest.source_lines import source_text
from backends.numba_cpu.external_sources import external_sources
from iir.nodes import Stencil
from iir.span import Span
from iir.traversal import walk


def ingredients(text: str, options: Options, externals: Iterable[str] = ()) -> Mapping[str, str]:
    """Everything that the machine code of *text* depends on.

    *text* is the generated module, *externals* are the places of the functions that it calls. Whether
    a call uses threads is no part of it: both drivers are in the text.
    """
    own = {
        "text": text,
        "options": _options(options),
        "externals": "\n".join(text for place in externals for text in external_sources(place)),
    }
    return MappingProxyType({**own, **environment()})


def origin_ingredients(ir: Stencil, steps: str, options: Options) -> Mapping[str, str]:
    """Everything that the generated modules of *ir* depend on, before any of them is made.

    *steps* names what leads from *ir* to the source, beside the sources of the compiler. The user's
    lines count, since the modules show them, but not where they stand.
    """
    lines: dict[str, int] = {}
    places: dict[tuple[str, int, int], int] = {}
    numbers = [_line_number(node.span, places, lines) for node in walk(ir) if node.span is not None]
    own = {
        "ir": repr(ir),
        "lines": f"{numbers} {list(lines)}",
        "steps": steps,
        "options": _options(options),
    }
    return MappingProxyType({**own, **environment()})


def _options(options: Options) -> str:
    """What the text of a module does not say, and what it depends on."""
    return (
        f"fastmath={sorted(options.fastmath)} math={options.math} jit={options.jit} "
        f"stack_budget={options.stack_budget}"
    )


def _line_number(span: Span, places: dict[tuple[str, int, int], int], lines: dict[str, int]) -> int:
    """The number of the text at *span* among *lines*, which it joins; *places* remembers it."""
    place = span.file, span.line, span.end_line
    if place not in places:
        places[place] = lines.setdefault(source_text(span), len(lines))
    return places[place]


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
        for path in _python_files(str(package)):
            with open(path, "rb") as file:
                content = file.read()
            digest.update(f"{os.path.relpath(path, package.parent)} {len(content)}\n".encode())
            digest.update(content)
    return digest.hexdigest()


def _python_files(package: str) -> Iterator[str]:
    # Strings and not paths: this is most of what a stencil costs that has been compiled before.
    for folder, folders, files in os.walk(package):
        folders.sort()
        yield from (os.path.join(folder, name) for name in sorted(files) if name.endswith(".py"))

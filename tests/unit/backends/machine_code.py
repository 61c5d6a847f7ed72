"""As a program: prints the machine code of all kernels of the catalogue, and that of bad examples."""

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from numba import float32, float64, int64, njit, void

from backends.base import Options
from backends.loopnest.expressions import Affine, BinaryOperation, Native
from backends.loopnest.layout import FORTRAN
from backends.loopnest.lowering import lower
from backends.loopnest.nodes import Function, Loop, LoopKind, Prefetch, Program, Stream
from backends.loopnest.verifier import verify
from backends.numba_cpu.emit import RESERVED, RUNTIME
from backends.numba_cpu.emit_expressions import native_name
from backends.numba_cpu.kernels import new_kernels
from backends.numba_cpu.module_file import import_module_file
from iir.dtypes import is_float
from iir.expressions import Operator
from iir.traversal import walk
from stencil import stencil
from tests.catalogue import CATALOGUE, Entry
from tests.unit.backends.assembly import Kernel, functions

LARGE: Final = replace(FORTRAN, prefetches=True, streams=True)
_PACKED: Final = frozenset({Operator.ADD, Operator.SUB, Operator.MUL, Operator.DIV})
_CALLED: Final = {Operator.POW: "pow", Operator.MOD: "fmod", Operator.FLOORDIV: "fmod"}


def gathers(source: Any, places: Any, out: Any) -> None:
    for i in range(len(out)):
        out[i] = source[places[i]] * 2.0 + source[i]


def wraps_around(source: Any, places: Any, out: Any) -> None:
    for i in range(places[0], len(out)):
        out[i] = source[i - 1] * 2.0 + source[i]


def waits_for_itself(source: Any, places: Any, out: Any) -> None:
    for i in range(1, len(out)):
        out[i] = out[i - 1] * source[i] + 1.0


def raises(source: Any, places: Any, out: Any) -> None:
    if places[0] > 7:
        raise ValueError("too large")
    for i in range(len(out)):
        out[i] = source[i] * 2.0 + 1.0


def allocates(source: Any, places: Any, out: Any) -> None:
    doubled = np.empty(len(out))
    for i in range(len(out)):
        doubled[i] = source[i] * 2.0 + 1.0
    for i in range(len(out)):
        out[i] = doubled[places[i]]


def widens(source: Any, places: Any, out: Any) -> None:
    for i in range(len(out)):
        out[i] = source[i] * 0.1


def bad_examples() -> Iterator[Kernel]:
    """Each has one innermost loop that should be packed."""
    for function in (gathers, wraps_around, waits_for_itself, raises, allocates):
        yield _bad_example(function, "float64")
    yield _bad_example(widens, "float32")


def _bad_example(function: Callable[..., None], dtype: str) -> Kernel:
    number = float32 if dtype == "float32" else float64
    compiled = njit(void(number[::1], int64[::1], number[::1]), error_model="numpy")(function)
    return Kernel(function.__name__, dtype, _text(compiled, function.__name__), 1)


def kernels(entry: Entry, dtype: str, folder: Path) -> Iterator[Kernel]:
    """The kernels of a stencil, then those that are others where fields are large."""
    ir = stencil(backend="numba")(entry.define(np.dtype(dtype).type)).scheduled
    plain, large = (verify(lower(ir, layout, RESERVED)) for layout in (FORTRAN, LARGE))
    different = tuple(item for item in large.kernels if item not in plain.kernels)
    yield from _compiled(plain, dtype, folder)
    if different:
        yield from _compiled(replace(large, kernels=different), dtype, folder)


def _compiled(program: Program, dtype: str, folder: Path) -> Iterator[Kernel]:
    own = new_kernels(program, Options(parallel=False), folder)
    own.serial()
    module = import_module_file(own.path)
    for function in program.kernels:
        text = _text(getattr(module, function.name), function.name)
        yield _described(function, dtype, text)


def _described(function: Function, dtype: str, text: str) -> Kernel:
    nodes = (*walk(function),)
    lanes = [node for node in nodes if isinstance(node, Loop) and node.kind is LoopKind.LANES]
    return Kernel(
        function.name,
        dtype,
        text,
        sum(_computes(loop) and not _called(loop) and not _is_of_edge(loop) for loop in lanes),
        tuple(sorted({name for loop in lanes for name in _called(loop)})),
        any(isinstance(node, Prefetch) for node in nodes),
        any(isinstance(node, Stream) for node in nodes),
    )


def _is_of_edge(loop: Loop) -> bool:
    """Whether *loop* runs over a few lanes beyond an end of the domain, which fill no vector."""
    start, stop = loop.start, loop.stop
    assert isinstance(start, Affine)
    return isinstance(stop, Affine) and start.name == stop.name and stop.offset - start.offset < 4


def _computes(loop: Loop) -> bool:
    operations = (node for node in walk(loop) if isinstance(node, BinaryOperation))
    return any(is_float(node.dtype) and node.operator in _PACKED for node in operations)


def _called(loop: Loop) -> set[str]:
    """The functions of libm that *loop* calls."""
    found = set()
    for node in walk(loop):
        match node:
            case Native(function) if native_name(function) in RUNTIME["libm"]:
                found.add(native_name(function))
            case BinaryOperation(operator) if is_float(node.dtype) and operator in _CALLED:
                found.add(_CALLED[operator])
    return found


def _text(compiled: Any, name: str) -> str:
    """The machine code of a function of one signature, without that of its wrappers."""
    (assembly,) = compiled.inspect_asm().values()
    (text,) = (
        text
        for symbol, text in functions(assembly).items()
        if name in symbol and not symbol.startswith(("_ZN7cpython", "cfunc"))
    )
    return text


def _main(folder: Path) -> None:
    of_catalogue = [
        asdict(kernel)
        for entry in CATALOGUE.values()
        for dtype in ("float64", "float32")
        for kernel in kernels(entry, dtype, folder)
    ]
    json.dump({"catalogue": of_catalogue, "bad": [*map(asdict, bad_examples())]}, sys.stdout)


if __name__ == "__main__":
    _main(Path(sys.argv[1]))

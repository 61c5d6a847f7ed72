"""Runs of random stencils on longer rows; as a program it prints a digest of each result."""

import hashlib
import json
import sys
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from backends import numba_cpu
from backends.base import Options
from backends.loopnest.schedule import schedule
from backends.numba_cpu.executable import NumbaStencil
from iir.analyses.reach import Reach, bounding_box, reaches
from iir.nodes import FieldDecl, Stencil
from iir.passes import DEFAULT
from iir.pipeline import run as run_passes
from tests.random_calls import Array, Call, memory_of
from tests.running import build, run
from tests.strategies import COUNT, SEED, Program, mixed_program

SAMPLE: Final = range(2, COUNT, max(1, COUNT // 60))
COMPILED: Final = (*SAMPLE[2:3], *SAMPLE[25::22])
"""Small ones, which keep temporaries as columns, as rows, and as whole fields."""
ORDERS: Final = ("ijk", "kji", "jik", "strided")
"""Axes from the one that varies fastest; strided: the first, with gaps between all elements."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a call leaves in its arrays, what check failed, and the kernels that it called."""

    call: Call
    failure: str
    text: str

    def digest(self) -> str:
        """The same for results with the same bits, where any NaN equals any NaN."""
        digest = hashlib.sha256(self.failure.encode())
        for name, array in sorted(self.call.arrays.items()):
            values = np.array(memory_of(array))
            if values.dtype.kind == "f":
                values[np.isnan(values)] = np.nan
            digest.update(name.encode() + values.tobytes())
        return digest.hexdigest()


def program(index: int, columns: int, order: str = "ijk") -> Program:
    """A random stencil after all passes and with a schedule, called with rows of *columns* points."""
    item = mixed_program(SEED, index)
    ir = schedule(run_passes(item.ir, DEFAULT))
    return replace(item, ir=ir, call=_widened(item.call, item.ir, columns, order))


def outcome(item: Program, options: Options, folder: Path) -> Outcome:
    """The arrays of *item* stay as they are."""
    call = item.call.copied()
    executable = build(numba_cpu.BACKEND, item.ir, options, folder)
    assert isinstance(executable, NumbaStencil)
    error = run(executable, item.ir, call)
    failure = "" if error is None else f"{error} {error.index} {error.values}"
    return Outcome(call, failure, executable.source.text)


def _widened(call: Call, ir: Stencil, columns: int, order: str) -> Call:
    """The same scalars and levels; fields hold what is touched, and the values of *call* again and again."""
    domain = (columns, *call.domain[1:])
    touched = reaches(ir)
    bounds = {name: int(value) for name, value in call.scalars.items() if isinstance(value, int)}
    arrays: dict[str, Array] = {}
    origins: dict[str, tuple[int, ...]] = {}
    for item in ir.parameters:
        if isinstance(item, FieldDecl):
            shape, origin = _room(item, touched[item.name], domain, bounds)
            values = np.resize(memory_of(call.arrays[item.name]), shape)
            arrays[item.name], origins[item.name] = _in_order(values, item, order), origin
    return replace(call, domain=domain, arrays=arrays, origins=origins, layouts=dict.fromkeys(arrays, order))


def _room(
    item: FieldDecl, touched: Iterable[Reach], domain: tuple[int, int, int], bounds: dict[str, int]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    box = bounding_box(touched, domain, bounds) or ((0, 0),) * 3
    sides = [
        (max(0, -start), max(length, stop))
        for axis, length, (start, stop) in zip("IJK", domain, box, strict=True)
        if axis in item.axes.value
    ]
    return tuple(below + above for below, above in sides), tuple(below for below, _ in sides)


def _in_order(values: Array, item: FieldDecl, order: str) -> Array:
    """*values* over memory of their own; gaps hold zeros."""
    step = 2 if order == "strided" else 1
    fastest_first = "ijk" if order == "strided" else order
    own = item.axes.value.lower()
    axes = [own.index(axis) for axis in reversed(fastest_first) if axis in own]
    lengths = [values.shape[axis] * step for axis in axes]
    memory = np.zeros(int(np.prod(lengths)), values.dtype)
    whole = memory.reshape(lengths)[(slice(None, None, step),) * values.ndim]
    array: Array = whole.transpose(np.argsort(axes))
    array[...] = values
    assert array.shape == values.shape and array.base is memory
    return array


def _digests(folder: Path) -> dict[str, Any]:
    """Of shared loops: most not compiled, which cuts them into as many chunks as if they were."""
    plain, compiled = Options(parallel=True, jit=False), Options(parallel=True)
    runs = [(plain, index, 5) for index in SAMPLE] + [(compiled, index, 150) for index in COMPILED]
    return {
        f"{index} {options.jit}": outcome(program(index, columns), options, folder).digest()
        for options, index, columns in runs
    }


if __name__ == "__main__":
    from backends.numba_cpu.threads import thread_count

    json.dump({"threads": thread_count(), **_digests(Path(sys.argv[1]))}, sys.stdout)

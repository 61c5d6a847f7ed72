"""A built stencil: chooses kernels for the layout of a call and runs them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Any, Final

import numba
import numpy as np

from backends.base import Array, CallShape, Number, Options, Runner
from backends.loopnest.layout import FORTRAN, Layout
from backends.loopnest.lowering import lower
from backends.loopnest.nests import AXES
from backends.loopnest.nodes import Allocate, Program
from backends.loopnest.verifier import verify
from backends.numba_cpu.emit import RESERVED
from backends.numba_cpu.failures import raise_failures
from backends.numba_cpu.kernels import Entry, Kernels
from backends.numba_cpu.layouts import suitable_layout
from backends.numba_cpu.runtime.checks import RECORD
from backends.workspace import WorkspacePool, empty_aligned
from iir.dtypes import numpy_dtype
from iir.nodes import FieldDecl

SMALLEST_PARALLEL: Final = 1 << 15
"""Points of the smallest domain that threads share by themselves: sharing costs some microseconds."""

_WORKQUEUE: Final = Lock()


class NumbaStencil:
    """The kernels of one stencil, for each kind of layout when a call first has it."""

    def __init__(self, program: Program, options: Options, folder: Path) -> None:
        self._options = options
        self._folder = folder
        self._lock = Lock()
        self._kernels = {program.layout: Kernels(program, options, folder)}
        self._fields = tuple(item for item in program.ir.parameters if isinstance(item, FieldDecl))
        self._ir = program.ir

    @property
    def path(self) -> Path:
        """The file of the kernels for Fortran-ordered arrays."""
        return self._kernels[FORTRAN].path

    def prepare(self, shape: CallShape) -> Runner:
        """A runner for calls of this shape; see `Executable`. Compiles what it needs."""
        if 0 in shape.domain:
            return _do_nothing
        may_share = self._may_share(shape.domain)
        threads = numba.get_num_threads() if may_share else 1
        kernels = self._kernels_for(suitable_layout(self._fields, shape, threads))
        is_parallel = kernels.program.parallel is not None and may_share
        chunks = threads if is_parallel else 1
        origins = tuple(index for layout in shape.fields for index in layout.origin)
        call = _Call(
            _one_at_a_time(kernels.parallel()) if is_parallel else kernels.serial(),
            WorkspacePool(partial(_workspaces, kernels.program.workspaces, shape.domain, chunks)),
            (*origins, *shape.domain),
            (chunks,) if is_parallel else (),
            chunks,
            kernels.program,
        )
        return call.runner(is_jit=self._options.jit)

    def _may_share(self, domain: tuple[int, int, int]) -> bool:
        """Whether threads may share the loops of a call."""
        if isinstance(self._options.parallel, bool):
            return self._options.parallel
        return math.prod(domain) >= SMALLEST_PARALLEL and numba.get_num_threads() > 1

    def _kernels_for(self, layout: Layout) -> Kernels:
        with self._lock:
            if layout not in self._kernels:
                program = verify(lower(self._ir, layout, RESERVED))
                self._kernels[layout] = Kernels(program, self._options, self._folder)
            return self._kernels[layout]


@dataclass(frozen=True, slots=True)
class _Call:
    """What the calls of one shape share."""

    entry: Entry
    pool: WorkspacePool
    indices: tuple[int, ...]
    tail: tuple[int, ...]
    chunks: int
    program: Program

    def runner(self, *, is_jit: bool) -> Runner:
        if not is_jit:
            return self._plain_runner()
        return self._checking_runner(self.entry) if self.program.checks else self._fast_runner()

    def _fast_runner(self) -> Runner:
        entry, take, give_back = self.entry, self.pool.take, self.pool.give_back
        indices, tail = self.indices, self.tail

        def run(arrays: Sequence[Array], scalars: Sequence[Number]) -> None:
            workspaces = take()
            entry(*arrays, *workspaces, *indices, *scalars, *tail)
            give_back(workspaces)

        return run

    def _checking_runner(self, entry: Entry) -> Runner:
        def run(arrays: Sequence[Array], scalars: Sequence[Number]) -> None:
            workspaces = self.pool.take()
            records = np.zeros((self.chunks, RECORD), dtype=np.int64)
            entry(*arrays, *workspaces, records, *self.indices, *scalars, *self.tail)
            self.pool.give_back(workspaces)
            raise_failures(records, self.program.checks)

        return run

    def _plain_runner(self) -> Runner:
        """Scalars get their dtype here, which compiled code does by itself."""
        kinds = [numpy_dtype(item.dtype).type for item in self.program.scalars]
        inner = self._checking_runner(self.entry) if self.program.checks else self._fast_runner()

        def run(arrays: Sequence[Array], scalars: Sequence[Number]) -> None:
            inner(arrays, [kind(value) for kind, value in zip(kinds, scalars, strict=True)])

        return run


def _one_at_a_time(entry: Entry) -> Entry:
    """*entry*, locked if need be: under Numba's "workqueue" layer two calls at once end the process."""
    if numba.threading_layer() != "workqueue":
        return entry

    def run(*arguments: Any) -> None:
        with _WORKQUEUE:
            entry(*arguments)

    return run


def _do_nothing(arrays: Sequence[Array], scalars: Sequence[Number]) -> None:
    """An empty domain has no points."""


def _workspaces(
    allocations: tuple[Allocate, ...], domain: tuple[int, int, int], chunks: int
) -> tuple[Array, ...]:
    return tuple(_workspace(item, domain, chunks, number) for number, item in enumerate(allocations))


def _workspace(item: Allocate, domain: tuple[int, int, int], chunks: int, number: int) -> Array:
    sizes = dict(zip(AXES, domain, strict=True))
    shape = tuple(
        max(0, sizes[axis] + high - low)
        for axis, low, high in zip(item.axes, item.low, item.high, strict=True)
    )
    fastest = item.axes.index(item.fastest)
    stack = (chunks,) if item.per_chunk else ()
    return empty_aligned(
        (*shape, *stack), numpy_dtype(item.dtype), fastest=fastest, aligned=-item.low[fastest], number=number
    )

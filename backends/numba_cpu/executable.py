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

from backends.base import Array, CallShape, FieldLayout, Number, Options, Runner
from backends.loopnest.lowering import lower
from backends.loopnest.nests import AXES
from backends.loopnest.nodes import Allocate, FieldInterface, Program
from backends.loopnest.verifier import verify
from backends.numba_cpu.emit import RESERVED
from backends.numba_cpu.failures import raise_failures
from backends.numba_cpu.kernels import Entry, Kernels
from backends.numba_cpu.runtime.checks import RECORD
from backends.workspace import WorkspacePool, empty_aligned
from iir.dtypes import numpy_dtype
from iir.schedule import Axis

SMALLEST_PARALLEL: Final = 1 << 15
"""Points of the smallest domain that threads share by themselves: sharing costs some microseconds."""

_WORKQUEUE: Final = Lock()


class NumbaStencil:
    """The kernels of one stencil, for each kind of layout when a call first has it."""

    def __init__(self, program: Program, options: Options, folder: Path) -> None:
        self._options = options
        self._folder = folder
        self._lock = Lock()
        self._kernels = {program.fastest: Kernels(program, options, folder)}
        self._fields = program.fields
        self._ir = program.ir

    @property
    def path(self) -> Path:
        """The file of the kernels for arrays with unit stride on i."""
        return self._kernels[Axis.I].path

    def prepare(self, shape: CallShape) -> Runner:
        """A runner for calls of this shape; see `Executable`. Compiles what it needs."""
        if 0 in shape.domain:
            return _do_nothing
        kernels = self._kernels_for(_unit_axis(self._fields, shape.fields))
        is_parallel = kernels.program.parallel is not None and self._may_share(shape.domain)
        chunks = numba.get_num_threads() if is_parallel else 1
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

    def _kernels_for(self, fastest: Axis | None) -> Kernels:
        with self._lock:
            if fastest not in self._kernels:
                program = verify(lower(self._ir, fastest, RESERVED))
                self._kernels[fastest] = Kernels(program, self._options, self._folder)
            return self._kernels[fastest]


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


def _unit_axis(fields: Sequence[FieldInterface], layouts: Sequence[FieldLayout]) -> Axis | None:
    """The axis on which every field that has it has unit stride; i if there are several."""
    for axis in (Axis.I, Axis.K):
        if all(_has_unit_stride(field, layout, axis) for field, layout in zip(fields, layouts, strict=True)):
            return axis
    return None


def _has_unit_stride(field: FieldInterface, layout: FieldLayout, axis: Axis) -> bool:
    if axis not in field.axes:
        return True
    at = field.axes.index(axis)
    return layout.shape[at] == 1 or layout.strides[at] == numpy_dtype(field.dtype).itemsize


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

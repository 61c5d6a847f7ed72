"""A built stencil: chooses kernels for the layout of a call and runs them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from pathlib import Path
from threading import Lock, RLock
from types import FunctionType
from typing import TYPE_CHECKING, Any, Final

import numba
import numpy as np

from backends.base import Array, CallShape, Number, Options, Recogniser, Runner, Source
from backends.loopnest.layout import FORTRAN, Layout
from backends.numba_cpu.frames import exceed_budget
from backends.numba_cpu.interface import Workspace
from backends.numba_cpu.kernels import Entry, Kernels, new_kernels
from backends.numba_cpu.layouts import suitable_layout, variants
from backends.numba_cpu.manifest import Manifest, Module, read_manifest, write_manifest
from backends.numba_cpu.module_file import module_lock
from backends.numba_cpu.runtime.checks import RECORD
from backends.numba_cpu.threads import are_lost, thread_count
from backends.numba_cpu.tuning import Candidate, Copies, FirstCall, Tuning, kind_of_call, median_seconds, tune
from backends.workspace import WorkspacePool, empty_aligned
from iir.diagnostics import CheckError, Diagnostic
from iir.dtypes import numpy_dtype
from iir.nodes import FieldDecl, Stencil
from iir.schedule import Axis

if TYPE_CHECKING:
    from backends.loopnest.nodes import Program

SMALLEST_PARALLEL: Final = 1 << 15
"""Points of the smallest domain that threads share by themselves: sharing costs some microseconds."""

SMALLEST_TUNED: Final = 1 << 12
"""Points of the smallest domain that threads may share at all: to wake them costs some ten microseconds."""

_WORKQUEUE: Final = Lock()


@dataclass(frozen=True, slots=True)
class Recipe:
    """How the kernels of *ir* are made.

    *make* gives the program for Fortran-ordered arrays, and *is_within* tells whether that is known to
    touch only points that *ir* touches. With *manifest*, the answers and the modules of earlier processes
    are used, and kept for later ones; the file is named by all that they depend on.
    """

    ir: Stencil
    make: Callable[[], Program]
    is_within: Callable[[Program], bool]
    options: Options
    folder: Path
    manifest: Path | None = None


class NumbaStencil:
    """The kernels of one stencil, for each kind of layout when a call first has it."""

    def __init__(self, recipe: Recipe) -> None:
        self._recipe = recipe
        self._fields = tuple(item for item in recipe.ir.parameters if isinstance(item, FieldDecl))
        self._manifest = read_manifest(recipe.manifest) if recipe.manifest else None
        self._kernels: dict[Layout, Kernels] = {}
        self._tunings = dict(self._manifest.tunings) if self._manifest else {}
        self._used: dict[str, Tuning] = {}
        self._latest = FORTRAN
        self._lock = RLock()

    @property
    def path(self) -> Path:
        """The file of the kernels that were last asked for; for Fortran-ordered arrays if none were."""
        return self._kernels_for(self._latest).path

    @property
    def source(self) -> Source:
        """What is in that file, and its program."""
        kernels = self._kernels_for(self._latest)
        return Source(kernels.text, kernels.program, kernels.path.suffix)

    @cached_property
    def is_within(self) -> bool:
        """Whether the kernels are known to touch only points that the stencil's source touches."""
        if self._manifest is not None:
            return self._manifest.is_within
        return self._recipe.is_within(self._program)

    @property
    def notes(self) -> tuple[Diagnostic, ...]:
        """What was measured for the calls so far."""
        return tuple(Diagnostic(str(item), "tuned") for item in self._used.values() if item.seconds)

    def prepare(self, shape: CallShape) -> Runner:
        """A runner for calls of this shape; see `Executable`. Compiles what it needs."""
        if 0 in shape.domain:
            return _do_nothing
        threads = self._threads(shape.domain)
        if self._recipe.options.tune and self._recipe.options.jit:
            return self._tuned(shape, threads)
        return self._prepared(self._usual(shape, threads), shape)

    def recogniser(self, arrays: Sequence[Array]) -> Recogniser | None:
        """Tells whether others have the layouts of *arrays*; None where plain Python is as quick."""
        if not self._recipe.options.jit:
            return None
        from backends.numba_cpu.array_headers import layout_recogniser

        return layout_recogniser(arrays)

    def _usual(self, shape: CallShape, threads: int) -> Candidate:
        """What suits a call of this shape that *threads* may share, if nothing is measured."""
        layout = self._fitting(suitable_layout(self._fields, shape, threads, self._recipe.options), shape)
        shares = self._shares(self._kernels_for(layout), shape.domain, threads)
        return Candidate(layout, threads if shares else 1)

    def _fitting(self, layout: Layout, shape: CallShape) -> Layout:
        """*layout* with temporaries that the stack has room for."""
        frames = self._kernels_for(layout).interface.frames
        return replace(layout, is_large=True) if exceed_budget(frames, shape.domain) else layout

    def _prepared(self, candidate: Candidate, shape: CallShape) -> Runner:
        self._latest = candidate.layout
        kernels = self._kernels_for(candidate.layout)
        shares = self._shares(kernels, shape.domain, candidate.threads)
        if shares is None:
            return self._runner(kernels, shape, None)
        shared = self._runner(kernels, shape, shares)
        return _forkable(shared, lambda: self._runner(kernels, shape, None))

    def _runner(self, kernels: Kernels, shape: CallShape, shares: int | None) -> Runner:
        """Loops are cut into *shares* for threads; not at all if that is None."""
        is_parallel, chunks = shares is not None, shares or 1
        indices = (*(index for layout in shape.fields for index in layout.origin), *shape.domain)
        entry = _one_at_a_time(kernels.parallel()) if is_parallel else kernels.serial()
        if self._recipe.options.jit and not is_parallel and not kernels.interface.scalars:
            entry, indices = _with_defaults(entry, indices), ()
        call = _Call(
            entry,
            WorkspacePool(partial(_workspaces, kernels.interface.workspaces, shape.domain, chunks)),
            indices,
            (chunks,) if is_parallel else (),
            chunks,
            kernels,
        )
        return call.runner(is_jit=self._recipe.options.jit)

    def _shares(self, kernels: Kernels, domain: tuple[int, int, int], threads: int) -> int | None:
        """How many shares the loops of a call are cut into for *threads*; None if threads share nothing."""
        choice = self._recipe.options.parallel
        if kernels.interface.parallel is None or choice is False or are_lost():
            return None
        if choice is True:
            return thread_count()
        sizes = dict(zip(Axis, domain, strict=True))
        longest = max(sizes[axis] for axis in kernels.interface.shared)
        shares = min(longest, threads)
        return shares if shares > 1 else None

    def _threads(self, domain: tuple[int, int, int]) -> int:
        """How many threads a call may use."""
        choice = self._recipe.options.parallel
        if choice is False or (choice is not True and math.prod(domain) < SMALLEST_PARALLEL):
            return 1
        return thread_count()

    def _tuned(self, shape: CallShape, threads: int) -> Runner:
        """What has been found to be fastest; else a runner that finds it out at its first call."""
        counts = tuple(dict.fromkeys((threads, *self._other_threads(shape.domain))))
        kind = kind_of_call(shape, counts)
        if (known := self._tunings.get(kind)) is not None:
            self._used[kind] = known
            return self._prepared(known.chosen, shape)

        usual = self._usual(shape, threads)

        def search(arrays: Sequence[Array], scalars: Sequence[Number]) -> Runner | None:
            # A call that fails is no measure, and where files or memory cannot be had, the usual kernels are.
            with suppress(CheckError, OSError, MemoryError):
                self._search(kind, shape, counts, arrays, scalars)
                return self._tuned(shape, threads)
            self._latest = usual.layout
            return None

        return FirstCall(self._prepared(usual, shape), search)

    def _search(
        self,
        kind: str,
        shape: CallShape,
        counts: Sequence[int],
        arrays: Sequence[Array],
        scalars: Sequence[Number],
    ) -> None:
        copies = Copies(self._recipe.ir, arrays)

        def digest(layout: Layout) -> str:
            return self._kernels_for(layout).module.digest

        def variants_of(candidate: Candidate) -> Sequence[Candidate]:
            """Those that differ in their text."""
            usual, whole = candidate.layout, replace(candidate.layout, block=None)
            lanes = dict(zip(Axis, shape.domain, strict=True))[usual.lanes]
            # Many kernels have no blocks, whatever the layout says.
            first = (
                whole if digest(self._fitting(usual, shape)) == digest(self._fitting(whole, shape)) else usual
            )
            texts: dict[str, Layout] = {}
            for layout in variants(first, lanes):
                fitting = self._fitting(layout, shape)
                texts.setdefault(digest(fitting), fitting)
            return [Candidate(layout, candidate.threads) for layout in texts.values()]

        def measure(candidates: Sequence[Candidate]) -> Sequence[float]:
            runners = [self._prepared(candidate, shape) for candidate in candidates]
            return median_seconds([partial(run, copies.arrays, scalars) for run in runners], copies.reset)

        by_threads = dict.fromkeys(self._usual(shape, threads) for threads in counts)
        tuning = tune(shape.domain, [*by_threads], variants_of, measure)
        self._tunings[kind] = tuning
        self._keep({}, {kind: tuning})

    def _other_threads(self, domain: tuple[int, int, int]) -> tuple[int, ...]:
        """How many threads may share a call that by itself would have another number."""
        is_free = self._recipe.options.parallel == "auto" and not are_lost()
        return (1, thread_count()) if is_free and math.prod(domain) >= SMALLEST_TUNED else ()

    def _kernels_for(self, layout: Layout) -> Kernels:
        with self._lock:
            if layout not in self._kernels:
                self._kernels[layout] = self._known(layout) or self._new(layout)
            return self._kernels[layout]

    def _known(self, layout: Layout) -> Kernels | None:
        """The kernels of an earlier process, if they are told of."""
        if self._manifest is None or layout not in self._manifest.modules:
            return None
        module = self._manifest.modules[layout]
        make, note = partial(self._program_for, layout), partial(self._note, layout)
        return Kernels(module, self._recipe.options, make, note)

    def _new(self, layout: Layout) -> Kernels:
        program, note = self._program_for(layout), partial(self._note, layout)
        return new_kernels(program, self._recipe.options, self._recipe.folder, note)

    def _note(self, layout: Layout, module: Module) -> None:
        """Tell later processes of *module*."""
        self._keep({layout: module}, {})

    def _keep(self, modules: Mapping[Layout, Module], tunings: Mapping[str, Tuning]) -> None:
        path = self._recipe.manifest
        if path is None:
            return
        is_within = self.is_within
        # Where the file cannot be written, later processes find out by themselves.
        with suppress(OSError), module_lock(path):
            old = read_manifest(path) or Manifest(is_within, {}, {})
            new = Manifest(is_within, {**old.modules, **modules}, {**old.tunings, **tunings})
            write_manifest(path, new)

    def _program_for(self, layout: Layout) -> Program:
        from backends.loopnest.lowering import lower
        from backends.loopnest.stack_policy import StackPolicy
        from backends.loopnest.verifier import verify
        from backends.numba_cpu.emit import RESERVED

        if layout == FORTRAN:
            return self._program
        policy = StackPolicy(self._recipe.options.stack_budget)
        return verify(lower(self._program.ir, layout, RESERVED, policy))

    @cached_property
    def _program(self) -> Program:
        return self._recipe.make()


@dataclass(frozen=True, slots=True)
class _Call:
    """What the calls of one shape share."""

    entry: Entry
    pool: WorkspacePool
    indices: tuple[int, ...]
    tail: tuple[int, ...]
    chunks: int
    kernels: Kernels

    def runner(self, *, is_jit: bool) -> Runner:
        if not is_jit:
            return self._plain_runner()
        return self._typed_runner()

    def _typed_runner(self) -> Runner:
        if self.kernels.interface.has_checks:
            return self._checking_runner()
        return self._fast_runner() if self.kernels.interface.workspaces else self._direct_runner()

    def _direct_runner(self) -> Runner:
        entry, indices, tail = self.entry, self.indices, self.tail

        def run(arrays: Sequence[Array], scalars: Sequence[Number]) -> None:
            entry(*arrays, *indices, *scalars, *tail)

        return run

    def _fast_runner(self) -> Runner:
        entry, take, give_back = self.entry, self.pool.take, self.pool.give_back
        indices, tail = self.indices, self.tail

        def run(arrays: Sequence[Array], scalars: Sequence[Number]) -> None:
            workspaces = take()
            entry(*arrays, *workspaces, *indices, *scalars, *tail)
            give_back(workspaces)

        return run

    def _checking_runner(self) -> Runner:
        def run(arrays: Sequence[Array], scalars: Sequence[Number]) -> None:
            workspaces = self.pool.take()
            records = np.zeros((self.chunks, RECORD), dtype=np.int64)
            self.entry(*arrays, *workspaces, records, *self.indices, *scalars, *self.tail)
            self.pool.give_back(workspaces)
            if records[:, 0].any():
                self._raise(records)

        return run

    def _raise(self, records: Array) -> None:
        from backends.numba_cpu.failures import raise_failures

        raise_failures(records, self.kernels.program.checks)

    def _plain_runner(self) -> Runner:
        """Scalars get their dtype here, which compiled code does by itself."""
        kinds = [numpy_dtype(dtype).type for dtype in self.kernels.interface.scalars]
        inner = self._typed_runner()

        def run(arrays: Sequence[Array], scalars: Sequence[Number]) -> None:
            inner(arrays, [kind(value) for kind, value in zip(kinds, scalars, strict=True)])

        return run


def _with_defaults(entry: Entry, values: tuple[int, ...]) -> Entry:
    """The driver *entry* with *values* for its last parameters, quicker filled in by Python than passed."""
    assert isinstance(entry, FunctionType), "drivers for one thread are Python"
    return FunctionType(entry.__code__, entry.__globals__, entry.__name__, values)


def _one_at_a_time(entry: Entry) -> Entry:
    """*entry*, locked if need be: under Numba's "workqueue" layer two calls at once end the process."""
    if numba.threading_layer() != "workqueue":
        return entry

    def run(*arguments: Any) -> None:
        with _WORKQUEUE:
            entry(*arguments)

    return run


def _forkable(shared: Runner, make_serial: Callable[[], Runner]) -> Runner:
    """*shared*; in a forked process, which has lost the threads, what *make_serial* makes."""
    serial = cache(make_serial)

    def run(arrays: Sequence[Array], scalars: Sequence[Number]) -> None:
        runner = serial() if are_lost() else shared
        runner(arrays, scalars)

    return run


def _do_nothing(arrays: Sequence[Array], scalars: Sequence[Number]) -> None:
    """An empty domain has no points."""


def _workspaces(
    workspaces: tuple[Workspace, ...], domain: tuple[int, int, int], chunks: int
) -> tuple[Array, ...]:
    return tuple(_workspace(item, domain, chunks, number) for number, item in enumerate(workspaces))


def _workspace(item: Workspace, domain: tuple[int, int, int], chunks: int, number: int) -> Array:
    sizes = dict(zip(Axis, domain, strict=True))
    shape = tuple(max(0, more + (sizes[axis] if axis else 0)) for axis, more in item.sizes)
    each = (chunks,) if item.per_chunk else ()
    dtype = numpy_dtype(item.dtype)
    return empty_aligned((*shape, *each), dtype, fastest=item.fastest, aligned=item.aligned, number=number)

"""From a definition to a kernel: the one place that knows the front end and the back ends."""

import os
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from inspect import Parameter, Signature
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from backends.base import Array, Backend, CallShape, Executable, Origin, Recogniser, Runner, Source
from iir.diagnostics import BackendError, Diagnostic, InvalidIIRError, StencilError, StencilWarning
from iir.nodes import Stencil
from stencil.arrays import layout_recogniser
from stencil.cache import cache_folder, forget_kernels, keep_source, temporary_folder, writable_cache_folder
from stencil.collector import paused_collector
from stencil.options import Settings, with_passes_named
from stencil.user_warning import warn_user
from stencil.wording import did_you_mean, quoted

if TYPE_CHECKING:
    from backends.loopnest.storage_report import StorageReport

T = TypeVar("T")

DUMP_VARIABLE: Final = "STENCIL_DUMP"
"""Who asks for the text after each pass wants the passes to run."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """Where a back end is, and whether it runs what the passes make or what the user wrote."""

    module: str
    is_optimizing: bool


BACKENDS: Final[Mapping[str, _Entry]] = {
    "numba": _Entry("backends.numba_cpu", is_optimizing=True),
    "reference": _Entry("backends.reference", is_optimizing=False),
}
"""The back ends by name; each is imported when it is first asked for."""


@dataclass(frozen=True, slots=True)
class Program:
    """A stencil that has been read."""

    ir: Stencil
    signature: Signature


def read_definition(
    definition: Callable[..., Any],
    *,
    externals: Mapping[str, Any] | None,
    dtypes: Mapping[Any, Any] | None,
    name: str | None,
    names: Mapping[str, Any],
) -> Program:
    """A function's program, with *names* of the frame that defines it.

    Its warnings go through `warnings`.
    """
    from iir.verifier import verify
    from stencil.frontend import parse

    parsed = parse(definition, externals=externals, dtypes=dtypes, name=name, names=names)
    verify(parsed.ir, after="parse")
    _warn(parsed.warnings)
    _diagnose(parsed.ir)
    return Program(parsed.ir, parsed.signature)


def read_iir(source: Stencil | str) -> Program:
    """The program of an IIR or its textual form; its parameters are the signature."""
    from iir.parser import from_text
    from iir.verifier import verify

    ir = from_text(source) if isinstance(source, str) else source
    verify(ir, after="from_text")
    _diagnose(ir)
    kind = Parameter.POSITIONAL_OR_KEYWORD
    parameters = [Parameter(item.name, kind) for item in ir.parameters]
    return Program(ir, Signature(parameters))


class Compilation:
    """One program under one set of choices; each product is made when it is first asked for."""

    def __init__(self, ir: Stencil, settings: Settings) -> None:
        self.ir = ir
        self.settings = settings
        self._entry = _entry(settings.backend)
        self._lock = RLock()
        self._products: dict[str, Any] = {}

    @property
    def optimized(self) -> Stencil:
        return self._once("optimized", self._optimize)

    @property
    def scheduled(self) -> Stencil:
        return self._once("scheduled", self._schedule)

    @property
    def loops(self) -> Any:
        """The program of the kernel that ran last; of one for unit stride on i if none has."""
        latest = self._latest
        return latest.program if latest else self._loops

    @property
    def storage(self) -> "StorageReport":
        """How the kernel that ran last keeps temporaries."""
        from backends.loopnest import nodes
        from backends.loopnest.storage_report import storage_report

        program = self.loops
        if not isinstance(program, nodes.Program):
            message = f"The back end '{self.settings.backend}' keeps each temporary as a field of its own."
            raise BackendError(
                Diagnostic(message, "no-storage", hints=("Ask with_options(backend='numba').",))
            )
        return storage_report(self.ir, program)

    @property
    def source(self) -> Source:
        """What `loops` is printed as."""
        return self._latest or self._source

    @property
    def executable(self) -> Executable:
        with paused_collector():
            return self._once("executable", self._build)

    @property
    def source_path(self) -> Path | None:
        """The file of the source; None where the back end runs without one."""
        path = _path(self.executable)
        if path is not None:
            # The back end writes it for the first call that needs it, which may be another kernel.
            keep_source(path, self.source.text)
        return path

    def prepare(self, shape: CallShape) -> Runner:
        """The runner for calls of this shape; the kernel is built if it is not yet."""
        with paused_collector():
            try:
                return self.executable.prepare(shape)
            except OSError as error:
                return self._build_away(error).prepare(shape)

    def recogniser(self, arrays: Sequence[Array]) -> Recogniser:
        """Tells whether others have the layouts of *arrays*: the back end's way, if it has a quicker one."""
        quick = getattr(self._products.get("executable"), "recogniser", None)
        return (quick and quick(arrays)) or layout_recogniser(arrays)

    @property
    def notes(self) -> tuple[Diagnostic, ...]:
        """What the back end has found out in the calls so far."""
        return tuple(getattr(self._products.get("executable"), "notes", ()))

    @property
    def is_within(self) -> bool:
        """Whether kernels are known to touch only points that the source touches."""
        return bool(getattr(self.executable, "is_within", False))

    @property
    def _latest(self) -> Source | None:
        source = getattr(self._products.get("executable"), "source", None)
        return source if isinstance(source, Source) else None

    @property
    def _loops(self) -> Any:
        return self._once("loops", lambda: self._backend.lower(self.scheduled, self.settings.options))

    @property
    def _source(self) -> Source:
        return self._once("source", lambda: self._backend.emit(self._loops, self.settings.options))

    def _optimize(self) -> Stencil:
        from iir import passes, pipeline

        chosen = self.settings.passes
        if chosen is None:
            chosen = passes.DEFAULT if self._entry.is_optimizing else ()
        return pipeline.run(self.ir, chosen)

    def _schedule(self) -> Stencil:
        from iir.verifier import verify

        scheduled = self._backend.schedule(self.optimized, self.settings.options)
        # A back end that runs the source as it is needs none of the order that passes make.
        try:
            verify(scheduled, after="schedule", scheduled=self._entry.is_optimizing)
        except InvalidIIRError as error:
            raise with_passes_named(error, self.settings) from None
        return scheduled

    def _build(self) -> Executable:
        folder = writable_cache_folder()
        if self.settings.rebuild:
            path = _path(self._backend.build(self._source, self.settings.options, folder))
            try:
                if path is not None:
                    forget_kernels(path)
            except OSError as error:
                folder = temporary_folder(folder, error)
        return self._build_in(folder)

    def _build_away(self, error: OSError) -> Executable:
        """The executable from here on, where files of the cache folder cannot be used."""
        executable = self._build_in(temporary_folder(cache_folder(), error))
        with self._lock:
            self._products["executable"] = executable
        return executable

    def _build_in(self, folder: Path) -> Executable:
        return self._reuse(folder) or self._backend.build(self._source, self.settings.options, folder)

    def _reuse(self, folder: Path) -> Executable | None:
        """Kernels that the folder may hold already; not where somebody else's passes make the source."""
        if self.settings.passes is not None or DUMP_VARIABLE in os.environ:
            return None
        steps = Path(__file__).read_text(encoding="utf-8")
        origin = Origin(self.ir, steps, lambda: self._source)
        return self._backend.reuse(origin, self.settings.options, folder)

    @property
    def _backend(self) -> Backend:
        return cast(Backend, import_module(self._entry.module).BACKEND)

    def _once(self, name: str, make: Callable[[], T]) -> T:
        # Threads that need a product wait for the one that makes it.
        with self._lock:
            if name not in self._products:
                self._products[name] = make()
            return cast(T, self._products[name])


def _path(executable: Executable) -> Path | None:
    path = getattr(executable, "path", None)
    return path if isinstance(path, Path) else None


def _entry(name: str) -> _Entry:
    if name in BACKENDS:
        return BACKENDS[name]
    hints = did_you_mean(name, BACKENDS) or (f"The back ends are {quoted(BACKENDS)}.",)
    raise BackendError(Diagnostic(f"There is no back end '{name}'.", "unknown-backend", hints=hints))


def _diagnose(ir: Stencil) -> None:
    """What only the whole program shows: temporaries without bounds, and temporaries read unset."""
    from iir.analyses.diagnose_unset import diagnose_unset
    from iir.analyses.extents import extents

    extents(ir)
    errors, doubts = diagnose_unset(ir)
    for diagnostic in errors:
        raise StencilError(diagnostic)
    _warn(doubts)


def _warn(diagnostics: Iterable[Diagnostic]) -> None:
    for diagnostic in diagnostics:
        span = diagnostic.span
        if span is None:
            warn_user(diagnostic)
        else:
            warnings.warn_explicit(StencilWarning(diagnostic), StencilWarning, span.file, span.line)

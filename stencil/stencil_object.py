"""A compiled stencil: call it, or look at what it has become on its way to a kernel."""

from collections.abc import Callable, Mapping
from functools import cached_property, update_wrapper
from inspect import Signature
from pathlib import Path
from typing import TYPE_CHECKING, Any

from backends.base import Options
from iir.analyses.halo_in import diagnose_halo_in
from iir.analyses.reach import Range, halo
from iir.analyses.required_levels import required_levels
from iir.base import Node
from iir.diagnostics import Diagnostic, StencilError
from iir.nodes import Stencil
from stencil import inspection
from stencil.arguments import Caller
from stencil.compiler import Compilation, Program
from stencil.domains import normal_domain
from stencil.frozen import FrozenStencil
from stencil.global_name import global_name
from stencil.inspection import DomainInfo, FieldInfo, ParameterInfo
from stencil.options import Settings, changed_settings, named_objects

if TYPE_CHECKING:
    from backends.loopnest.storage_report import StorageReport
    from iir.analyses.intents import IntentTable


class StencilObject:
    """A stencil, as `stencil` and `from_iir` make it.

    It is read at once, so that its errors show where it is defined, and compiled when it is first
    called or when a product of the compiler is asked for. Calls may run in several threads.
    """

    def __init__(
        self,
        program: Program,
        settings: Settings,
        definition: Callable[..., Any] | None = None,
        module: str | None = None,
    ) -> None:
        self.__name__ = self.__qualname__ = program.ir.name
        self.__module__ = module or type(self).__module__
        self.__doc__ = None
        if definition is not None:
            update_wrapper(self, definition, updated=())
            self.__name__ = program.ir.name
        self.__signature__: Signature = inspection.call_signature(program.signature, program.ir)
        self._program = program
        self._definition = definition
        self._compilation = Compilation(program.ir, settings)

    def __call__(self, /, *args: Any, domain: Any = None, origin: Any = None, **named: Any) -> None:
        """Run the stencil on fields and scalars, in the order of the definition or by keyword.

        *domain* is (ni, nj, nk); without it the largest is taken that fits the arrays. *origin* is the
        index of the domain's first point: one for all fields, a mapping by name (``"_all_"`` for the
        others), the one that `stencil.zeros` or its like made the array for, or else the smallest that
        leaves every halo. Nothing is written if a check fails.
        """
        try:
            self._caller(args, named, domain, origin)
        except StencilError as error:
            raise error.with_traceback(None) from None

    def __get__(self, instance: object, owner: type | None = None) -> "StencilObject":
        # A stencil in a class is no method. To 'help' this marks a callable, to be shown like a function.
        return self

    def __copy__(self) -> "StencilObject":
        # Immutable, and known by its identity like a function.
        return self

    def __deepcopy__(self, memo: Any) -> "StencilObject":
        return self

    def __reduce__(self) -> str:
        """Where pickle finds this stencil: like a function, by the name that its module has for it."""
        return global_name(self, self.__module__, self.__qualname__)

    def freeze(self, *, domain: Any = None, origin: Any = None) -> FrozenStencil:
        """A bare callable for calls on this domain and origin, without the checks of each call.

        Arrays are checked at the first call and whenever their shapes, strides or dtypes are others
        than at the call before. It does not see that other arrays of the same layout share memory
        with each other: that is left to the caller.
        """
        try:
            size = None if domain is None else normal_domain(domain)
            start = None if origin is None else self._caller.origin(origin)
            return FrozenStencil(self, self._caller, size, start)
        except StencilError as error:
            raise error.with_traceback(None) from None

    def with_options(self, **options: Any) -> "StencilObject":
        """The same stencil with other options, for example ``backend="reference"``."""
        try:
            settings = changed_settings(self._compilation.settings, options)
            return StencilObject(self._program, settings, self._definition, self.__module__)
        except StencilError as error:
            raise error.with_traceback(None) from None

    @property
    def backend(self) -> str:
        """The name of the back end."""
        return self._compilation.settings.backend

    @property
    def options(self) -> Options:
        """What was chosen about the back end."""
        return self._compilation.settings.options

    @property
    def iir(self) -> Stencil:
        """What the stencil says, as the front end read it."""
        return self._program.ir

    @property
    def optimized(self) -> Stencil:
        """The IIR after the passes."""
        return self._compilation.optimized

    @property
    def scheduled(self) -> Stencil:
        """The IIR with the decisions of the schedule."""
        return self._compilation.scheduled

    @property
    def loops(self) -> Any:
        """The program that the source is printed from."""
        return self._compilation.loops

    @property
    def storage(self) -> "StorageReport":
        """How each temporary is kept by the kernel that ran last, or would be with unit stride on i."""
        return self._compilation.storage

    @property
    def source(self) -> str:
        """The generated source."""
        return self._compilation.source.text

    @property
    def source_path(self) -> Path | None:
        """The file of the generated source; None where the back end runs without one."""
        return self._compilation.source_path

    @property
    def notes(self) -> tuple[Diagnostic, ...]:
        """Facts about the stencil that its author may not expect, and what its calls have shown."""
        return (*self._own_notes, *self._compilation.notes)

    @cached_property
    def halo(self) -> Mapping[str, tuple[Range, Range, Range]]:
        """The points outside the domain that each field needs, below and above on each axis."""
        return halo(self.iir)

    @cached_property
    def required_levels(self) -> int:
        """The smallest number of levels that a domain may have."""
        return required_levels(self.iir)

    @cached_property
    def field_info(self) -> Mapping[str, FieldInfo]:
        """Access, halo, axes and dtype of each field."""
        return inspection.field_info(self.iir)

    @cached_property
    def parameter_info(self) -> Mapping[str, ParameterInfo]:
        """Access and dtype of each scalar."""
        return inspection.parameter_info(self.iir)

    @cached_property
    def domain_info(self) -> DomainInfo:
        """The axes of the domain and its smallest number of levels."""
        return inspection.domain_info(self.iir)

    @property
    def annotated(self) -> str:
        """The IIR with the intents of every field at every node."""
        return inspection.annotated(self.iir)

    @cached_property
    def intents(self) -> "IntentTable":
        """Which values each field has to have before a call, and which ones it changes."""
        return inspection.intents(self.iir)

    def intents_of(self, node: Node) -> "IntentTable":
        """The intents of one node of `iir`, as seen from that node alone."""
        return inspection.intents(self.iir, node)

    def intents_for(
        self, /, domain: Any, params: Mapping[str, Any] | None = None, **scalars: Any
    ) -> "IntentTable":
        """The intents in a call on *domain* with the given scalars, by name or as a mapping; exact."""
        given = {**named_objects("params", params), **scalars}
        return inspection.intents_for(self.iir, normal_domain(domain), given)

    def explain(self, field: str) -> str:
        """Why *field* has its intent, with source lines."""
        return self.intents.explain(field)

    def fortran(
        self,
        folder: str | Path,
        *,
        name: str | None = None,
        target: str = "x86-64-v3",
        spec_only: bool = False,
    ) -> tuple[Path, ...]:
        """Write a library for Fortran and C to *folder*; the paths of its files.

        *name* is the library's, by default the stencil's. It runs on processors that *target* stands
        for: ``x86-64-v2``, ``x86-64-v3``, or ``native``, that of this machine. With *spec_only* only the
        driver interface spec is written.
        """
        from stencil.fortran_output import write_fortran

        try:
            chosen = name or self.iir.name
            return write_fortran((self,), folder, name=chosen, target=target, spec_only=spec_only)
        except StencilError as error:
            raise error.with_traceback(None) from None

    def __repr__(self) -> str:
        return f"<stencil {inspection.signature_text(self.iir)} on '{self.backend}'>"

    @cached_property
    def _own_notes(self) -> tuple[Diagnostic, ...]:
        return diagnose_halo_in(self.iir)

    @cached_property
    def _caller(self) -> Caller:
        return Caller(self.iir, self.__signature__, self._compilation)

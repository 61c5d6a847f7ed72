"""What a native library offers: its stencils, their arguments, and the programs behind them."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from backends.base import Options
from backends.external import resolve
from backends.loopnest.layout import FORTRAN
from backends.loopnest.lowering import lower
from backends.loopnest.nodes import Program
from backends.loopnest.schedule import schedule
from backends.loopnest.stack_policy import NATIVE_BUDGET, StackPolicy
from backends.loopnest.verifier import verify
from backends.native.c_names import parameter_names, symbol
from backends.native.targets import DEFAULT_TARGET, Target, target_named
from backends.numba_cpu.emit import RESERVED, emit_program
from iir.analyses.reach import Range, halo, reaches
from iir.analyses.required_levels import required_levels
from iir.diagnostics import BackendError, Diagnostic
from iir.dtypes import DType
from iir.nodes import Axes, FieldDecl, ScalarDecl, Stencil
from iir.statements import ExternalCall
from iir.traversal import walk

OPTIONS: Final = Options(parallel=False, stack_budget=NATIVE_BUDGET)
"""Native kernels run in the thread that calls them, whose stack may be small."""


SHAPE: Final = "_shape"
STRIDES: Final = "_strides"
"""What shape and strides of a field are called, after the field."""

_LAYOUT: Final = replace(FORTRAN, is_large=True)
"""Kernels get all arrays whose sizes a call decides, since that also decides whether the stack holds them."""

_FILE_NAME: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]*")


@dataclass(frozen=True, slots=True)
class NativeSource:
    """A stencil as its author wrote it, which says what calls must keep to, and after the passes."""

    ir: Stencil
    optimized: Stencil
    options: Options = OPTIONS


@dataclass(frozen=True, slots=True)
class NativeField:
    """An array argument: *parameter* is its name in C, *position* that among fields, then scalars."""

    name: str
    parameter: str
    position: int
    dtype: DType
    axes: Axes
    halo: tuple[Range, Range, Range]
    is_written: bool

    @property
    def rank(self) -> int:
        return len(self.axes.value)


@dataclass(frozen=True, slots=True)
class NativeScalar:
    """A number argument: *parameter* is its name in C, *position* that among fields, then scalars."""

    name: str
    parameter: str
    position: int
    dtype: DType


@dataclass(frozen=True, slots=True)
class NativeStencil:
    """One stencil of a library; its functions are called *symbol* and an ending."""

    name: str
    symbol: str
    fields: tuple[NativeField, ...]
    scalars: tuple[NativeScalar, ...]
    required_levels: int
    source: NativeSource
    program: Program
    text: str


@dataclass(frozen=True, slots=True)
class NativeLibrary:
    name: str
    target: Target
    stencils: tuple[NativeStencil, ...]


def native_options(options: Options) -> Options:
    """What of *options*, chosen for calls from Python, decides about results, so that they are the same."""
    return replace(OPTIONS, fastmath=options.fastmath, math=options.math)


def native_library(sources: Sequence[NativeSource], name: str, target: str = DEFAULT_TARGET) -> NativeLibrary:
    """The library *name* with the stencils of *sources*, for the processors called *target*."""
    if not _FILE_NAME.fullmatch(name):
        hint = "Use letters, digits, '_', '-', '.' and '+'."
        raise BackendError(Diagnostic(f"'{name}' cannot name a library.", "library-name", hints=(hint,)))
    stencils = tuple(_stencil(source) for source in sources)
    _refuse_equal(item.symbol for item in stencils)
    return NativeLibrary(name, target_named(target), stencils)


def _refuse_equal(symbols: Iterable[str]) -> None:
    for name, count in Counter(symbols).items():
        if count > 1:
            message = f"{count} stencils of the library are called '{name}'."
            raise BackendError(Diagnostic(message, "library-name", hints=("Give them different names.",)))


def _stencil(source: NativeSource) -> NativeStencil:
    ir, program = source.ir, _program(source)
    fields = [item for item in ir.parameters if isinstance(item, FieldDecl)]
    scalars = [item for item in ir.parameters if isinstance(item, ScalarDecl)]
    order = [*(item.name for item in fields), *(item.name for item in scalars)]
    prefix = symbol(ir.name)
    names = parameter_names(order, prefix, (SHAPE, STRIDES))
    rims, points = halo(ir), reaches(ir)
    return NativeStencil(
        ir.name,
        prefix,
        tuple(
            NativeField(
                item.name,
                names[item.name],
                position,
                item.dtype,
                item.axes,
                rims[item.name],
                any(reach.is_store for reach in points[item.name]),
            )
            for position, item in enumerate(fields)
        ),
        tuple(
            NativeScalar(item.name, names[item.name], position, item.dtype)
            for position, item in enumerate(scalars, start=len(fields))
        ),
        required_levels(ir),
        source,
        program,
        emit_program(program, source.options),
    )


def _program(source: NativeSource) -> Program:
    for node in walk(source.optimized):
        if isinstance(node, ExternalCall):
            resolve(node)
    policy = StackPolicy(source.options.stack_budget)
    return verify(lower(schedule(source.optimized), _LAYOUT, RESERVED, policy))

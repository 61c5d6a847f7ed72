"""The back end that compiles with Numba for the processor it runs on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from numba import config

from backends.base import Backend, Executable, Options, Origin, Source
from backends.external import resolve
from backends.loopnest.layout import FORTRAN
from iir.analyses.reach import reaches
from iir.diagnostics import BackendError, Diagnostic
from iir.nodes import FieldDecl, Stencil
from iir.statements import ExternalCall
from iir.traversal import walk

if TYPE_CHECKING:
    from backends.loopnest.nodes import Program

FASTMATH: Final = frozenset({"afn", "arcp", "contract", "nsz", "reassoc"})
"""What arithmetic may be allowed to change. NaN and infinity always keep their meaning."""


# What makes and compiles sources is imported where it is needed: kernels that are there need none of it.


def _schedule(ir: Stencil, options: Options) -> Stencil:
    from backends.loopnest.schedule import schedule

    return schedule(ir)


def _lower(ir: Stencil, options: Options) -> Program:
    """The program for Fortran-ordered arrays; those for other layouts are made when needed."""
    from backends.loopnest.lowering import lower
    from backends.loopnest.stack_policy import StackPolicy
    from backends.loopnest.verifier import verify
    from backends.numba_cpu.emit import RESERVED

    return verify(lower(ir, FORTRAN, RESERVED, StackPolicy(options.stack_budget)))


def _emit(program: Program, options: Options) -> Source:
    from backends.numba_cpu.emit import emit_program

    _check(options)
    return Source(emit_program(program, _possible(options)), program, ".py")


def _build(source: Source, options: Options, folder: Path) -> Executable:
    from backends.numba_cpu.executable import NumbaStencil, Recipe

    program: Program = source.program
    for node in walk(program.ir):
        if isinstance(node, ExternalCall):
            resolve(node)
    return NumbaStencil(Recipe(program.ir, lambda: program, lambda _: False, _possible(options), folder))


def _reuse(origin: Origin, options: Options, folder: Path) -> Executable | None:
    """Kernels of plain Python are not kept, nor are calls of functions that nobody can say all about."""
    from backends.numba_cpu.cache_key import key, origin_ingredients
    from backends.numba_cpu.executable import NumbaStencil, Recipe
    from backends.numba_cpu.kernels import LONGEST_NAME

    _check(options)
    options = _possible(options)
    if not options.jit or any(isinstance(node, ExternalCall) for node in walk(origin.ir)):
        return None
    name = f"{origin.ir.name[:LONGEST_NAME]}_{key(origin_ingredients(origin.ir, origin.steps, options))}"

    def make() -> Program:
        program: Program = origin.make().program
        return program

    def is_within(program: Program) -> bool:
        return _is_within(program.ir, origin.ir)

    return NumbaStencil(Recipe(origin.ir, make, is_within, options, folder, folder / f"{name}.json"))


def _is_within(inner: Stencil, outer: Stencil) -> bool:
    """Whether each access of *inner* to a field is one of *outer* too."""
    few, many = reaches(inner), reaches(outer)
    fields = [item.name for item in outer.parameters if isinstance(item, FieldDecl)]
    return all(set(few[name]) <= set(many[name]) for name in fields)


def _check(options: Options) -> None:
    if unknown := sorted(options.fastmath - FASTMATH):
        message = f"The fastmath option '{unknown[0]}' is not allowed."
        hint = f"Choose from {', '.join(sorted(FASTMATH))}."
        raise BackendError(Diagnostic(message, "fastmath", hints=(hint,)))


def _possible(options: Options) -> Options:
    """*options*, with plain Python where the user has switched Numba off, by NUMBA_DISABLE_JIT."""
    return replace(options, jit=False) if config.DISABLE_JIT else options


BACKEND = Backend("numba", schedule=_schedule, lower=_lower, emit=_emit, build=_build, reuse=_reuse)

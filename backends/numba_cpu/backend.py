"""The back end that compiles with Numba for the processor it runs on."""

from pathlib import Path
from typing import Final

from backends.base import Backend, Executable, Options, Source
from backends.external import resolve
from backends.loopnest.layout import FORTRAN
from backends.loopnest.lowering import lower
from backends.loopnest.nodes import Program
from backends.loopnest.schedule import schedule
from backends.loopnest.verifier import verify
from backends.numba_cpu.emit import RESERVED, emit_program
from iir.diagnostics import BackendError, Diagnostic
from iir.nodes import Stencil
from iir.statements import ExternalCall
from iir.traversal import walk

FASTMATH: Final = frozenset({"afn", "arcp", "contract", "nsz", "reassoc"})
"""What arithmetic may be allowed to change. NaN and infinity always keep their meaning."""


def _schedule(ir: Stencil, options: Options) -> Stencil:
    return schedule(ir)


def _lower(ir: Stencil, options: Options) -> Program:
    """The program for Fortran-ordered arrays; those for other layouts are made when needed."""
    return verify(lower(ir, FORTRAN, RESERVED))


def _emit(program: Program, options: Options) -> Source:
    if unknown := sorted(options.fastmath - FASTMATH):
        message = f"The fastmath option '{unknown[0]}' is not allowed."
        hint = f"Choose from {', '.join(sorted(FASTMATH))}."
        raise BackendError(Diagnostic(message, "fastmath", hints=(hint,)))
    return Source(emit_program(program, options), program, ".py")


def _build(source: Source, options: Options, folder: Path) -> Executable:
    # Imported here: printing a program needs no compiler.
    from backends.numba_cpu.executable import NumbaStencil

    program: Program = source.program
    for node in walk(program.ir):
        if isinstance(node, ExternalCall):
            resolve(node)
    return NumbaStencil(program, options, folder)


BACKEND = Backend("numba", schedule=_schedule, lower=_lower, emit=_emit, build=_build)

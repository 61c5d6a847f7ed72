"""Lowering from the textual form of the IIR."""

from backends.loopnest.layout import FORTRAN, Layout
from backends.loopnest.lowering import lower
from backends.loopnest.nodes import Program
from backends.loopnest.printer import to_text
from backends.loopnest.schedule import schedule
from backends.loopnest.verifier import verify
from iir.nodes import Stencil
from iir.parser import from_text


def scheduled(text: str) -> Stencil:
    return schedule(from_text(text))


def lowered(text: str, layout: Layout = FORTRAN) -> Program:
    return verify(lower(scheduled(text), layout))


def kernel_text(text: str, layout: Layout = FORTRAN, number: int = 0) -> str:
    """The steps of one kernel after its views, without indentation common to all."""
    program = lowered(text, layout)
    printed = to_text(program).split("\n\n")[1 + number]
    lines = [line[4:] for line in printed.splitlines()[1:]]
    return "\n".join(line for line in lines if " = view of " not in line and "# " not in line)

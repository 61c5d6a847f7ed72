"""Lowering from the textual form of the IIR."""

from collections.abc import Iterator

from backends.loopnest.allocations import allocations
from backends.loopnest.kernels import kernel
from backends.loopnest.layout import FORTRAN, Layout
from backends.loopnest.lower_nests import lower_nest
from backends.loopnest.lower_statements import StatementLowering
from backends.loopnest.lowering import lower
from backends.loopnest.nests import nests
from backends.loopnest.nodes import Function, Program
from backends.loopnest.places import places
from backends.loopnest.printer import to_text
from backends.loopnest.schedule import schedule
from backends.loopnest.scope import stencil_scope
from backends.loopnest.verifier import verify
from iir.analyses.extents import extents
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


def kernels_before_passes(ir: Stencil, layout: Layout = FORTRAN) -> Iterator[Function]:
    """The kernels of a scheduled stencil, with its arrays where lowering has put them."""
    found = nests(ir, extents(ir), layout)
    scope = stencil_scope(ir, layout.unit, places(ir, found), frozenset())
    arrays, statements = allocations(scope), StatementLowering(scope)
    for number, nest in enumerate(found):
        steps = lower_nest(nest, statements, arrays, layout)
        yield kernel(f"kernel_{number}", steps, scope, arrays, is_shared=nest.is_shared)

"""The statements of a whole tree."""

from collections.abc import Iterator

from iir.analyses.accesses import nested
from iir.nodes import Stencil
from iir.statements import Stmt


def statements(ir: Stencil) -> Iterator[Stmt]:
    """All statements of *ir* in program order, those inside an `If` after it."""
    for multistage in ir.multistages:
        for stage in multistage.stages:
            for do_method in stage.do_methods:
                yield from nested(do_method.body)

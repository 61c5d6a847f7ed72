"""On which columns each statement runs."""

from collections.abc import Mapping
from dataclasses import dataclass

from iir.analyses.backward_needs import BackwardNeeds
from iir.extent import Extent
from iir.nodes import Stencil
from iir.statements import Stmt


@dataclass(frozen=True, slots=True)
class Extents:
    """The box of columns of every statement of *ir*, found by identity."""

    ir: Stencil
    boxes: Mapping[int, Extent]

    def box(self, statement: Stmt) -> Extent:
        """The columns on which *statement* runs; of an `If`, on which its condition is evaluated."""
        return self.boxes[id(statement)]


def extents(ir: Stencil) -> Extents:
    """The least boxes such that every temporary is computed wherever it is read later.

    A store to a field argument runs on the domain, a store to a temporary on the hull of the
    columns that later reads need of it, or on the domain if nothing reads it; an `If` on the hull
    of its body, a check on the domain at least. A temporary that needs itself ever wider through a
    sweep raises `StencilError` with code ``unbounded-extent``.
    """
    needs = BackwardNeeds(ir)
    needs.run()
    return Extents(ir, needs.boxes)

"""Statements that nothing depends on."""

from iir.analyses.backward_needs import BackwardNeeds
from iir.nodes import Stencil


def dead_statements(ir: Stencil) -> frozenset[int]:
    """The ids of statements whose stores no output, check or effectful call can see.

    Liveness is a least fixpoint: statements that only feed each other are dead together.
    """
    needs = BackwardNeeds(ir, skips_dead=True)
    needs.run()
    return frozenset(key for key, is_dead in needs.dead.items() if is_dead)

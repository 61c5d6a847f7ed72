"""Which kernels are faster with half of the widest vectors that a processor has."""

from backends.loopnest.bodies import AXES, body_reads
from backends.loopnest.nests import Nest
from iir.analyses.operations import has_costly_operations


def suits_narrow_vectors(nest: Nest) -> bool:
    """Whether lanes load their neighbours' values and do only cheap arithmetic.

    A load of a whole cache line that does not begin one takes as long as two. Divisions, roots and
    functions gain from wide vectors all the same. Measured: hdiff in float64 takes 0.92 of the time.
    """
    has_neighbours = any(
        access.offset[AXES.index(part.lane)] != 0
        for part in nest.parts
        for body in part.bodies
        for access in body_reads(body)
    )
    statements = (statement for body in nest.bodies for statement in body.statements)
    return has_neighbours and not any(map(has_costly_operations, statements))

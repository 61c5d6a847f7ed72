"""Memory that a call takes beside its arguments: workspaces for temporaries that are not on the stack."""

import math
import tracemalloc
from collections.abc import Sequence
from typing import Final

import numpy as np

from benchmarks.cases import Case, Layout, arguments
from benchmarks.our_kernels import our_stencil
from benchmarks.report import Cell, Section
from tests.catalogue import Domain

SMALL: Final = (8, 8, 8)
WITHOUT_FIELDS: Final = ("hdiff", "vadv", "tridiagonal")
"""Their temporaries need less than a field each."""


def measure_memory(kernels: Sequence[str], domain: Domain) -> Section:
    cells = [_cell(kernel, domain, parallel) for kernel in kernels for parallel in (False, True)]
    return Section(f"Peak extra memory of a call on {'x'.join(map(str, domain))}, float64", tuple(cells))


def _cell(kernel: str, domain: Domain, parallel: bool) -> Cell:
    """The first call on a domain; later ones take the same workspaces."""
    small, case = Case(kernel, SMALL, np.float64), Case(kernel, domain, np.float64)
    f = our_stencil(kernel, "float64", parallel=parallel)
    given = arguments(small, Layout.OURS)
    f(**given.values, domain=SMALL, origin=given.origin)
    given = arguments(case, Layout.OURS)
    tracemalloc.start()
    f(**given.values, domain=domain, origin=given.origin)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    field = math.prod(domain) * np.dtype(np.float64).itemsize / 2**20
    target, is_met = "", None
    if kernel in WITHOUT_FIELDS:
        target, is_met = "less than a field", peak / 2**20 < field
    what = "all cores" if parallel else "one core"
    return Cell(kernel, what, peak / 2**20, "MiB", "one field", field, target, is_met)

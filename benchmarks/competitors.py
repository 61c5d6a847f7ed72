"""All ways to compute a case, as candidates."""

import shutil
from collections.abc import Callable, Iterator
from functools import cache, partial

from benchmarks.candidate import Candidate, Group
from benchmarks.cases import DTYPES, Arguments, Case, Layout, arguments, traffic
from benchmarks.fortran_kernels import fortran_calls
from benchmarks.gt4py_kernels import gt4py_calls
from benchmarks.numba_kernels.hand import hand_calls
from benchmarks.numba_kernels.naive import naive_kernel, transposed
from benchmarks.numpy_kernels import NEARLY_EQUAL, NUMPY_KERNELS
from benchmarks.our_kernels import our_calls
from benchmarks.streaming_floor import floor_calls
from stencil import stencil
from tests.catalogue import CATALOGUE


def competitors(case: Case, *, parallel: bool) -> Iterator[Candidate]:
    """Ours first. NumPy, naive Numba and GT4Py compete on one core only."""
    both = {layout: arguments(case, layout) for layout in Layout}
    for layout, values in both.items():
        for name, call in our_calls(case, values, parallel=parallel):
            yield Candidate(Group.OURS, name, layout, call, values)
        if shutil.which("gfortran"):
            for name, call in fortran_calls(case, values, parallel=parallel):
                yield Candidate(Group.FORTRAN, name, layout, call, values)
        for name, call in hand_calls(case, values, parallel=parallel):
            yield Candidate(Group.HAND, name, layout, call, values)
    if not parallel:
        yield from _plain(case, both[Layout.TIGHT])
        for name, call, values in gt4py_calls(case):
            yield Candidate(Group.GT4PY, name, None, call, values)
    if shutil.which("gcc"):
        for name, call in floor_calls(case, traffic(case), parallel=parallel):
            yield Candidate(Group.FLOOR, name, None, call)


def _plain(case: Case, values: Arguments) -> Iterator[Candidate]:
    naive = partial(_naive(case.kernel, case.dtype_name), *transposed(values.values))
    yield Candidate(Group.NAIVE, "a nest a statement", Layout.TIGHT, naive, values)
    numpy = partial({**NUMPY_KERNELS, **NEARLY_EQUAL}[case.kernel], **values.values)
    yield Candidate(Group.NUMPY, "slices", Layout.TIGHT, numpy, values)


@cache
def _naive(kernel: str, dtype: str) -> Callable[..., object]:
    entry = CATALOGUE[kernel]
    return naive_kernel(stencil(backend="reference")(entry.define(DTYPES[dtype])).iir, entry.halo)

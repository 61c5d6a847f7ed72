"""Good hand-written Numba: each kernel in a few ways, on arrays with any strides of rows and planes."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt
from numpy.lib.stride_tricks import as_strided

from benchmarks.cases import DTYPES, Arguments, Case
from benchmarks.numba_kernels.hand_columns import TRIDIAGONAL, VADV, Solver, hand_columns
from benchmarks.numba_kernels.hand_hdiff import hand_hdiff
from benchmarks.numba_kernels.hand_jacobi7 import hand_jacobi7
from tests.catalogue import DTypeLike

Ways: TypeAlias = Iterator[tuple[str, tuple[Any, Any]]]
"""A name; the serial and the parallel function."""

HEIGHT: Final = 64


def _hdiff(dtype: DTypeLike) -> Ways:
    yield "inline", hand_hdiff(dtype, 1, fetches=False)
    yield "inline, four rows, prefetch", hand_hdiff(dtype, 4, fetches=True)


def _jacobi7(dtype: DTypeLike) -> Ways:
    yield "plain", hand_jacobi7(dtype, streams=False, height=1 << 30)
    yield "streaming", hand_jacobi7(dtype, streams=True, height=1 << 30)
    yield "streaming in blocks", hand_jacobi7(dtype, streams=True, height=HEIGHT)


def _columns(solver: Solver, dtype: DTypeLike) -> Ways:
    lanes = 256 // np.dtype(dtype).itemsize
    yield f"{lanes} lanes", hand_columns(solver, dtype, lanes, fetches=False, streams=False)
    yield f"{lanes} lanes, pipelined", hand_columns(solver, dtype, lanes, fetches=True, streams=False)
    yield (
        f"{lanes} lanes, pipelined, streaming",
        hand_columns(solver, dtype, lanes, fetches=True, streams=True),
    )


HAND_KERNELS: Final[Mapping[str, Callable[[DTypeLike], Ways]]] = {
    "hdiff": _hdiff,
    "jacobi7": _jacobi7,
    "tridiagonal": partial(_columns, TRIDIAGONAL),
    "vadv": partial(_columns, VADV),
}


def hand_calls(
    case: Case, arguments: Arguments, *, parallel: bool
) -> Iterator[tuple[str, Callable[[], object]]]:
    """None for kernels that nobody has written."""
    if case.kernel not in HAND_KERNELS:
        return
    values = [whole(value) if isinstance(value, np.ndarray) else value for value in arguments.values.values()]
    halo_i, halo_j, _ = case.entry.halo
    if case.kernel == "vadv":
        # The column more at the end of i is read only.
        halo_i = (0, 0)
    nj, ni = case.domain[1] + sum(halo_j), case.domain[0] + sum(halo_i)
    for name, (serial, in_parallel) in _ways(case.kernel, case.dtype_name):
        yield name, partial(in_parallel if parallel else serial, *values, nj, ni)


@cache
def _ways(kernel: str, dtype: str) -> tuple[tuple[str, tuple[Any, Any]], ...]:
    return tuple(HAND_KERNELS[kernel](DTYPES[dtype]))


def whole(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """As ``a[k, j, i]`` in C order, with the padding of its rows and planes, which nobody touches."""
    element, row, plane = array.strides
    return as_strided(array, (array.shape[2], plane // row, row // element), (plane, row, element))

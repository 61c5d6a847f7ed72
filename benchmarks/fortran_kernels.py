"""Hand-fused Fortran of catalogue stencils: several ways to write each, all of them measured."""

import ctypes
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import numpy as np

from benchmarks.cases import Arguments, Case
from benchmarks.fortran_library import WIDTHS, fortran_library


@dataclass(frozen=True, slots=True)
class Variant:
    """A subroutine, and what it takes after the parameters of the stencil."""

    name: str
    subroutine: str
    options: tuple[int, ...] = ()


def _strips(kernel: str) -> tuple[Variant, ...]:
    """Column solvers: *lanes* neighbouring columns at once, their number known when compiled or not."""
    return tuple(
        Variant(f"{lanes} lanes{', constant' if constant else ''}", f"{kernel}_strips", (lanes, constant))
        for lanes, constant in ((16, 0), (32, 0), (64, 0), (128, 0), (1024, 0), (32, 1), (64, 1), (128, 1))
    )


def _blocks(kernel: str, *numbers: int) -> tuple[Variant, ...]:
    """Levels inside blocks of rows."""
    return tuple(Variant(f"blocks of {rows} rows", f"{kernel}_blocks", (rows,)) for rows in numbers)


def _simple(kernel: str, *ways: str) -> tuple[Variant, ...]:
    return tuple(Variant(way, f"{kernel}_{way.replace(' ', '_')}") for way in ways)


FORTRAN_KERNELS: Final[Mapping[str, tuple[Variant, ...]]] = {
    "hdiff": _simple("hdiff", "rows", "laplacian rows", "inline"),
    "vadv": _strips("vadv"),
    "tridiagonal": _strips("tridiagonal"),
    "jacobi7": (*_simple("jacobi7", "planes"), *_blocks("jacobi7", 16, 32, 64)),
    "box_filter": (*_simple("box_filter", "rows", "inline"), *_blocks("box_filter", 8, 32, 64)),
    "upwind": (*_simple("upwind", "planes"), *_blocks("upwind", 16, 32, 64)),
    "smagorinsky": _simple("smagorinsky", "rows", "inline"),
    "kessler": _blocks("kessler", 1, 8, 64),
    "dynamical_core": _blocks("dynamical_core", 8, 16, 32, 64),
}
"""By the names of the catalogue; they take the parameters that the stencils have there."""


def fortran_calls(
    case: Case, arguments: Arguments, *, parallel: bool, widths: tuple[int, ...] = WIDTHS
) -> Iterator[tuple[str, Callable[[], object]]]:
    """Each variant with each vector width, ready to be called."""
    values = _values(case, arguments)
    for width in widths:
        library = fortran_library(case.kernel, case.dtype, width, parallel=parallel)
        for variant in FORTRAN_KERNELS[case.kernel]:
            options = map(ctypes.c_int, variant.options)
            yield f"{variant.name}, {width} bits", partial(library[variant.subroutine], *values, *options)


def _values(case: Case, arguments: Arguments) -> tuple[Any, ...]:
    """Leading dimensions, which all fields share, domain and arguments as the subroutines take them."""
    strides = {field.strides for _, field in arguments.fields()}
    ((element, row, plane),) = strides
    assert element == np.dtype(case.dtype).itemsize and plane % row == 0
    sizes = map(ctypes.c_int, (row // element, plane // row, *case.domain))
    return (*sizes, *map(_as_c, arguments.values.values()))


def _as_c(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return ctypes.c_void_p(value.ctypes.data)
    return np.ctypeslib.as_ctypes_type(value.dtype)(value)

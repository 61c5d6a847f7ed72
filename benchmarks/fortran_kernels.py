"""Hand-fused Fortran of catalogue stencils: several ways to write each, all of them measured."""

import ctypes
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import numpy as np

from benchmarks.fortran_library import WIDTHS, fortran_library
from tests.catalogue import Domain, DTypeLike


@dataclass(frozen=True, slots=True)
class Variant:
    """A subroutine, and what it takes after the parameters of the stencil."""

    name: str
    subroutine: str
    options: tuple[int, ...] = ()


def _strips(kernel: str) -> tuple[Variant, ...]:
    """Column solvers: *lanes* neighbouring columns at once, their number known when compiled or not."""
    return tuple(
        Variant(
            f"strips of {lanes}{' (constant)' if constant else ''}", f"{kernel}_strips", (lanes, constant)
        )
        for lanes, constant in ((16, 0), (32, 0), (64, 0), (128, 0), (1024, 0), (32, 1), (64, 1), (128, 1))
    )


def _blocks(kernel: str) -> tuple[Variant, ...]:
    """Levels inside blocks of rows."""
    return tuple(Variant(f"blocks of {rows} rows", f"{kernel}_blocks", (rows,)) for rows in (16, 32, 64))


FORTRAN_KERNELS: Final[Mapping[str, tuple[Variant, ...]]] = {
    "hdiff": (
        Variant("rows", "hdiff_rows"),
        Variant("laplacian rows", "hdiff_laplacian_rows"),
        Variant("inline", "hdiff_inline"),
    ),
    "vadv": _strips("vadv"),
    "tridiagonal": _strips("tridiagonal"),
    "jacobi7": (Variant("planes", "jacobi7_planes"), *_blocks("jacobi7")),
}
"""By the names of the catalogue; they take the parameters that the stencils have there."""


def fortran_calls(
    kernel: str, domain: Domain, dtype: DTypeLike, arguments: Mapping[str, Any], *, parallel: bool
) -> Iterator[tuple[str, Callable[[], object]]]:
    """Each variant with each vector width, ready to be called on *arguments*."""
    values = _values(domain, arguments)
    for width in WIDTHS:
        library = fortran_library(dtype, width, parallel=parallel)
        for variant in FORTRAN_KERNELS[kernel]:
            options = map(ctypes.c_int, variant.options)
            yield f"{variant.name}, {width} bits", partial(library[variant.subroutine], *values, *options)


def _values(domain: Domain, arguments: Mapping[str, Any]) -> tuple[Any, ...]:
    """Leading dimensions, domain and arguments as the subroutines take them.

    All fields have the same strides: those that the first has.
    """
    fields = [value for value in arguments.values() if isinstance(value, np.ndarray)]
    assert len({(field.strides, field.dtype) for field in fields}) == 1
    element, row, plane = fields[0].strides
    assert element == fields[0].itemsize and plane % row == 0
    sizes = map(ctypes.c_int, (row // element, plane // row, *domain))
    return (*sizes, *map(_as_c, arguments.values()))


def _as_c(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return ctypes.c_void_p(value.ctypes.data)
    return np.ctypeslib.as_ctypes_type(value.dtype)(value)

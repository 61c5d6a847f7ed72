"""hdiff by hand: everything computed where it is used, four rows at once, and rows to come prefetched."""

from typing import Any, Final

import numpy as np

from backends.writer import Writer
from benchmarks.numba_kernels.decorators import compiled, without_load_pre
from benchmarks.numba_kernels.intrinsics import LINE, prefetch, shift
from tests.catalogue import DTypeLike

AHEAD: Final = 4
"""Rows between what is computed and what is fetched."""

DRIVERS: Final = """
@serial
def run(u, coeff, out, nj, ni):
    for k in range(u.shape[0]):
        plane(u, coeff, out, k, nj, ni)

@parallel
def run_parallel(u, coeff, out, nj, ni):
    for k in prange(u.shape[0]):
        plane(u, coeff, out, k, nj, ni)
"""


def hand_hdiff(dtype: DTypeLike, rows: int, *, fetches: bool) -> tuple[Any, Any]:
    """Serial and parallel function of (u, coeff, out, nj, ni); arrays ``a[k, j, i]`` with a halo of 2."""
    w = Writer()
    with w.block("@serial\ndef plane(u, coeff, out, k, nj, ni):"):
        w.line(f"if ni < 5 or ni > {1 << 30} or nj < 5 or nj > {1 << 30}: return")
        w.line("u = shift(u, k, 0, 0); coeff = shift(coeff, k, 0, 0); out = shift(out, k, 0, 0)")
        w.line(f"full = 2 + (nj - 4) // {rows} * {rows}")
        _rows(w, dtype, rows, f"range(2, full, {rows})", fetches)
        _rows(w, dtype, 1, "range(full, nj - 2)", fetches)
    names = {"zero": dtype(0), "four": dtype(4), "shift": shift, "prefetch": prefetch}
    run, run_parallel = compiled(w.text + DRIVERS, names, "run", "run_parallel")
    small = np.zeros((1, 5, 5), dtype)
    with without_load_pre():
        run(small, small, small, 5, 5)
        run_parallel(small, small, small, 5, 5)
    return run, run_parallel


def _rows(w: Writer, dtype: DTypeLike, rows: int, domain: str, fetches: bool) -> None:
    with w.block(f"for j in {domain}:"):
        if fetches:
            with w.block(f"for i in range(0, ni, {LINE // np.dtype(dtype).itemsize}):"):
                for row in range(rows):
                    w.line(
                        f"prefetch(u, 0, j + {row + AHEAD + 2}, i); prefetch(coeff, 0, j + {row + AHEAD}, i)"
                    )
        with w.block("for i in range(2, ni - 2):"):
            _points(w, rows)


def _points(w: Writer, rows: int) -> None:
    """One point in each row; the laplacians and y fluxes between rows are shared."""
    for row in range(-1, rows + 1):
        w.line(f"lap{row + 1} = {_laplacian(row, 0)}")
    for row in range(-1, rows):
        flux = f"lap{row + 2} - lap{row + 1}"
        _limited(w, f"flux_y{row + 1}", flux, f"{_u(row + 1, 0)} - {_u(row, 0)}")
    for row in range(rows):
        _limited(w, "east", f"({_laplacian(row, 1)}) - lap{row + 1}", f"{_u(row, 1)} - {_u(row, 0)}")
        _limited(w, "west", f"lap{row + 1} - ({_laplacian(row, -1)})", f"{_u(row, 0)} - {_u(row, -1)}")
        change = f"east - west + flux_y{row + 1} - flux_y{row}"
        w.line(f"out[0, j + {row}, i] = {_u(row, 0)} - coeff[0, j + {row}, i] * ({change})")


def _limited(w: Writer, name: str, flux: str, gradient: str) -> None:
    w.line(f"{name} = {flux}")
    w.line(f"{name} = zero if {name} * ({gradient}) > zero else {name}")


def _laplacian(row: int, i: int) -> str:
    around = ((row, i + 1), (row, i - 1), (row + 1, i), (row - 1, i))
    return f"{' + '.join(_u(*place) for place in around)} - four * {_u(row, i)}"


def _u(row: int, i: int) -> str:
    return f"u[0, j + {row}, i + {i}]".replace("+ -", "- ")

"""Column solvers by hand: strips of lanes with scratch on the stack; the next strip is fetched meanwhile."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from backends.writer import Writer
from benchmarks.numba_kernels.decorators import compiled
from benchmarks.numba_kernels.intrinsics import LINE, fence, prefetch_to_l2, shift, stack_array, stream_row
from tests.catalogue import DTypeLike

LEVELS: Final = 80
"""At most, since scratch is on the stack."""


@dataclass(frozen=True, slots=True)
class Solver:
    """What is done for a lane l: at the first, inner and last level upwards, and at all others downwards.

    Downwards *value* is computed from what `x` had at the level above; *result* goes into *target*.
    """

    fields: tuple[str, ...]
    scalars: tuple[str, ...]
    target: str
    first: tuple[str, ...]
    inner: tuple[str, ...]
    last: tuple[str, ...]
    value: str
    result: str


TRIDIAGONAL: Final = Solver(
    fields=("inf", "diag", "sup", "rhs", "out"),
    scalars=(),
    target="out",
    first=("m = one / diag[k, 0, l]", "c[k, l] = sup[k, 0, l] * m", "d[k, l] = rhs[k, 0, l] * m"),
    inner=(
        "m = one / (diag[k, 0, l] - inf[k, 0, l] * c[k - 1, l])",
        "c[k, l] = sup[k, 0, l] * m",
        "d[k, l] = (rhs[k, 0, l] - inf[k, 0, l] * d[k - 1, l]) * m",
    ),
    last=(
        "m = one / (diag[k, 0, l] - inf[k, 0, l] * c[k - 1, l])",
        "x[l] = (rhs[k, 0, l] - inf[k, 0, l] * d[k - 1, l]) * m",
    ),
    value="d[k, l] - c[k, l] * x[l]",
    result="x[l]",
)

_ABOVE: Final = ("above = quarter * (w[k + 1, 0, l + 1] + w[k + 1, 0, l]) * half",)
_DCOL: Final = "dtr * pos[k, 0, l] + utens[k, 0, l] + stage[k, 0, l]"
_BELOW: Final = "- below * (u[k - 1, 0, l] - u[k, 0, l])"

VADV: Final = Solver(
    fields=("stage", "u", "w", "pos", "utens"),
    scalars=("dtr",),
    target="stage",
    first=(
        *_ABOVE,
        f"right = {_DCOL} - above * (u[k + 1, 0, l] - u[k, 0, l])",
        "m = one / (dtr - above)",
        "c[k, l] = above * m",
        "d[k, l] = right * m",
        "g[l] = above",
    ),
    inner=(
        "below = -g[l]",
        *_ABOVE,
        f"right = {_DCOL} + ({_BELOW} - above * (u[k + 1, 0, l] - u[k, 0, l]))",
        "m = one / (dtr - below - above - c[k - 1, l] * below)",
        "c[k, l] = above * m",
        "d[k, l] = (right - d[k - 1, l] * below) * m",
        "g[l] = above",
    ),
    last=(
        "below = -g[l]",
        f"right = {_DCOL} {_BELOW}",
        "m = one / (dtr - below - c[k - 1, l] * below)",
        "x[l] = (right - d[k - 1, l] * below) * m",
    ),
    value="d[k, l] - c[k, l] * x[l]",
    result="dtr * (x[l] - pos[k, 0, l])",
)


def hand_columns(
    solver: Solver, dtype: DTypeLike, lanes: int, *, fetches: bool, streams: bool
) -> tuple[Any, Any]:
    """Serial and parallel function of fields, scalars, nj and ni; arrays ``a[k, j, i]`` without halo."""
    w = Writer()
    _strip(w, solver, dtype, fetches, streams, lanes)
    _drivers(w, solver, lanes, streams)
    names: Mapping[str, Any] = {
        "one": dtype(1),
        "half": dtype(0.5),
        "quarter": dtype(0.25),
        "new_scratch": stack_array((LEVELS, lanes), dtype),
        "new_row": stack_array((lanes,), dtype),
        "shift": shift,
        "prefetch": prefetch_to_l2,
        "stream_row": stream_row,
        "fence": fence,
    }
    run, run_parallel = compiled(w.text, names, "run", "run_parallel")
    return run, run_parallel


def _strip(w: Writer, solver: Solver, dtype: DTypeLike, fetches: bool, streams: bool, lanes: int) -> None:
    read = solver.fields if solver.target == solver.fields[0] else solver.fields[:-1]
    early, late = (read[: (len(read) + 1) // 2], read[(len(read) + 1) // 2 :]) if fetches else ((), ())
    per_line = LINE // np.dtype(dtype).itemsize
    with w.block(f"@serial\ndef strip({', '.join(solver.fields + solver.scalars)}, n, next_j, next_i):"):
        w.line(f"nk = {solver.fields[0]}.shape[0]")
        w.line("c = new_scratch(); d = new_scratch(); x = new_row(); g = new_row(); row = new_row()")
        w.line(f"if n < 1 or n > {lanes} or nk < 2 or nk > {LEVELS}: return")
        w.line("k = 0")
        _lanes(w, solver.first)
        with w.block("for k in range(1, nk - 1):"):
            _fetch(w, early, per_line)
            _lanes(w, solver.inner)
        w.line("k = nk - 1")
        _lanes(
            w,
            (
                *solver.last,
                f"row[l] = {solver.result}" if streams else f"{solver.target}[k, 0, l] = {solver.result}",
            ),
        )
        if streams:
            w.line(f"stream_row({solver.target}, k, 0, 0, row, n)")
        with w.block("for k in range(nk - 2, -1, -1):"):
            _fetch(w, late, per_line)
            target = "row[l]" if streams else f"{solver.target}[k, 0, l]"
            _lanes(w, (f"x[l] = {solver.value}", f"{target} = {solver.result}"))
            if streams:
                w.line(f"stream_row({solver.target}, k, 0, 0, row, n)")


def _lanes(w: Writer, statements: Sequence[str]) -> None:
    with w.block("for l in range(n):"):
        for statement in statements:
            w.line(statement)


def _fetch(w: Writer, fields: Sequence[str], per_line: int) -> None:
    if fields:
        with w.block(f"for l in range(0, n, {per_line}):"):
            w.line("; ".join(f"prefetch({field}, k, next_j, next_i + l)" for field in fields))


def _drivers(w: Writer, solver: Solver, lanes: int, streams: bool) -> None:
    given = ", ".join(solver.fields + solver.scalars)
    moved = ", ".join((*(f"shift({field}, 0, j, i)" for field in solver.fields), *solver.scalars))
    with w.block(f"@serial\ndef row_of_strips({given}, j, ni):"):
        w.line(f"if ni > {1 << 30} or ni < 1: return")
        with w.block(f"for i in range(0, ni, {lanes}):"):
            w.line(f"next_j = 0; next_i = {lanes}")
            w.line(f"if i + {lanes} >= ni: next_j = 1; next_i = -i")
            # A constant number of lanes makes better code.
            with w.block(f"if ni - i >= {lanes}:"):
                w.line(f"strip({moved}, {lanes}, next_j, next_i)")
            with w.block("else:"):
                w.line(f"strip({moved}, ni - i, next_j, next_i)")
        if streams:
            w.line("fence()")
    for name, decorator, rows in (("run", "serial", "range"), ("run_parallel", "parallel", "prange")):
        with w.block(f"@{decorator}\ndef {name}({given}, nj, ni):"), w.block(f"for j in {rows}(nj):"):
            w.line(f"row_of_strips({given}, j, ni)")

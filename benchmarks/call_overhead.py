"""What a call costs beside the kernel: three fields on a domain of a few points."""

from typing import Any

import numba
import numpy as np

from benchmarks.report import Cell, Section
from benchmarks.timing import per_call
from stencil import PARALLEL, Field, computation, interval, stencil


def axpy(x: Field[np.float64], y: Field[np.float64], out: Field[np.float64]) -> None:
    with computation(PARALLEL), interval(...):
        out = 2.0 * x + y


def measure_call_overhead(repeats: int) -> Section:
    x, y, out = (np.zeros((4, 4, 4), order="F") for _ in range(3))
    domain, origin = (4, 4, 4), (0, 0, 0)
    f = stencil(backend="numba", parallel=False)(axpy)
    frozen = f.freeze(domain=domain, origin=origin)
    by_hand = _by_hand()
    seconds = per_call(
        {
            "inferred": lambda: f(x, y, out),
            "given": lambda: f(x, y, out, domain=domain, origin=origin),
            "frozen": lambda: frozen(x, y, out),
            "numba": lambda: by_hand(x, y, out),
        },
        repeats,
    )
    microseconds = {name: value * 1e6 for name, value in seconds.items()}
    dispatch = microseconds["numba"]

    def cell(what: str, value: float, target: str = "", *, is_met: bool | None = None) -> Cell:
        return Cell("three fields", what, value, "us", "numba's own dispatch", dispatch, target, is_met)

    return Section(
        "Call overhead on 4x4x4",
        (
            cell(
                "all checks, domain inferred",
                microseconds["inferred"],
                "at most 5 us",
                is_met=microseconds["inferred"] <= 5.0,
            ),
            cell(
                "all checks, domain given",
                microseconds["given"],
                "at most 5 us",
                is_met=microseconds["given"] <= 5.0,
            ),
            cell(
                "frozen",
                microseconds["frozen"],
                "at most 1 us more",
                is_met=microseconds["frozen"] <= dispatch + 1.0,
            ),
        ),
    )


def _by_hand() -> Any:
    def kernel(x: Any, y: Any, out: Any) -> None:
        for k in range(4):
            for j in range(4):
                for i in range(4):
                    out[i, j, k] = 2.0 * x[i, j, k] + y[i, j, k]

    return numba.njit(kernel)

"""What a call costs beside the kernel: three fields on a domain of a few points."""

from collections.abc import Callable, Mapping
from typing import Any

import numba
import numpy as np

from benchmarks.report import Cell, Section
from benchmarks.timing import per_call
from stencil import PARALLEL, Field, computation, interval, stencil, zeros


def axpy(x: Field[np.float64], y: Field[np.float64], out: Field[np.float64]) -> None:
    with computation(PARALLEL), interval(...):
        out = 2.0 * x + y


def scaled(x: Field[np.float64], y: Field[np.float64], out: Field[np.float64], a: float) -> None:
    with computation(PARALLEL), interval(...):
        out = a * x + y


def measure_call_overhead(repeats: int) -> Section:
    seconds = per_call(_calls(), repeats)
    microseconds = {name: value * 1e6 for name, value in seconds.items()}
    dispatch = microseconds["numba"]

    def cell(what: str, name: str, target: str = "", limit: float | None = None) -> Cell:
        measured = microseconds[name]
        is_met = None if limit is None else measured <= limit
        return Cell("three fields", what, measured, "us", "numba's own dispatch", dispatch, target, is_met)

    return Section(
        "Call overhead on 4x4x4",
        (
            cell("all checks, domain inferred", "inferred", "at most 5 us", 5.0),
            cell("all checks, domain given", "given", "at most 5 us", 5.0),
            cell("frozen", "frozen", "at most 1 us more", dispatch + 1.0),
            cell("frozen, parts of large arrays", "large", "at most 1 us more", dispatch + 1.0),
            cell("frozen, one scalar more", "scalar"),
        ),
    )


def _calls() -> Mapping[str, Callable[[], object]]:
    x, y, out = (np.zeros((4, 4, 4), order="F") for _ in range(3))
    # Their sizes and strides are numbers that Python does not keep ready.
    large = tuple(zeros((300, 300, 60)) for _ in range(3))
    domain, origin = (4, 4, 4), (0, 0, 0)
    f = stencil(backend="numba", parallel=False)(axpy)
    g = stencil(backend="numba", parallel=False)(scaled).freeze(domain=domain, origin=origin)
    frozen, of_large = (f.freeze(domain=domain, origin=origin) for _ in range(2))
    by_hand = _by_hand()
    return {
        "inferred": lambda: f(x, y, out),
        "given": lambda: f(x, y, out, domain=domain, origin=origin),
        "frozen": lambda: frozen(x, y, out),
        "large": lambda: of_large(*large),
        "scalar": lambda: g(x, y, out, 2.0),
        "numba": lambda: by_hand(x, y, out),
    }


def _by_hand() -> Any:
    def kernel(x: Any, y: Any, out: Any) -> None:
        for k in range(4):
            for j in range(4):
                for i in range(4):
                    out[i, j, k] = 2.0 * x[i, j, k] + y[i, j, k]

    return numba.njit(kernel)

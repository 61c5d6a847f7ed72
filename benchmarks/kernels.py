"""Catalogue kernels against NumPy, on one core and on all."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from benchmarks.numpy_kernels import NUMPY_KERNELS
from benchmarks.report import Cell, Section
from benchmarks.timing import medians
from stencil import stencil
from tests.catalogue import CATALOGUE, Domain, DTypeLike

FASTER_THAN_NUMPY: Final[Mapping[str, float]] = {"hdiff": 10.0, "vadv": 4.0}
"""What is asked for at 128x128x80 in float64 on one core."""


def measure_kernels(
    names: Sequence[str], domain: Domain, dtypes: Sequence[DTypeLike], repeats: int
) -> Section:
    cells = [cell for dtype in dtypes for name in names for cell in _kernel(name, domain, dtype, repeats)]
    return Section(f"Kernels against NumPy, {'x'.join(map(str, domain))}, Fortran order", tuple(cells))


def _kernel(name: str, domain: Domain, dtype: DTypeLike, repeats: int) -> tuple[Cell, ...]:
    entry = CATALOGUE[name]
    arguments = entry.arguments(domain, dtype)
    start = {key: value.copy(order="F") for key, value in arguments.items() if isinstance(value, np.ndarray)}

    def restore() -> None:
        for key, value in start.items():
            arguments[key][...] = value

    definition = entry.define(dtype)
    candidates = {
        "numpy": lambda: NUMPY_KERNELS[name](**arguments),
        "one core": _prepared(definition, arguments, parallel=False),
        "all cores": _prepared(definition, arguments, parallel=True),
    }
    seconds = medians(candidates, repeats, restore=restore)
    case = f"{name} {np.dtype(dtype).name}"
    return tuple(
        _cell(case, what, seconds, FASTER_THAN_NUMPY.get(name) if _has_target(what, domain, dtype) else None)
        for what in ("one core", "all cores")
    )


def _prepared(definition: Any, arguments: Mapping[str, Any], *, parallel: bool) -> Any:
    call = stencil(backend="numba", parallel=parallel)(definition)
    return lambda: call(**arguments)


def _has_target(what: str, domain: Domain, dtype: DTypeLike) -> bool:
    return what == "one core" and domain == (128, 128, 80) and dtype is np.float64


def _cell(case: str, what: str, seconds: Mapping[str, float], factor: float | None) -> Cell:
    ours, numpy = seconds[what] * 1e3, seconds["numpy"] * 1e3
    if factor is None:
        return Cell(case, what, ours, "ms", "NumPy", numpy)
    return Cell(case, what, ours, "ms", "NumPy", numpy, f"{factor:g}x faster", numpy >= factor * ours)

"""What our own steps cost as stencils grow: the time per statement must not."""

import importlib.util
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from benchmarks.report import Cell, Section
from stencil import stencil

FIELDS: Final = 4
HEAD: Final = f"""
import numpy as np
from stencil import PARALLEL, Field, computation, interval, max, min

F = Field[np.float64]

def large({", ".join(f"u{n}: F, out{n}: F" for n in range(FIELDS))}, coeff: F):
    with computation(PARALLEL), interval(...):
"""
BLOCK: Final = """
        along_{n} = {u}[1, 0, 0] + {u}[-1, 0, 0] - 2.0 * {u}
        across_{n} = {u}[0, 1, 0] + {u}[0, -1, 0] - 2.0 * {u}
        lap_{n} = along_{n} + across_{n}
        flux_x_{n} = lap_{n}[1, 0, 0] - lap_{n}
        flux_x_{n} = 0.0 if flux_x_{n} * ({u}[1, 0, 0] - {u}) > 0.0 else flux_x_{n}
        flux_y_{n} = lap_{n}[0, 1, 0] - lap_{n}
        flux_y_{n} = 0.0 if flux_y_{n} * ({u}[0, 1, 0] - {u}) > 0.0 else flux_y_{n}
        change_{n} = flux_x_{n} - flux_x_{n}[-1, 0, 0] + flux_y_{n} - flux_y_{n}[0, -1, 0]
        change_{n} = min(max(change_{n}, -1.0), 1.0)
        {out} = {out} - coeff * change_{n}
"""
STATEMENTS: Final = 10
"""In a block."""
GROWTH: Final = 2.0

STEPS: Final[Mapping[str, Callable[[Any], object]]] = {
    "front end": lambda f: f.iir,
    "passes": lambda f: f.optimized,
    "schedule": lambda f: f.scheduled,
    "source": lambda f: f.source,
}


def measure_scaling(sizes: Sequence[int], repeats: int) -> Section:
    """Each step for each number of statements; the number before is the yardstick."""
    with tempfile.TemporaryDirectory() as folder:
        found = {size: _milliseconds(size, repeats, Path(folder)) for size in sizes}
    cells = []
    for before, size in zip((None, *sizes), sizes, strict=False):
        for step in (*STEPS, "all"):
            yardstick = None if before is None else found[before][step]
            target, is_met = "", None
            if step == "all" and yardstick is not None:
                target, is_met = f"at most {GROWTH:g} x", found[size][step] <= GROWTH * yardstick
            case = f"{size} statements"
            name = "" if before is None else f"{before} statements"
            cells.append(
                Cell(case, f"{step}, per statement", found[size][step], "ms", name, yardstick, target, is_met)
            )
    return Section("Our own steps as stencils grow", tuple(cells))


def _milliseconds(statements: int, repeats: int, folder: Path) -> Mapping[str, float]:
    """For each statement, in the fastest of *repeats* compilations."""
    definition = _definition(statements, folder)
    least = dict.fromkeys((*STEPS, "all"), float("inf"))
    for _ in range(repeats):
        seconds = _seconds(definition)
        seconds["all"] = sum(seconds.values())
        least = {step: min(least[step], 1e3 * seconds[step] / statements) for step in least}
    return least


def _seconds(definition: Any) -> dict[str, float]:
    seconds = {}
    start = time.perf_counter()
    f = stencil(backend="numba", parallel=False)(definition)
    for step, product in STEPS.items():
        product(f)
        end = time.perf_counter()
        seconds[step], start = end - start, end
    return seconds


def _definition(statements: int, folder: Path) -> Any:
    """A function in a file of its own, which has to stay as long as the function is compiled."""
    blocks = (
        BLOCK.format(n=n, u=f"u{n % FIELDS}", out=f"out{n % FIELDS}") for n in range(statements // STATEMENTS)
    )
    path = folder / f"large_stencil_{statements}.py"
    path.write_text(HEAD + "".join(blocks))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module.large

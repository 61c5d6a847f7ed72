"""From nothing to the first result: in a fresh process, with an empty and with a full cache."""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from benchmarks.report import Cell, Section
from stencil import stencil
from tests.catalogue import CATALOGUE

FIRST_CALL: Final = """
import time
start = time.perf_counter()
import numpy as np
from tests.catalogue import CATALOGUE
from stencil import stencil
entry = CATALOGUE[{name!r}]
arguments = entry.arguments({domain}, np.float64)
stencil(backend="numba")(entry.define(np.float64))(**arguments)
print(time.perf_counter() - start)
"""

SMALL: Final = (8, 8, 8)
LARGE: Final = (64, 64, 64)
"""Threads share calls on it, if there are several."""

EMPTY: Final = """
import numba

@numba.njit(cache=True)
def empty():
    pass
"""

EMPTY_CALL: Final = """
import time
start = time.perf_counter()
import numpy as np
from empty_function import empty
empty()
print(time.perf_counter() - start)
"""

IMPORT: Final = """
import time
import numpy
start = time.perf_counter()
import stencil
print(time.perf_counter() - start)
"""


def measure_compile_time(names: Sequence[str], repeats: int) -> Section:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "empty_function.py").write_text(EMPTY)
        cells = [cell for name in names for cell in _first_calls(name, Path(folder), repeats)]
        cells.append(_import_time(Path(folder), repeats))
        cells += [_passes(name, repeats) for name in names]
    return Section("Compile time", tuple(cells))


def _first_calls(name: str, folder: Path, repeats: int) -> tuple[Cell, Cell, Cell]:
    script = FIRST_CALL.format(name=name, domain=SMALL)
    _run(script, folder, cache="byte-code")
    cold = _cold(script, folder, f"{name}-cold", repeats)
    shared = _cold(FIRST_CALL.format(name=name, domain=LARGE), folder, f"{name}-shared", repeats)
    _run(EMPTY_CALL, folder, cache="empty")
    turns = [
        (_run(script, folder, cache=f"{name}-cold-0"), _run(EMPTY_CALL, folder, cache="empty"))
        for _ in range(repeats)
    ]
    # The least: whatever else the machine does only adds to it.
    warm, empty = np.min(turns, axis=0).tolist()
    return (
        Cell(name, "cold first call, with Numba's import", cold, "s", "", None, "at most 3 s", cold <= 3.0),
        Cell(name, "the same, shared by threads", shared, "s", "", None, "at most 3 s", shared <= 3.0),
        Cell(
            name,
            "warm first call, another process",
            warm,
            "s",
            "empty cached Numba function",
            empty,
            "at most 1.5 times",
            warm <= 1.5 * empty,
        ),
    )


def _cold(script: str, folder: Path, cache: str, repeats: int) -> float:
    return min(_run(script, folder, cache=f"{cache}-{n}") for n in range(max(1, repeats // 2)))


def _import_time(folder: Path, repeats: int) -> Cell:
    milliseconds = 1e3 * min(_run(IMPORT, folder, cache="import") for _ in range(repeats))
    return Cell(
        "import stencil",
        "after import numpy",
        milliseconds,
        "ms",
        target="at most 100 ms",
        is_met=milliseconds <= 100.0,
    )


def _passes(name: str, repeats: int) -> Cell:
    """Front end to source, without what Numba does with it."""
    times = []
    for _ in range(repeats + 1):
        definition = CATALOGUE[name].define(np.float64)
        start = time.perf_counter()
        _ = stencil(backend="numba", parallel=False)(definition).source
        times.append(time.perf_counter() - start)
    milliseconds = 1e3 * min(times[1:])
    return Cell(
        name,
        "our own steps: function to source",
        milliseconds,
        "ms",
        target="at most 50 ms",
        is_met=milliseconds <= 50.0,
    )


def _run(script: str, folder: Path, cache: str) -> float:
    """Seconds that the script prints, in a process of its own."""
    cache_folder = str(folder / cache)
    # Packages that are installed have their byte code, as Numba here has.
    environment = {
        **{name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"},
        "PYTHONPATH": os.pathsep.join((os.getcwd(), str(folder))),
        "STENCIL_CACHE_DIR": cache_folder,
        "NUMBA_CACHE_DIR": cache_folder,
    }
    result = subprocess.run(
        (sys.executable, "-c", script), capture_output=True, text=True, check=True, env=environment
    )
    return float(json.loads(result.stdout))

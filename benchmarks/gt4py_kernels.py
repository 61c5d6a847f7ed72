"""Stencils of the catalogue in GT4Py, on each of its CPU back ends that works here."""

import importlib.util
import os
import warnings
from collections.abc import Callable, Iterator
from contextlib import chdir
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from benchmarks.cases import Arguments, Case, traffic

BACKENDS: Final = ("gt:cpu_ifirst", "gt:cpu_kfirst", "dace:cpu")
KERNELS: Final = ("hdiff", "vadv", "tridiagonal", "jacobi7")
BUILD: Final = Path(".benchmarks/gt4py")
FLAGS: Final = "-march=native -ffast-math -std=c++20"
"""Its DaCe back end needs C++20."""


def gt4py_calls(case: Case) -> Iterator[tuple[str, Callable[[], object], Arguments]]:
    """On storages of GT4Py's own, without its checks of each call."""
    if case.kernel not in KERNELS or importlib.util.find_spec("gt4py") is None:
        return
    BUILD.mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("GT4PY_EXTRA_COMPILE_ARGS", FLAGS)
    os.environ.setdefault("GT_CACHE_ROOT", str(BUILD.absolute()))
    for backend in BACKENDS:
        try:
            # What builds its extensions would take a project in the current folder for its own.
            with chdir(BUILD):
                found = _compiled(case, backend)
        except (Exception, SystemExit) as error:  # GT4Py raises whatever its tools raise
            warnings.warn(f"GT4Py's {backend} does not work here: {type(error).__name__}", stacklevel=2)
            continue
        yield backend, *found


def _compiled(case: Case, backend: str) -> tuple[Callable[[], object], Arguments]:
    from gt4py import storage
    from gt4py.cartesian import gtscript

    from benchmarks import gt4py_definitions

    definition = getattr(gt4py_definitions, case.kernel)
    compiled = gtscript.stencil(backend=backend, definition=definition, dtypes={"T": case.dtype})
    i, j, k = (low for low, _ in case.entry.halo)
    values: dict[str, Any] = {
        name: storage.from_array(value, case.dtype, backend=backend, aligned_index=(i, j, k))
        if isinstance(value, np.ndarray)
        else value
        for name, value in case.entry.arguments(case.domain, case.dtype).items()
    }
    initial = {name: values[name].copy() for name in traffic(case).in_place}
    call = partial(compiled, **values, domain=case.domain, origin=(i, j, k), validate_args=False)
    call()
    return call, Arguments(values, (i, j, k), initial)

"""Stencils of the catalogue in GT4Py, on each of its CPU back ends that works here."""

import importlib.util
import os
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final

import numpy as np

from benchmarks.cases import Arguments, Case, traffic

BACKENDS: Final = ("gt:cpu_ifirst", "gt:cpu_kfirst", "dace:cpu")
KERNELS: Final = ("hdiff", "vadv", "tridiagonal", "jacobi7")
ENVIRONMENT: Final = {
    # Its DaCe back end needs C++20.
    "GT4PY_EXTRA_COMPILE_ARGS": "-march=native -ffast-math -std=c++20",
    "GT_CACHE_ROOT": ".benchmarks/gt4py",
}


def gt4py_calls(case: Case) -> Iterator[tuple[str, Callable[[], object], Arguments]]:
    """On storages of GT4Py's own, without its checks of each call."""
    if case.kernel not in KERNELS or importlib.util.find_spec("gt4py") is None:
        return
    for name, value in ENVIRONMENT.items():
        os.environ.setdefault(name, value)
    for backend in BACKENDS:
        try:
            found = _compiled(case, backend)
        except Exception as error:  # a back end that cannot be built here: GT4Py raises what its tools raise
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

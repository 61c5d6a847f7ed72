"""Loops that call functions without branches; as a program it prints their machine code and their results.

The processor is the one that Numba's environment variables name.
"""

import hashlib
import json
import sys
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from numba import njit

from backends.numba_cpu.runtime import vector_math
from backends.vector_math.arithmetic import Function
from backends.vector_math.functions import FUNCTIONS
from backends.vector_math.power import power

VERSIONS: Final[Mapping[str, Function]] = {
    **{function.value: version for function, version in FUNCTIONS.items()},
    "power": power,
}
TWO_NUMBERS: Final = frozenset({"power"})


@cache
def loop(name: str, *fastmath: str) -> Callable[..., Any]:
    """A compiled loop over arrays: arguments, then results."""
    function = getattr(vector_math, name)
    decorate = njit(error_model="numpy", fastmath=set(fastmath) or False)
    if name in TWO_NUMBERS:

        @decorate
        def two(x: Any, y: Any, out: Any) -> None:
            for i in range(out.size):
                out[i] = function(x[i], y[i])

        return two

    @decorate
    def one(x: Any, out: Any) -> None:
        for i in range(out.size):
            out[i] = function(x[i])

    return one


def arguments(name: str, dtype: npt.DTypeLike, count: int) -> tuple[npt.NDArray[Any], ...]:
    """All kinds of numbers, most of them with finite results."""
    random = np.random.default_rng(3)
    special = [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, np.finfo(dtype).smallest_subnormal, -2.0, 7.5]
    columns = []
    for _ in range(1 + (name in TWO_NUMBERS)):
        size = 2.0 ** random.uniform(-12, 12, count)
        column = np.where(random.random(count) < 0.2, -size, size)
        chosen = random.random(count) < 0.1
        column[chosen] = random.choice(special, int(chosen.sum()))
        columns.append(column.astype(dtype))
    return tuple(columns)


def _report() -> dict[str, tuple[str, str]]:
    found = {}
    for name in VERSIONS:
        for dtype in ("float64", "float32"):
            given = arguments(name, dtype, 5000)
            out = np.empty_like(given[0])
            loop(name)(*given, out)
            signature = loop(name).signatures[-1]
            digest = hashlib.sha256(np.where(np.isnan(out), np.abs(out.dtype.type(np.nan)), out).tobytes())
            found[f"{name} {dtype}"] = loop(name).inspect_asm(signature), digest.hexdigest()
    return found


if __name__ == "__main__":
    json.dump(_report(), sys.stdout)

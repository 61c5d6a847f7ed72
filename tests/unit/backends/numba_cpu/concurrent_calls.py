"""As a program: calls stencils from many threads or processes at once, and prints how many were right."""

import multiprocessing
import sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from typing import Any, Final

import numpy as np

from stencil import stencil
from stencil.stencil_object import StencilObject
from tests.catalogue import CATALOGUE, Entry

ENTRIES: Final = (CATALOGUE["hdiff"], CATALOGUE["tridiagonal"])
"""Their temporaries are rows of a level and columns of a row, each of which belongs to one thread."""
CALLERS: Final = 6


def made(entry: Entry, **options: Any) -> StencilObject:
    result: StencilObject = stencil(**options)(entry.define(np.float64))
    return result


def arguments(entry: Entry, caller: int) -> dict[str, Any]:
    """Each caller has values of its own; two have the same domain, and with it the same pool of workspaces.

    Calls last long enough for others to begin meanwhile.
    """
    return entry.arguments((160 + caller // 2, 60, 20), np.float64, seed=caller)


def expected(entry: Entry, caller: int) -> dict[str, Any]:
    """What a call on one thread leaves in the arrays."""
    own = arguments(entry, caller)
    made(entry, backend="numba", parallel=False)(**own)
    return own


def is_right(shared: StencilObject, entry: Entry, caller: int, wanted: dict[str, Any], times: int) -> bool:
    """Whether each of many calls leaves in the arrays what it should."""
    fresh = arguments(entry, caller)
    for _ in range(times):
        own = {name: value.copy(order="K") for name, value in fresh.items()}
        shared(**own)
        if not all(np.array_equal(own[name], wanted[name]) for name in own):
            return False
    return True


def call_from_threads(times: int) -> int:
    """How many callers got what they should; the first calls compile, all at once."""
    right = 0
    for entry in ENTRIES:
        for stack_arrays in (True, False):
            shared = made(entry, backend="numba", parallel=True, stack_arrays=stack_arrays)
            wanted = [expected(entry, caller) for caller in range(CALLERS)]
            with ThreadPoolExecutor(CALLERS) as pool:
                results = [
                    pool.submit(is_right, shared, entry, caller, wanted[caller], times)
                    for caller in range(CALLERS)
                ]
                right += sum(result.result() for result in results)
    return right


def call_from_processes(method: str) -> int:
    """As `call_from_threads` in each process of a pool, after the parent has used its threads."""
    before = call_from_threads(1)
    context = multiprocessing.get_context(method)
    with ProcessPoolExecutor(2, mp_context=context) as pool:
        return before + sum(pool.map(call_from_threads, (3, 3)))


if __name__ == "__main__":
    how = sys.argv[1]
    count = call_from_threads(30) if how == "threads" else call_from_processes(how)
    import numba

    print(numba.threading_layer(), numba.get_num_threads(), count)

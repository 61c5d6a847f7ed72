"""Python's collector of garbage in cycles, which looks through all that Numba registers again and again."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def paused_collector() -> Iterator[None]:
    """Nothing is collected meanwhile: hardly any of what an import or a compilation makes is garbage."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()

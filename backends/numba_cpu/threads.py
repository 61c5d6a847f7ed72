"""The threads that share loops: how many there are, and how they wait for work."""

import os
from functools import cache
from typing import Final

import numba

_CHOICES: Final = ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "KMP_BLOCKTIME")


def thread_count() -> int:
    """The number of threads that share the loops of a call."""
    start_threads()
    count: int = numba.get_num_threads()
    return count


@cache
def start_threads() -> None:
    """Start Numba's threads; they sleep while there is nothing to do, unless the user chose otherwise.

    By itself OpenMP lets threads that wait for each other spin for milliseconds. On processors that
    others use too, a loop of microseconds then takes a thousand times as long; to wake a thread up
    costs some ten microseconds. OpenMP reads its settings once, when it is loaded or first used, so
    that they are not left behind for the processes that this one starts.
    """
    if any(name in os.environ for name in _CHOICES):
        _start()
        return
    os.environ["OMP_WAIT_POLICY"] = "PASSIVE"
    try:
        _start()
    finally:
        del os.environ["OMP_WAIT_POLICY"]


def _start() -> None:
    # Numba starts its threads when their number is first asked for.
    numba.get_num_threads()

"""The threads that share loops: how many there are, how they wait for work, what a fork leaves of them."""

import os
from functools import cache
from threading import Event
from typing import Final

import numba

from iir.diagnostics import BackendError, Diagnostic

_CHOICES: Final = ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "KMP_BLOCKTIME")

# GNU OpenMP ends a process that was forked from one with threads, once it shares a loop itself.
_IS_LOST: Final = Event()


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


def are_lost() -> bool:
    """Whether this is a child of a process with threads that end a child which uses them."""
    return _IS_LOST.is_set()


def _start() -> None:
    # Numba starts its threads when their number is first asked for.
    try:
        numba.get_num_threads()
    except ValueError as error:
        message = "Numba cannot start the threads that share loops."
        hint = "Choose another NUMBA_THREADING_LAYER, or call with parallel=False."
        raise BackendError(Diagnostic(message, "threads", notes=(str(error),), hints=(hint,))) from error
    if numba.threading_layer() == "omp" and hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=_IS_LOST.set)

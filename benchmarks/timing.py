"""Side-by-side timing: candidates take turns, so that a change of clock speed meets all of them."""

import ctypes
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Final, TypeAlias

from benchmarks.candidate import Candidate

WARM_UP: Final = 3
"""Untimed calls before those that are timed: one does not fill the caches, which others have used."""
LONG: Final = 0.3
"""Seconds of untimed calls that are enough, however few these are."""
BURST: Final = 1.5e-3
"""Seconds that the timed calls of one turn take together, unless one takes longer."""
MOST: Final = 8

Samples: TypeAlias = tuple[float, ...]
Clock: TypeAlias = Callable[[], float]


def take_turns(
    candidates: Sequence[Candidate], turns: int, clock: Clock = time.perf_counter
) -> Mapping[Candidate, Samples]:
    """Seconds of calls of each candidate.

    Fields that a candidate changes in place are restored before its turn, which is not timed, so that
    all see the same values.
    """
    seconds: dict[Candidate, Samples] = dict.fromkeys(candidates, ())
    for _ in range(turns):
        for candidate in candidates:
            candidate.restore()
            seconds[candidate] += _turn(candidate.call, clock)
    return seconds


def per_call(
    calls: Mapping[str, Callable[[], object]], repeats: int, burst: int = 100
) -> Mapping[str, float]:
    """Seconds of one call in the fastest burst of calls: for calls that are too short to be timed alone.

    Bursts are short, so that some are not interrupted, and what interrupts the others only adds to them.
    """

    def many(call: Callable[[], object]) -> Callable[[], object]:
        def loop() -> None:
            for _ in range(burst):
                call()

        return loop

    bursts = {name: many(call) for name, call in calls.items()}
    least = {name: _seconds(loop) for name, loop in bursts.items()}
    for _ in range(repeats):
        for name, loop in bursts.items():
            loop()
            least[name] = min(least[name], _seconds(loop))
    return {name: seconds / burst for name, seconds in least.items()}


@contextmanager
def cores(*, parallel: bool) -> Iterator[None]:
    """One core: this thread stays on the last of those that it may use, where the system can do that."""
    if parallel or not hasattr(os, "sched_setaffinity"):
        yield
        return
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(allowed)})
    _one_openmp_thread()
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)


def _one_openmp_thread() -> None:
    """For the back ends of GT4Py; what of ours runs on all cores was measured before."""
    with suppress(OSError):
        ctypes.CDLL("libgomp.so.1").omp_set_num_threads(1)


def _turn(call: Callable[[], object], clock: Clock) -> Samples:
    spent = latest = _seconds(call, clock)
    for _ in range(WARM_UP - 1):
        if spent < LONG:
            latest = _seconds(call, clock)
            spent += latest
    return tuple(_seconds(call, clock) for _ in range(max(1, min(MOST, round(BURST / latest)))))


def _seconds(call: Callable[[], object], clock: Clock = time.perf_counter) -> float:
    start = clock()
    call()
    return clock() - start

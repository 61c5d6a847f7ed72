"""Side-by-side timing: candidates take turns, so that a change of clock speed meets all of them."""

import time
from collections.abc import Callable, Mapping
from typing import TypeAlias

import numpy as np

Candidate: TypeAlias = Callable[[], object]


def medians(
    candidates: Mapping[str, Candidate], repeats: int, *, restore: Candidate | None = None
) -> Mapping[str, float]:
    """Median seconds of each candidate."""
    return {name: float(np.median(times)) for name, times in _seconds(candidates, repeats, restore).items()}


def per_call(candidates: Mapping[str, Candidate], repeats: int, calls: int = 100) -> Mapping[str, float]:
    """Seconds of one call in the fastest burst of calls: for calls that are too short to be timed alone.

    Bursts are short, so that some are not interrupted, and what interrupts the others only adds to them.
    """

    def many(call: Candidate) -> Candidate:
        def loop() -> None:
            for _ in range(calls):
                call()

        return loop

    bursts = _seconds({name: many(call) for name, call in candidates.items()}, repeats, None)
    return {name: min(times) / calls for name, times in bursts.items()}


def _seconds(
    candidates: Mapping[str, Candidate], repeats: int, restore: Candidate | None
) -> Mapping[str, list[float]]:
    """Seconds of each call; three untimed calls first, and one before each timed one."""
    for call in candidates.values():
        for _ in range(3):
            call()
    seconds: dict[str, list[float]] = {name: [] for name in candidates}
    for _ in range(repeats):
        for name, call in candidates.items():
            if restore is not None:
                restore()
            call()
            start = time.perf_counter()
            call()
            seconds[name].append(time.perf_counter() - start)
    return seconds

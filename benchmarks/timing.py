"""Side-by-side timing: candidates take turns, so that a change of clock speed meets all of them."""

import time
from collections.abc import Callable, Mapping
from typing import TypeAlias

import numpy as np

Candidate: TypeAlias = Callable[[], object]


def medians(
    candidates: Mapping[str, Candidate], repeats: int, *, restore: Candidate | None = None
) -> Mapping[str, float]:
    """Median seconds of each candidate; three untimed calls first, and one before each timed one."""
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
    return {name: float(np.median(times)) for name, times in seconds.items()}


def per_call(candidates: Mapping[str, Candidate], repeats: int, calls: int = 1000) -> Mapping[str, float]:
    """Median seconds of one call out of many in a row: for calls that are too short to be timed alone."""

    def many(call: Candidate) -> Candidate:
        def loop() -> None:
            for _ in range(calls):
                call()

        return loop

    totals = medians({name: many(call) for name, call in candidates.items()}, repeats)
    return {name: total / calls for name, total in totals.items()}

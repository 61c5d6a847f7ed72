"""Which kernels run a call fastest: measured on copies of its arguments, once for each kind of call."""

import platform
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import median
from threading import Lock
from time import perf_counter
from typing import Final, TypeAlias

import numpy as np

from backends.base import Array, CallShape, FieldLayout, Number, Runner
from backends.loopnest.layout import Layout
from iir.analyses.accesses import accesses
from iir.nodes import FieldDecl, Stencil

ENOUGH_SECONDS: Final = 0.2
"""What the rounds of one measurement may take; the first two are made in any case."""
MOST_ROUNDS: Final = 25
NOISE: Final = 0.03
"""The share of the time by which another candidate than the usual one has to be faster."""

_PAGE: Final = 4096
_CPU_FACTS: Final = Path("/proc/cpuinfo")


@dataclass(frozen=True, slots=True)
class Candidate:
    """Kernels for *layout* whose loops at most *threads* threads share."""

    layout: Layout
    threads: int

    def __str__(self) -> str:
        ways = {"prefetching": self.layout.prefetches, "streaming": self.layout.streams}
        text = " and ".join(way for way, is_used in ways.items() if is_used) or "plain"
        text += f" in strips of {self.layout.strip}" if self.layout.strip else ""
        text += f" in blocks of {self.layout.block} rows" if self.layout.block else ""
        return text if self.threads == 1 else f"{text} on {self.threads} threads"


@dataclass(frozen=True, slots=True)
class Tuning:
    """The *seconds* that calls on *domain* took, none if there was but one candidate, and what is used."""

    domain: tuple[int, int, int]
    seconds: Mapping[Candidate, float]
    chosen: Candidate

    def __str__(self) -> str:
        size = "x".join(map(str, self.domain))
        times = ", ".join(f"{item} {1e3 * seconds:.3g} ms" for item, seconds in self.seconds.items())
        return f"Calls on {size} took: {times}; {self.chosen} is used."


Measure: TypeAlias = Callable[[Sequence[Candidate]], Sequence[float]]


def tune(
    domain: tuple[int, int, int],
    by_threads: Sequence[Candidate],
    variants: Callable[[Candidate], Sequence[Candidate]],
    measure: Measure,
) -> Tuning:
    """The fastest number of threads, then the fastest of its *variants*: each candidate is compiled, which
    takes longer than to measure it. The usual candidate is the first each time."""
    seconds: dict[Candidate, float] = {}

    def best(candidates: Sequence[Candidate]) -> Candidate:
        if len(candidates) == 1:
            return candidates[0]
        found = dict(zip(candidates, measure(candidates), strict=True))
        seconds.update({item: min(taken, seconds.get(item, taken)) for item, taken in found.items()})
        return fastest(found)

    chosen = best(variants(best(by_threads)))
    return Tuning(domain, seconds, chosen)


def fastest(seconds: Mapping[Candidate, float]) -> Candidate:
    """The candidate that took least; the first, if the difference may be noise."""
    usual, best = next(iter(seconds)), min(seconds, key=lambda item: seconds[item])
    return best if seconds[best] < (1.0 - NOISE) * seconds[usual] else usual


def median_seconds(runs: Sequence[Callable[[], None]], reset: Callable[[], None]) -> tuple[float, ...]:
    """What each of *runs* takes, in turn with the others; *reset* comes before each and does not count."""
    _round(runs, reset)
    began = perf_counter()
    rounds = [_round(runs, reset)]
    more = int(ENOUGH_SECONDS / max(perf_counter() - began, 1e-9))
    rounds += [_round(runs, reset) for _ in range(min(more, MOST_ROUNDS) - 1)]
    return tuple(map(median, zip(*rounds, strict=True)))


def _round(runs: Sequence[Callable[[], None]], reset: Callable[[], None]) -> list[float]:
    taken = []
    for run in runs:
        reset()
        began = perf_counter()
        run()
        taken.append(perf_counter() - began)
    return taken


class Copies:
    """Arrays to measure on, with the content of *arrays*: each measured call is the user's own."""

    def __init__(self, ir: Stencil, arrays: Sequence[Array]) -> None:
        found = accesses(ir)
        changed = {item.name for item in found if item.is_store} & {
            item.name for item in found if not item.is_store
        }
        names = [item.name for item in ir.parameters if isinstance(item, FieldDecl)]
        self.arrays = tuple(map(_copied, arrays))
        every = list(zip(names, self.arrays, arrays, strict=True))
        self._changed = [(copy, array) for name, copy, array in every if name in changed]

    def reset(self) -> None:
        """Let fields that a call reads and writes hold what they held before."""
        for copy, array in self._changed:
            np.copyto(copy, array)


def _copied(array: Array) -> Array:
    """A copy with the same strides, which begins at the same place of a page."""
    ends = [(length - 1) * stride for length, stride in zip(array.shape, array.strides, strict=True)]
    below, above = sum(min(0, end) for end in ends), sum(max(0, end) for end in ends)
    buffer = np.empty(above - below + array.itemsize + _PAGE, np.uint8)
    address = int(array.__array_interface__["data"][0])
    offset = (address + below - buffer.ctypes.data) % _PAGE - below
    copy: Array = np.ndarray(array.shape, array.dtype, buffer, offset, array.strides)
    np.copyto(copy, array)
    return copy


class FirstCall:
    """A runner that *search* may replace, given the arguments of the first call; if it gives none, of the
    next. Other threads wait meanwhile."""

    def __init__(
        self, usual: Runner, search: Callable[[Sequence[Array], Sequence[Number]], Runner | None]
    ) -> None:
        self._runner = usual
        self._search = search
        self._is_open = True
        self._lock = Lock()

    def __call__(self, arrays: Sequence[Array], scalars: Sequence[Number]) -> None:
        if self._is_open:
            with self._lock:
                self._find(arrays, scalars)
        self._runner(arrays, scalars)

    def _find(self, arrays: Sequence[Array], scalars: Sequence[Number]) -> None:
        if self._is_open and (found := self._search(arrays, scalars)) is not None:
            self._runner, self._is_open = found, False


def kind_of_call(shape: CallShape, thread_counts: Sequence[int]) -> str:
    """What the choice depends on: domain, strides, how many threads there may be, the processor."""
    strides = ", ".join(map(_steps, shape.fields))
    counts = " or ".join(map(str, thread_counts))
    return f"{'x'.join(map(str, shape.domain))}; {strides}; {counts} threads; {processor_name()}"


def _steps(layout: FieldLayout) -> str:
    """The strides, of axes with several points: of those with one nothing is known to kernels."""
    pairs = zip(layout.shape, layout.strides, strict=True)
    return " ".join("any" if length == 1 else str(stride) for length, stride in pairs)


@cache
def processor_name() -> str:
    """The model: processors of one kind, which run the same kernels, have different caches."""
    try:
        lines = _CPU_FACTS.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        lines = []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, "") or platform.processor() or platform.machine()

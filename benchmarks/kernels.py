"""Kernels side by side with all who compete, on one core and on all."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Final

import numpy as np

from benchmarks.candidate import Candidate, Group
from benchmarks.cases import DOMAINS, DTYPES, KERNELS, Case, Layout, domain_text
from benchmarks.competitors import competitors
from benchmarks.timing import Samples, cores, take_turns

TOLERANCES: Final = {"float64": 1e-11, "float32": 1e-4}
"""Of the largest value of a field: Fortran has -ffast-math."""
SCREENING: Final = 2
"""Turns in which all variants take part, before the best compete."""
FINALISTS: Final = 2
"""Of each group on each layout."""
HOPELESS: Final = 8.0
"""Who takes longer than ours by this factor is not measured again."""


@dataclass(frozen=True, slots=True)
class Selection:
    """What is measured."""

    kernels: tuple[str, ...] = KERNELS
    domains: tuple[tuple[int, int, int], ...] = DOMAINS
    dtypes: tuple[str, ...] = tuple(DTYPES)
    parallel: tuple[bool, ...] = (True, False)
    """All cores first: threads stay on the cores that there were when they began."""
    turns: int = 9
    busy: bool = False
    """Others use the machine: on one core, count the time that the processor spends for us."""

    def cases(self) -> Iterator[tuple[Case, bool]]:
        for parallel, kernel, dtype, domain in product(
            self.parallel, self.kernels, self.dtypes, self.domains
        ):
            yield Case(kernel, domain, DTYPES[dtype]), parallel


@dataclass(frozen=True, slots=True)
class Measurement:
    """Seconds of one candidate on one case; the best of each group take part in the final turns."""

    kernel: str
    dtype: str
    domain: str
    cores: str
    group: str
    name: str
    layout: str
    median: float
    least: float
    calls: int
    is_final: bool


def measure(selection: Selection, progress: Callable[[str], None]) -> tuple[Measurement, ...]:
    found: list[Measurement] = []
    for case, parallel in selection.cases():
        label = f"{case.label}, {_cores(parallel)}"
        progress(label)
        with cores(parallel=parallel):
            found += _measure_case(case, parallel, selection)
    return tuple(found)


def _measure_case(case: Case, parallel: bool, selection: Selection) -> Iterator[Measurement]:
    candidates = tuple(competitors(case, parallel=parallel))
    check(case, candidates)
    clock = time.thread_time if selection.busy and not parallel else time.perf_counter
    screened = take_turns(candidates, SCREENING, clock)
    finalists = _finalists(screened)
    final = take_turns(finalists, selection.turns, clock)
    for candidate in candidates:
        samples = final.get(candidate, screened[candidate])
        yield Measurement(
            case.kernel,
            case.dtype_name,
            domain_text(case.domain),
            _cores(parallel),
            candidate.group.value,
            candidate.name,
            "" if candidate.layout is None else candidate.layout.value,
            float(np.median(samples)),
            min(samples),
            len(samples),
            candidate in final,
        )


def check(case: Case, candidates: Sequence[Candidate]) -> None:
    """All compute what the first one computes, up to rounding; Fortran and functions may round otherwise."""
    expected: Mapping[str, Any] | None = None
    for candidate in candidates:
        if candidate.arguments is None:
            continue
        candidate.restore()
        candidate.call()
        results = {name: _domain(case, values) for name, values in candidate.arguments.fields()}
        if expected is None:
            expected = {name: values.copy() for name, values in results.items()}
        for name, values in results.items():
            error = np.abs(values - expected[name]).max() / np.abs(expected[name]).max()
            if not error <= TOLERANCES[case.dtype_name]:
                raise RuntimeError(f"{case.label}: {candidate} computes another {name}, by {error:.1e}")


def _domain(case: Case, values: Any) -> Any:
    return values[
        tuple(slice(low, low + n) for (low, _), n in zip(case.entry.halo, case.domain, strict=True))
    ]


def _finalists(screened: Mapping[Candidate, Samples]) -> tuple[Candidate, ...]:
    """The best of each group on each layout, of those who may win; all of ours."""
    least = {candidate: min(samples) for candidate, samples in screened.items()}
    slowest = HOPELESS * min(seconds for candidate, seconds in least.items() if candidate.group is Group.OURS)
    groups: dict[tuple[Group, Layout | None], list[Candidate]] = {}
    for candidate in sorted(least, key=lambda candidate: least[candidate]):
        groups.setdefault((candidate.group, candidate.layout), []).append(candidate)
    return tuple(
        candidate
        for (group, _), members in groups.items()
        for position, candidate in enumerate(members)
        if group is Group.OURS or (position < FINALISTS and least[candidate] <= slowest)
    )


def _cores(parallel: bool) -> str:
    return "all cores" if parallel else "one core"

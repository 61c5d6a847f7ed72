"""Measurements of kernels, compared: ours with the best of each group."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from benchmarks.candidate import Group
from benchmarks.cases import Layout
from benchmarks.kernels import Measurement

CaseKey: TypeAlias = tuple[str, str, str, str]
"""Kernel, dtype, domain and cores."""


@dataclass(frozen=True, slots=True)
class Comparisons:
    """All candidates of one case; *least* compares fastest calls in place of medians."""

    case: CaseKey
    measurements: tuple[Measurement, ...]
    least: bool

    def seconds(self, measurement: Measurement) -> float:
        return measurement.least if self.least else measurement.median

    def ours(self, layout: Layout, variant: str = "default") -> Measurement:
        return next(m for m in self._group(Group.OURS, layout) if m.name == variant)

    def best(self, group: Group, layout: Layout | None = None) -> Measurement | None:
        """The best on a layout, or on any."""
        return min(self._group(group, layout), key=self.seconds, default=None)

    def ratio(self, group: Group, ours: Layout, theirs: Layout | None = None) -> float | None:
        """Our time over that of the best of *group* on *theirs*."""
        best = self.best(group, theirs)
        return None if best is None else self.seconds(self.ours(ours)) / self.seconds(best)

    def _group(self, group: Group, layout: Layout | None) -> list[Measurement]:
        members = [m for m in self.measurements if m.group == group.value]
        if layout is not None:
            members = [m for m in members if m.layout == layout.value]
        # Those that were only screened have been measured too few times to win.
        return [m for m in members if m.is_final] or members


def by_case(measurements: Iterable[Measurement], *, least: bool) -> tuple[Comparisons, ...]:
    """In the order of measurement, one core first."""
    cases: dict[CaseKey, list[Measurement]] = {}
    for m in measurements:
        cases.setdefault((m.kernel, m.dtype, m.domain, m.cores), []).append(m)
    found = [Comparisons(case, tuple(members), least) for case, members in cases.items()]
    return tuple(sorted(found, key=lambda comparisons: comparisons.case[3] != "one core"))

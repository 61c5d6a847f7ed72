"""One field at one node: its regions for one size, and for all sizes at once."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from iir.analyses.intents.conditions import (
    Names,
    Outcome,
    Truths,
    branches,
    known_outcome,
    outcomes,
    scalar_atoms,
    scalars_of,
)
from iir.analyses.intents.events import Branch, History
from iir.analyses.intents.exploration import (
    Limits,
    Plan,
    bounds_of,
    can_try_all,
    plan,
    run_time_scalars,
    without_run_time_bounds,
)
from iir.analyses.intents.summaries import Exposure, Summary, summarise
from iir.analyses.intents.universe import NOTHING, Points, Setting, Universe
from iir.analyses.scalar_values import scalar_value
from iir.diagnostics import ArgumentError, Diagnostic
from iir.expressions import Expr
from iir.nodes import Axes
from iir.region import Size


@dataclass(frozen=True)
class Explored:
    """The summaries of a field for all settings of *plan*, one for each outcome of its conditions."""

    plan: Plan
    history: History
    universe: Universe
    outcomes: tuple[Outcome, ...]
    summaries: tuple[Summary, ...]

    @cached_property
    def total(self) -> Summary:
        return join(self.summaries)


@dataclass(frozen=True)
class FieldAnalysis:
    """What *history* does to field *name* of a stencil called within *limits*."""

    name: str
    axes: Axes
    history: History
    limits: Limits
    names: Names

    def at(self, domain: Size, scalars: Mapping[str, Any]) -> tuple[Universe, Summary]:
        """The summary for one call; scalars that only decide conditions may be missing."""
        explored = self.explored_at(domain, scalars)
        return explored.universe, explored.total

    def explored_at(self, domain: Size, scalars: Mapping[str, Any]) -> Explored:
        """The summaries for one call, one for each outcome that the given scalars leave possible."""
        setting = Setting(domain, self._checked(domain, scalars))
        universe = Universe(self.axes, bounds_of(self.history), [setting])
        known = known_outcome(self.atoms, scalars, self.names)
        possible = [item for item in self._outcomes(self.atoms) if known.items() <= item.items()]
        tried = tuple({**item, **known} for item in possible or [known])
        summaries = tuple(self._summary(self.history, universe, item) for item in tried)
        chosen = Plan(domain, tuple(setting.scalars), (setting,))
        return Explored(chosen, self.history, universe, tried, summaries)

    @cached_property
    def explored(self) -> Explored:
        """The summaries for all sizes and run-time bounds that can differ."""
        if can_try_all(self.history, self.limits):
            history, scalars = self.history, run_time_scalars(self.history, self.limits)
        else:
            history, scalars = without_run_time_bounds(self.history), ()
        return self.explore(plan(history, self.axes, self.limits, scalars), history)

    def explore(self, chosen: Plan, history: History, padding: int = 0) -> Explored:
        universe = Universe(self.axes, bounds_of(history), chosen.settings, padding)
        free = [atom for atom in self.atoms if not self.is_decided(atom, chosen.scalars)]
        tried = self._outcomes(free)
        summaries = tuple(self._summary(history, universe, outcome) for outcome in tried)
        return Explored(chosen, history, universe, tried, summaries)

    @cached_property
    def atoms(self) -> tuple[Expr, ...]:
        """What the conditions around the field's accesses are made of, but what reads fields."""
        return self._atoms(branches(event for sweep in self.history for event in sweep.events))

    def _atoms(self, found: Iterable[Branch]) -> tuple[Expr, ...]:
        return tuple(dict.fromkeys(atom for item in found for atom in scalar_atoms(item.condition)))

    def _outcomes(self, atoms: Sequence[Expr]) -> tuple[Outcome, ...]:
        """All of *atoms*, or where those are too many of the conditions on scalars alone."""
        found = outcomes(atoms, self.names)
        if any(found):
            return found
        every = branches(event for sweep in self.history for event in sweep.events)
        uniform = set(self._atoms(item for item in every if item.uniform))
        return outcomes([atom for atom in atoms if atom in uniform], self.names)

    def is_decided(self, atom: Expr, scalars: Sequence[str]) -> bool:
        """Whether values of *scalars* decide *atom*."""
        trial = dict.fromkeys(scalars, 1)
        return scalars_of(atom) <= trial.keys() and scalar_value(atom, trial, self.names) is not None

    def _summary(self, history: History, universe: Universe, outcome: Outcome) -> Summary:
        return summarise(history, universe, Truths(universe, outcome, self.names).of)

    def _checked(self, domain: Size, scalars: Mapping[str, Any]) -> dict[str, int]:
        if domain[2] < self.limits.levels:
            raise _refused(f"The stencil needs at least {self.limits.levels} levels, not {domain[2]}.")
        values: dict[str, int] = {}
        for name in run_time_scalars(self.history, self.limits):
            if name not in scalars:
                raise _refused(f"The regions of '{self.name}' depend on scalar '{name}'.")
            values[name] = int(scalars[name])
            if values[name] not in self.limits.values(name, domain[2]):
                raise _refused(
                    f"An interval with bound '{name}' = {values[name]} leaves the {domain[2]} levels."
                )
        return values


def join(summaries: Sequence[Summary]) -> Summary:
    """What holds whichever of *summaries* does: all that may be, and only what must be."""
    first, *others = summaries
    irbw, reads, may_write, must_write = first.irbw, first.reads, first.may_write, first.must_write
    for other in others:
        irbw |= other.irbw
        reads |= other.reads
        may_write |= other.may_write
        must_write &= other.must_write
    seen: dict[int, Exposure] = {}
    for exposure in (item for summary in summaries for item in summary.exposures):
        known = seen.get(id(exposure.read))
        before: Points = known.points if known else NOTHING
        seen[id(exposure.read)] = Exposure(exposure.read, before | exposure.points)
    return Summary(irbw, reads, may_write, must_write, tuple(seen.values()))


def _refused(message: str) -> ArgumentError:
    return ArgumentError(Diagnostic(message, "argument"))

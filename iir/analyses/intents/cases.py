"""On which scalars and numbers of levels an intent depends, as few, simple conditions."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from iir.analyses.intents.covers import Members, covers
from iir.analyses.intents.field_analysis import Explored, FieldAnalysis
from iir.analyses.intents.modes import Intent, intent_of
from iir.analyses.intents.turns import Differences, limits
from iir.analyses.intents.whole_numbers import decided_comparisons
from iir.analyses.scalar_values import scalar_value
from iir.expressions import Expr

LEVELS: Final = ""
"""Stands for the domain's number of levels where the name of a scalar may stand."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """``name relation base + constant`` on whole numbers; *relation* is ``>=``, ``<`` or ``==``, and
    in the `natural` form ``>`` or ``<=``, too.

    *name* and *base* are scalars or `LEVELS`; without *base* the constant stands alone.
    """

    name: str
    relation: str
    base: str | None
    constant: int


@dataclass(frozen=True, slots=True)
class Atom:
    """A condition of the program, or its negation."""

    condition: Expr
    holds: bool


Literal: TypeAlias = Comparison | Atom
Terms: TypeAlias = tuple[tuple[Literal, ...], ...]
"""A disjunction of conjunctions; ``((),)`` always holds."""

Case: TypeAlias = tuple[Terms, Intent]
ALWAYS: Final[Terms] = ((),)


def is_about_levels(literal: Literal) -> bool:
    """Whether *literal* compares the number of levels with a constant."""
    return isinstance(literal, Comparison) and literal.name == LEVELS and literal.base is None


def natural(item: Comparison) -> Comparison:
    """The same as people write it: ``hi > lo`` and not ``hi >= lo+1``."""
    strictness = {">=": ">", "<": "<="}
    if item.base is None or item.constant <= 0 or item.relation not in strictness:
        return item
    return replace(item, relation=strictness[item.relation], constant=item.constant - 1)


@dataclass(frozen=True, slots=True)
class _Row:
    """A number of levels, values of run-time bounds and the number of an outcome of the conditions."""

    levels: int
    values: tuple[int, ...]
    outcome: int


def cases(analysis: FieldAnalysis) -> tuple[Case, ...]:
    """Exclusive and exhaustive conditions, each with the intent that the field has under it.

    They hold on domains with at least one column; where the number of columns matters, an intent
    is what may happen with any.
    """
    explored = analysis.explored
    rows = _rows(explored)
    members: dict[Intent, Members] = {}
    for number, intent in enumerate(rows.values()):
        members[intent] = members.get(intent, 0) | (1 << number)
    if len(members) == 1:
        return tuple((ALWAYS, intent) for intent in members)
    literals = _Literals(analysis, explored, tuple(rows))
    every = [*literals.atoms(), *literals.decided(), *literals.equalities(), *literals.limits()]
    return tuple(
        (covers(members[intent], members[intent], every), intent) for intent in Intent if intent in members
    )


def _rows(explored: Explored) -> Mapping[_Row, Intent]:
    found: dict[_Row, tuple[bool, bool]] = {}
    for number, summary in enumerate(explored.summaries):
        seen = explored.universe.occupied(summary.irbw)
        changed = explored.universe.occupied(summary.may_write)
        for setting, is_seen, is_changed in zip(explored.plan.settings, seen, changed, strict=True):
            row = _Row(setting.domain[2], tuple(setting.scalars.values()), number)
            before = found.get(row, (False, False))
            found[row] = before[0] or bool(is_seen), before[1] or bool(is_changed)
    return {row: intent_of(*facts) for row, facts in found.items()}


@dataclass(frozen=True, slots=True)
class _Literals:
    """What conditions can be built of, each with the numbers of the rows for which it holds."""

    analysis: FieldAnalysis
    explored: Explored
    rows: tuple[_Row, ...]

    def atoms(self) -> Iterator[tuple[Literal, Members]]:
        for atom in self.analysis.atoms:
            holds = self._members(self._atom_holds(atom, row) for row in self.rows)
            yield Atom(atom, True), holds
            yield Atom(atom, False), self._all & ~holds

    def decided(self) -> Iterator[tuple[Literal, Members]]:
        """Comparisons of whole numbers that the atoms decide together."""
        atoms = [atom for atom in self.analysis.atoms if atom in self.explored.outcomes[0]]
        for item in decided_comparisons(atoms, self.explored.outcomes, self.analysis.names):
            holds = self._members(item.holds[row.outcome] for row in self.rows)
            yield Comparison(item.name, item.relation, None, item.constant), holds

    def equalities(self) -> Iterator[tuple[Literal, Members]]:
        for name, base, constant in self._constants(are_turns=True):
            if (name, constant) != (LEVELS, self.explored.plan.generic[2]):  # that stands for all above
                excesses = self._excesses(name, base, constant)
                yield Comparison(name, "==", base, constant), self._members(n == 0 for n in excesses)

    def limits(self) -> Iterator[tuple[Literal, Members]]:
        for name, base, constant in self._constants(are_turns=False):
            holds = self._members(n >= 0 for n in self._excesses(name, base, constant))
            yield Comparison(name, ">=", base, constant), holds
            yield Comparison(name, "<", base, constant), self._all & ~holds

    @property
    def _all(self) -> Members:
        return (1 << len(self.rows)) - 1

    def _members(self, holds: Iterable[bool]) -> Members:
        return sum(1 << number for number, is_member in enumerate(holds) if is_member)

    def _atom_holds(self, atom: Expr, row: _Row) -> bool:
        outcome = self.explored.outcomes[row.outcome]
        if atom in outcome:
            return outcome[atom]
        scalars = dict(zip(self.explored.plan.scalars, row.values, strict=True))
        return bool(scalar_value(atom, scalars, self.analysis.names))

    def _excesses(self, name: str, base: str | None, constant: int) -> Iterator[int]:
        """By how much, in each row, *name* exceeds what it is compared with."""
        for row in self.rows:
            other = 0 if base is None else self._value(base, row)
            yield self._value(name, row) - other - constant

    def _value(self, name: str, row: _Row) -> int:
        return row.levels if name == LEVELS else row.values[self.explored.plan.scalars.index(name)]

    def _constants(self, are_turns: bool) -> Iterator[tuple[str, str | None, int]]:
        """What to compare with what: a name, another or None, and a constant.

        Constants reach no further than bounds can be apart when they stand near each other. Where
        rows stand for others, scalars can be equal only to those at which an order turns, and limits
        are those and the next.
        """
        plan = self.explored.plan
        scalars, levels, turns = plan.scalars, plan.generic[2], plan.turns
        reach = levels // (len(scalars) + 1) if scalars else levels
        for constant in range(min(row.levels for row in self.rows), reach + 1):
            yield LEVELS, None, constant

        def chosen(near: range, differences: Differences) -> Iterable[int]:
            kept = set(differences if are_turns else limits(differences))
            return (constant for constant in near if constant in kept)

        for number, name in enumerate(scalars):
            least = min(row.values[number] for row in self.rows)
            highest = max(row.values[number] - row.levels for row in self.rows)
            low, high = range(least, least + reach + 1), range(highest, highest - reach - 1, -1)
            yield from ((name, None, n) for n in (chosen(low, turns.low[name]) if turns else low))
            yield from ((name, LEVELS, n) for n in (chosen(high, turns.high[name]) if turns else high))
            for other in scalars[:number]:
                near = range(-reach, reach + 1)
                constants = chosen(near, turns.between[other, name]) if turns else near
                yield from ((name, other, n) for n in constants)

"""Conditions: what of them scalars decide, and which outcomes of that are possible together."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from math import isnan, prod
from typing import Any, Final, TypeAlias

from iir.analyses.accesses import field_reads
from iir.analyses.dtypes import expression_dtype
from iir.analyses.intents.events import Branch, Event
from iir.analyses.intents.summaries import Truth
from iir.analyses.intents.universe import NOTHING, Universe
from iir.analyses.scalar_values import scalar_value
from iir.dtypes import DType, is_float
from iir.expressions import (
    COMPARISONS,
    Binary,
    Constant,
    Expr,
    Operator,
    ScalarRef,
    Unary,
    UnaryOperator,
)
from iir.nodes import Declaration
from iir.traversal import walk

Names: TypeAlias = Mapping[str, Declaration]
Outcome: TypeAlias = Mapping[Expr, bool]
"""For each atom whether it holds."""

MOST_OUTCOMES: Final = 64
_MOST_COMBINATIONS: Final = 4096


def branches(events: Iterable[Event]) -> Iterator[Branch]:
    """The conditions among *events*, nested ones included."""
    for event in events:
        if isinstance(event, Branch):
            yield event
            yield from branches((*event.then, *event.orelse))


def scalar_atoms(condition: Expr) -> Iterator[Expr]:
    """What *condition* joins by ``and``, ``or`` and ``not``, without what reads fields."""
    return (atom for atom in _atoms_of(condition) if next(field_reads(atom), None) is None)


def _atoms_of(condition: Expr) -> Iterator[Expr]:
    match condition:
        case Binary(Operator.AND | Operator.OR, left, right):
            yield from _atoms_of(left)
            yield from _atoms_of(right)
        case Unary(UnaryOperator.NOT, operand):
            yield from _atoms_of(operand)
        case Constant():
            return
        case _:
            yield condition


def scalars_of(expr: Expr) -> frozenset[str]:
    """The scalar parameters in *expr*."""
    return frozenset(node.name for node in walk(expr) if isinstance(node, ScalarRef))


@dataclass(frozen=True, slots=True)
class Truths:
    """Where conditions hold in the settings of *universe*, under one outcome of their atoms.

    An atom that the setting's own scalars decide (a comparison with a run-time bound) needs no
    outcome; one that has neither, or reads fields, makes a condition unknown unless the rest decides.
    """

    universe: Universe
    outcome: Outcome
    names: Names

    def of(self, condition: Expr) -> Truth:
        everything = self.universe.everything
        match condition:
            case Constant(value):
                holds = everything if value else NOTHING
                return Truth(holds, holds)
            case Unary(UnaryOperator.NOT, operand):
                known = self.of(operand)
                return Truth(everything & ~known.perhaps, everything & ~known.surely)
            case Binary(Operator.AND, left, right):
                one, other = self.of(left), self.of(right)
                return Truth(one.surely & other.surely, one.perhaps & other.perhaps)
            case Binary(Operator.OR, left, right):
                one, other = self.of(left), self.of(right)
                return Truth(one.surely | other.surely, one.perhaps | other.perhaps)
            case _:
                return self._atom(condition)

    def _atom(self, atom: Expr) -> Truth:
        if next(field_reads(atom), None) is not None:
            return Truth(NOTHING, self.universe.everything)
        if atom in self.outcome:
            holds = self.universe.everything if self.outcome[atom] else NOTHING
            return Truth(holds, holds)
        values = [scalar_value(atom, setting.scalars, self.names) for setting in self.universe.settings]
        if any(value is None for value in values):
            return Truth(NOTHING, self.universe.everything)
        holds = self.universe.where([bool(value) for value in values])
        return Truth(holds, holds)


def known_outcome(every: Iterable[Expr], scalars: Mapping[str, Any], names: Names) -> dict[Expr, bool]:
    """The atoms that given *scalars* decide."""
    values = ((atom, scalar_value(atom, scalars, names)) for atom in every)
    return {atom: bool(value) for atom, value in values if value is not None}


def outcomes(every: Sequence[Expr], names: Names) -> tuple[Outcome, ...]:
    """The outcomes of the atoms *every* that some values of the scalars have, NaN left out.

    Comparisons depend on the order of what they compare alone, so it is enough to try, for each
    quantity, values at, between and beyond the constants, as many as there are quantities. Two
    quantities count as independent even if they are computed from the same scalar: then outcomes
    may be listed that no values have, but none is missing. With more than `MOST_OUTCOMES` one comes
    back that leaves every atom open.
    """
    parts = [_possible(group, names) for group in _independent(every)]
    if prod(len(part) for part in parts) > MOST_OUTCOMES:
        return ({},)
    found = [{atom: holds for part in chosen for atom, holds in part.items()} for chosen in product(*parts)]
    return tuple(sorted(found, key=lambda outcome: [outcome[atom] for atom in every]))


def _independent(every: Sequence[Expr]) -> Iterator[tuple[Expr, ...]]:
    """The atoms in groups that have no quantity in common."""
    groups: list[tuple[set[Expr], list[Expr]]] = []
    for atom in every:
        quantities, atoms = set(_compared(atom)), [atom]
        for group in [group for group in groups if group[0] & quantities]:
            groups.remove(group)
            quantities, atoms = group[0] | quantities, [*group[1], *atoms]
        groups.append((quantities, atoms))
    return (tuple(atoms) for _, atoms in groups)


def _possible(group: Sequence[Expr], names: Names) -> Sequence[Outcome]:
    """What the atoms of *group* can be together; where that is too much to try, more than that."""
    quantities = tuple(dict.fromkeys(item for atom in group for item in _compared(atom)))
    ranges = [_trial_values(item, group, len(quantities), names) for item in quantities]
    if prod(len(values) for values in ranges) > _MOST_COMBINATIONS:
        tried = group[: MOST_OUTCOMES.bit_length()]  # of more there are too many outcomes anyway
        every = product((False, True), repeat=len(tried))
        return [dict(zip(tried, holds, strict=True)) for holds in every]
    found = {
        tuple(_holds(atom, dict(zip(quantities, values, strict=True))) for atom in group)
        for values in product(*ranges)
    }
    return [dict(zip(group, holds, strict=True)) for holds in sorted(found)]


def _compared(atom: Expr) -> tuple[Expr, ...]:
    """The quantities whose values decide *atom*."""
    match atom:
        case Binary(operator, left, right) if operator in COMPARISONS:
            return tuple(side for side in (left, right) if not isinstance(side, Constant))
        case _:
            return (atom,)


def _trial_values(quantity: Expr, every: Sequence[Expr], count: int, names: Names) -> Sequence[float]:
    dtype = expression_dtype(quantity, names)
    if dtype is DType.BOOL:
        return (0, 1)
    limits = {value for atom in every for value in _constants(atom) if not isnan(value)}
    if not limits:
        return range(count)
    if is_float(dtype):
        return _around(limits | {0.0}, count)
    return sorted({limit + n for limit in limits for n in range(-count, count + 1) if limit == int(limit)})


def _around(limits: set[float], count: int) -> Sequence[float]:
    """The limits, *count* numbers between any two neighbours, and as many on either side of each."""
    step = 1.0 / (count + 1)
    ordered = sorted(limits)
    values = {a + max(1.0, abs(a)) * n * step for a in ordered for n in range(-count, count + 1)}
    values |= {a + (b - a) * n * step for a, b in pairwise(ordered) for n in range(count + 1)}
    return sorted(value for value in values if not isnan(value))


def _constants(atom: Expr) -> Iterator[float]:
    if isinstance(atom, Binary) and atom.operator in COMPARISONS:
        for side in (atom.left, atom.right):
            if isinstance(side, Constant):
                yield float(side.value)


def _holds(atom: Expr, values: Mapping[Expr, float]) -> bool:
    match atom:
        case Binary(operator, left, right) if operator in COMPARISONS:
            return _compare(operator, _number(left, values), _number(right, values))
        case _:
            return bool(values[atom])


def _number(side: Expr, values: Mapping[Expr, float]) -> float:
    return float(side.value) if isinstance(side, Constant) else values[side]


def _compare(operator: Operator, left: float, right: float) -> bool:
    match operator:
        case Operator.LT:
            return left < right
        case Operator.LE:
            return left <= right
        case Operator.GT:
            return left > right
        case Operator.GE:
            return left >= right
        case Operator.EQ:
            return left == right
        case Operator.NE:
            return left != right
        case _:
            raise AssertionError(operator)

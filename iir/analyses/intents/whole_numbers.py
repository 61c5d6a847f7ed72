"""What the conditions of a program, taken together, say about whole numbers."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from iir.analyses.dtypes import expression_dtype
from iir.analyses.intents.conditions import Names, Outcome
from iir.analyses.scalar_values import scalar_value
from iir.dtypes import is_integer
from iir.expressions import COMPARISONS, Binary, Constant, Expr, ScalarRef


@dataclass(frozen=True, slots=True)
class Decided:
    """``name relation constant``, and for each outcome of the conditions whether it holds."""

    name: str
    relation: str
    constant: int
    holds: tuple[bool, ...]


def decided_comparisons(
    atoms: Sequence[Expr], outcomes: Sequence[Outcome], names: Names
) -> Iterator[Decided]:
    """Comparisons of integer scalars with constants whose truth follows from that of *atoms*.

    Where ``n == 0``, ``n == 1`` and ``n > 1`` are false, ``n < 0`` is true.
    """
    for name, own in _comparisons_by_scalar(atoms, names).items():
        if all(atom in outcome for atom in own for outcome in outcomes):
            yield from _decided(name, own, outcomes, names)


def _comparisons_by_scalar(atoms: Sequence[Expr], names: Names) -> Mapping[str, list[Expr]]:
    """The atoms that compare an integer scalar with a constant."""
    found: dict[str, list[Expr]] = {}
    for atom in atoms:
        match atom:
            case Binary(operator, ScalarRef(name) as scalar, Constant()) | Binary(
                operator, Constant(), ScalarRef(name) as scalar
            ) if operator in COMPARISONS and is_integer(expression_dtype(scalar, names)):
                found.setdefault(name, []).append(atom)
    return found


def _decided(name: str, own: Sequence[Expr], outcomes: Sequence[Outcome], names: Names) -> Iterator[Decided]:
    sides = (side for atom in own for side in _sides(atom))
    constants = sorted({int(side.value) for side in sides if isinstance(side, Constant)})
    trials = sorted({constant + n for constant in constants for n in (-1, 0, 1)})
    values = [
        [n for n in trials if all(bool(scalar_value(a, {name: n}, names)) == outcome[a] for a in own)]
        for outcome in outcomes
    ]
    for constant in constants:
        at = [{n == constant for n in possible} for possible in values]
        yield from _told(name, "==", constant, at)
    for constant in sorted({c + n for c in constants for n in (0, 1)}):
        below = [{n < constant for n in possible} for possible in values]
        yield from _told(name, "<", constant, below)
        yield from _told(name, ">=", constant, [{not is_below for is_below in item} for item in below])


def _told(name: str, relation: str, constant: int, holds: Sequence[set[bool]]) -> Iterator[Decided]:
    if all(len(item) == 1 for item in holds):
        yield Decided(name, relation, constant, tuple(True in item for item in holds))


def _sides(atom: Expr) -> tuple[Expr, ...]:
    return (atom.left, atom.right) if isinstance(atom, Binary) else ()

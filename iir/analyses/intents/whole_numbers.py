"""What the conditions of a program, taken together, say about whole numbers."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from iir.analyses.dtypes import expression_dtype
from iir.analyses.intents.conditions import Names, Outcome
from iir.analyses.scalar_values import scalar_value
from iir.dtypes import is_integer, numpy_dtype
from iir.expressions import COMPARISONS, Binary, Constant, Expr, ScalarRef
from iir.nodes import ScalarDecl

_LARGEST: Final = 2**31 - 1
"""Drivers write greater numbers in ways of their own."""


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
    constants = {int(side.value) for side in sides if isinstance(side, Constant)}
    limits = np.iinfo(_dtype(name, names))
    near = {constant + n for constant in constants for n in (-1, 0, 1)}
    trials = sorted(n for n in near if limits.min <= n <= limits.max)
    values = [
        [n for n in trials if all(bool(scalar_value(a, {name: n}, names)) == outcome[a] for a in own)]
        for outcome in outcomes
    ]
    for constant in sorted(n for n in constants if abs(n) <= _LARGEST):
        at = [{n == constant for n in possible} for possible in values]
        yield from _told(name, "==", constant, at)
    for constant in sorted(n for n in near if abs(n) <= _LARGEST and {n, n - 1} & constants):
        below = [{n < constant for n in possible} for possible in values]
        yield from _told(name, "<", constant, below)
        yield from _told(name, ">=", constant, [{not is_below for is_below in item} for item in below])


def _dtype(name: str, names: Names) -> type[np.integer[Any]]:
    declaration = names[name]
    assert isinstance(declaration, ScalarDecl)
    dtype = numpy_dtype(declaration.dtype).type
    assert issubclass(dtype, np.integer)
    return dtype


def _told(name: str, relation: str, constant: int, holds: Sequence[set[bool]]) -> Iterator[Decided]:
    if all(len(item) == 1 for item in holds):
        yield Decided(name, relation, constant, tuple(True in item for item in holds))


def _sides(atom: Expr) -> tuple[Expr, ...]:
    return (atom.left, atom.right) if isinstance(atom, Binary) else ()

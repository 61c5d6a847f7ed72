"""Conditions on scalars and the number of levels as Fortran."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, assert_never

from backends.fortran.declarations import KIND
from iir.analyses.dtypes import expression_dtype
from iir.analyses.intents.cases import LEVELS, Atom, Comparison, Literal
from iir.analyses.intents.field_intents import FieldIntent
from iir.analyses.intents.modes import Intent
from iir.dtypes import DType, is_float
from iir.expressions import Binary, Constant, Expr, Operator, ScalarRef, Unary, UnaryOperator
from iir.nodes import Declaration

EVER: Final = ".true."
NEVER: Final = ".false."
NUMBER_OF_LEVELS: Final = "size_k"
_MOST: Final = 2**63 - 1
_MOST_FLAGS: Final = 4

_SYMBOL: Final[Mapping[Operator, str]] = {
    Operator.ADD: "+",
    Operator.SUB: "-",
    Operator.MUL: "*",
    Operator.LT: "<",
    Operator.LE: "<=",
    Operator.GT: ">",
    Operator.GE: ">=",
    Operator.AND: ".and.",
    Operator.OR: ".or.",
}
# Compilers warn of '==' between reals; with NaN these are as false and as true as it.
_EQUALITY: Final[Mapping[Operator, tuple[str, str]]] = {
    Operator.EQ: ("({left} >= {right} .and. {left} <= {right})", "({left} .eqv. {right})"),
    Operator.NE: ("(.not. ({left} >= {right} .and. {left} <= {right}))", "({left} .neqv. {right})"),
}
"""For numbers and for logicals."""


@dataclass(frozen=True, slots=True)
class _Scope:
    """What the scalars are called, and their declarations."""

    names: Mapping[str, str]
    declared: Mapping[str, Declaration]


class _Inexpressible(Exception):
    """A condition is made of something that is not written in Fortran here."""


def holds_any(facts: FieldIntent, wanted: Iterable[Intent], names: Mapping[str, str]) -> str:
    """When the field has one of the intents *wanted*; EVER also where that cannot be written.

    *names* are what the scalars are called.
    """
    chosen = [terms for terms, intent in facts.conditions if intent in set(wanted)]
    if not chosen:
        return NEVER
    if len(chosen) == len(facts.conditions):
        return EVER
    scope = _Scope(names, facts.names)
    try:
        return _any([term for terms in chosen for term in terms], scope)
    except _Inexpressible:
        return EVER


def deciding_flags(facts: FieldIntent) -> tuple[str, ...]:
    """The bool scalars that alone decide the intent; none if anything else has a say, or if they are many."""
    literals = [literal for terms, _ in facts.conditions for term in terms for literal in term]
    atoms = [literal.condition for literal in literals if isinstance(literal, Atom)]
    flags = dict.fromkeys(atom.name for atom in atoms if isinstance(atom, ScalarRef))
    is_alone = len(atoms) == len(literals) and all(isinstance(atom, ScalarRef) for atom in atoms)
    return tuple(flags) if is_alone and len(flags) <= _MOST_FLAGS else ()


def _any(terms: Sequence[tuple[Literal, ...]], scope: _Scope) -> str:
    texts = [" .and. ".join(_literal(item, scope) for item in term) for term in terms]
    return texts[0] if len(texts) == 1 else " .or. ".join(f"({text})" for text in texts)


def _literal(literal: Literal, scope: _Scope) -> str:
    match literal:
        case Atom(condition, holds):
            text = _expression(condition, scope)
            return text if holds else f".not. {text}"
        case Comparison(name, relation, base, constant):
            return f"{_level(name, scope)} {relation} {_sum(base, constant, scope)}"
        case _:
            assert_never(literal)


def _level(name: str, scope: _Scope) -> str:
    return NUMBER_OF_LEVELS if name == LEVELS else scope.names[name]


def _sum(base: str | None, constant: int, scope: _Scope) -> str:
    if base is None:
        return str(constant)
    sign = "-" if constant < 0 else "+"
    return _level(base, scope) + (f" {sign} {abs(constant)}" if constant else "")


def _expression(expr: Expr, scope: _Scope) -> str:
    """*expr* in brackets, or a name or number."""
    match expr:
        case Constant(value, dtype):
            return _constant(value, dtype)
        case ScalarRef(name):
            return scope.names[name]
        case Unary(UnaryOperator.NOT, operand):
            return f"(.not. {_expression(operand, scope)})"
        case Unary(UnaryOperator.NEG, operand):
            return f"(-{_expression(operand, scope)})"
        case Binary(operator, left, right) if operator in _EQUALITY:
            kind = _EQUALITY[operator][expression_dtype(left, scope.declared) is DType.BOOL]
            return kind.format(left=_expression(left, scope), right=_expression(right, scope))
        case Binary(operator, left, right) if operator in _SYMBOL:
            return f"({_expression(left, scope)} {_SYMBOL[operator]} {_expression(right, scope)})"
        case _:
            raise _Inexpressible


def _constant(value: bool | int | float, dtype: DType) -> str:
    if dtype is DType.BOOL:
        return EVER if value else NEVER
    if is_float(dtype):
        text = repr(float(value))
        if not text.lstrip("-")[0].isdigit():
            raise _Inexpressible  # infinities and NaN have no literals
        return _signed(f"{text}_{KIND[dtype]}")
    if abs(value) > _MOST:
        raise _Inexpressible  # it would be the negative of a number that is too large
    return _signed(f"{value}_{KIND[dtype]}")


def _signed(text: str) -> str:
    return f"({text})" if text.startswith("-") else text

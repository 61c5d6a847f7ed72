"""Conditions of cases as text."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from iir.analyses.intents.cases import ALWAYS, LEVELS, Atom, Comparison, Literal, Terms
from iir.expressions import Binary, Expr, Operator, Unary, UnaryOperator
from iir.nodes import Declaration
from iir.notation import TERNARY
from iir.printer import expr_text

_OPPOSITE: Final[Mapping[Operator, Operator]] = {
    Operator.LT: Operator.GE,
    Operator.GE: Operator.LT,
    Operator.GT: Operator.LE,
    Operator.LE: Operator.GT,
    Operator.EQ: Operator.NE,
    Operator.NE: Operator.EQ,
}


def condition_text(terms: Terms, names: Mapping[str, Declaration]) -> str:
    """*terms* in the notation of the language, with ``nk`` for the number of levels."""
    if terms == ALWAYS:
        return "always"
    texts = [" and ".join(_term_texts(term, names)) for term in terms]
    return " or ".join(texts)


def levels_name(names: Iterable[str]) -> str:
    """What the number of levels is called: ``nk`` unless a scalar has that name."""
    return "nk_" if "nk" in names else "nk"


def opposite(condition: Expr) -> Expr:
    """A condition that holds exactly where *condition* does not, NaN aside."""
    match condition:
        case Binary(operator, left, right) if operator in _OPPOSITE:
            return Binary(_OPPOSITE[operator], left, right)
        case _:
            return Unary(UnaryOperator.NOT, condition)


def _term_texts(term: tuple[Literal, ...], names: Mapping[str, Declaration]) -> list[str]:
    """A lower and an upper limit of one name are written as one comparison."""
    lower: dict[str, list[str]] = {}
    upper: dict[str, list[str]] = {}
    texts: list[str] = []
    for literal in term:
        match literal:
            case Atom(condition, holds):
                shown = condition if holds else opposite(condition)
                texts.append(expr_text(shown, TERNARY, declarations=names))
            case Comparison(name, "==", base, constant):
                texts.append(f"{_name(name, names)} == {_side(base, constant, names)}")
            case Comparison(name, relation, base, constant):
                limits = lower if relation == ">=" else upper
                limits.setdefault(name, []).append(_side(base, constant, names))
    for name in dict.fromkeys((*lower, *upper)):
        texts += _limits(_name(name, names), lower.get(name, []), upper.get(name, []))
    return texts


def _limits(name: str, lower: list[str], upper: list[str]) -> Iterator[str]:
    if len(lower) == len(upper) == 1:
        yield f"{lower[0]} <= {name} < {upper[0]}"
    else:
        yield from (f"{name} >= {limit}" for limit in lower)
        yield from (f"{name} < {limit}" for limit in upper)


def _side(base: str | None, constant: int, names: Mapping[str, Declaration]) -> str:
    if base is None:
        return str(constant)
    return f"{_name(base, names)}{constant:+d}" if constant else _name(base, names)


def _name(name: str, names: Mapping[str, Declaration]) -> str:
    return levels_name(names) if name == LEVELS else name

"""Conditions of cases as text."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from iir.analyses.intents.cases import ALWAYS, LEVELS, Atom, Comparison, Literal, Terms, natural
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
    lower: dict[str, list[Comparison]] = {}
    upper: dict[str, list[Comparison]] = {}
    texts: list[str] = []
    for literal in term:
        match literal:
            case Atom(condition, holds):
                shown = condition if holds else opposite(condition)
                texts.append(expr_text(shown, TERNARY, declarations=names))
            case Comparison(relation="=="):
                texts.append(_comparison(literal, names))
            case Comparison(name, relation):
                (lower if relation == ">=" else upper).setdefault(name, []).append(natural(literal))
    for name in dict.fromkeys((*lower, *upper)):
        texts += _limits(lower.get(name, []), upper.get(name, []), names)
    return texts


def _limits(
    lower: list[Comparison], upper: list[Comparison], names: Mapping[str, Declaration]
) -> Iterator[str]:
    if len(lower) == len(upper) == 1:
        relation = lower[0].relation.replace(">", "<")
        yield f"{_side(lower[0], names)} {relation} {_comparison(upper[0], names)}"
    else:
        yield from (_comparison(item, names) for item in (*lower, *upper))


def _comparison(item: Comparison, names: Mapping[str, Declaration]) -> str:
    return f"{_name(item.name, names)} {item.relation} {_side(item, names)}"


def _side(item: Comparison, names: Mapping[str, Declaration]) -> str:
    if item.base is None:
        return str(item.constant)
    return f"{_name(item.base, names)}{item.constant:+d}" if item.constant else _name(item.base, names)


def _name(name: str, names: Mapping[str, Declaration]) -> str:
    return levels_name(names) if name == LEVELS else name

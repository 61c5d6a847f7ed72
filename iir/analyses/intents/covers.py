"""Describe a set by few, simple terms: each the intersection of some given sets."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import TypeAlias, TypeVar

Members: TypeAlias = int
L = TypeVar("L", bound=Hashable)
Literals: TypeAlias = Sequence[tuple[L, Members]]
_Term: TypeAlias = tuple[tuple[L, ...], Members]


def covers(wanted: Members, allowed: Members, literals: Literals[L]) -> tuple[tuple[L, ...], ...]:
    """Terms whose union holds all that is *wanted* and nothing that is not *allowed*.

    A term names literals; it stands for what all of them hold. No term can lose a literal, and the
    result no term. Of terms and of literals that are equally good those that stand first are
    preferred; they order the terms, too. *wanted* must be a union of intersections of literals,
    within *allowed*.
    """
    rank = {name: number for number, (name, _) in enumerate(literals)}

    def holds_most(term: _Term[L]) -> tuple[int, int, int]:
        return (term[1] & wanted).bit_count(), -len(term[0]), _rank(term)

    def is_shortest(term: _Term[L]) -> tuple[int, int, int]:
        return -len(term[0]), (term[1] & wanted).bit_count(), _rank(term)

    def _rank(term: _Term[L]) -> int:
        return -sum(rank[name] for name in term[0])

    found = [
        _needed(list(_greedy(wanted, allowed, literals, best)), wanted) for best in (holds_most, is_shortest)
    ]
    fewest = min(found, key=lambda terms: (sum(len(names) for names, _ in terms), len(terms)))
    kept = [tuple(sorted(names, key=rank.__getitem__)) for names, _ in fewest]
    return tuple(sorted(kept, key=lambda names: [rank[name] for name in names]))


def _greedy(
    wanted: Members, allowed: Members, literals: Literals[L], quality: Callable[[_Term[L]], tuple[int, ...]]
) -> Iterator[_Term[L]]:
    """Terms for one member after the other, each the best that holds it."""
    remaining = wanted
    while remaining:
        member = remaining & -remaining
        true_here = [literal for literal in literals if literal[1] & member]
        narrow_first = sorted(reversed(true_here), key=lambda literal: literal[1].bit_count())
        orders = ([*narrow_first, kept] for kept in true_here)
        best = max((_shortened(order, allowed) for order in orders), key=quality)
        term = _shortened(_preferred(best, true_here), allowed)
        yield term
        remaining &= ~term[1]


def _shortened(literals: Literals[L], allowed: Members) -> _Term[L]:
    """Drop literals from the front as long as the rest stays within *allowed*; one must stay."""
    rest: list[Members] = [-1]
    for _, members in reversed(literals):
        rest.append(rest[-1] & members)
    rest.reverse()
    kept: list[L] = []
    term: Members = -1
    for number, (name, members) in enumerate(literals):
        without = term & rest[number + 1]
        if without == -1 or without & ~allowed:
            kept.append(name)
            term &= members
    return tuple(kept), term


def _preferred(term: _Term[L], literals: Literals[L]) -> Literals[L]:
    """Literals for the same members that stand further in front, where any will do instead."""
    held = dict(literals)
    names, members = list(term[0]), term[1]
    for number in range(len(names)):
        rest: Members = -1
        for other in (*names[:number], *names[number + 1 :]):
            rest &= held[other]
        names[number] = next(name for name, own in literals if rest & own == members)
    return [(name, held[name]) for name in names]


def _needed(terms: list[_Term[L]], wanted: Members) -> list[_Term[L]]:
    kept = list(terms)
    for term in terms:
        others = 0
        for other in kept:
            if other is not term:
                others |= other[1]
        if not wanted & ~others:
            kept.remove(term)
    return kept

"""Describe a set by few, simple terms: each the intersection of some given sets."""

from collections.abc import Hashable, Sequence
from typing import TypeAlias, TypeVar

Members: TypeAlias = int
L = TypeVar("L", bound=Hashable)
Literals: TypeAlias = Sequence[tuple[L, Members]]


def covers(wanted: Members, allowed: Members, literals: Literals[L]) -> tuple[tuple[L, ...], ...]:
    """Terms whose union holds all that is *wanted* and nothing that is not *allowed*.

    A term names literals; it stands for what all of them hold. No term can lose a literal, and the
    result no term. Where terms are equally good, literals that stand first are preferred; they
    order the terms, too. *wanted* must be a union of intersections of literals, within *allowed*.
    """
    rank = {name: number for number, (name, _) in enumerate(literals)}

    def quality(term: tuple[tuple[L, ...], Members]) -> tuple[int, int, int]:
        return (term[1] & wanted).bit_count(), -len(term[0]), -sum(rank[name] for name in term[0])

    terms: list[tuple[tuple[L, ...], Members]] = []
    remaining = wanted
    while remaining:
        member = remaining & -remaining
        true_here = [literal for literal in literals if literal[1] & member]
        narrow_first = sorted(reversed(true_here), key=lambda literal: literal[1].bit_count())
        orders = ([*narrow_first, kept] for kept in true_here)
        best = max((_shortened(order, allowed) for order in orders), key=quality)
        terms.append(best)
        remaining &= ~best[1]
    kept = [tuple(sorted(names, key=rank.__getitem__)) for names, _ in _needed(terms, wanted)]
    return tuple(sorted(kept, key=lambda names: [rank[name] for name in names]))


def _shortened(literals: Literals[L], allowed: Members) -> tuple[tuple[L, ...], Members]:
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


def _needed(
    terms: list[tuple[tuple[L, ...], Members]], wanted: Members
) -> list[tuple[tuple[L, ...], Members]]:
    kept = list(terms)
    for term in terms:
        others = 0
        for other in kept:
            if other is not term:
                others |= other[1]
        if not wanted & ~others:
            kept.remove(term)
    return kept

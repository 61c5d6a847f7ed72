"""Values of run-time bounds: at least one for each order in which bounds can stand."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from iir.interval import Anchor, Bound

Differences: TypeAlias = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Turns:
    """For a scalar, and what it is compared with, the differences at which the order of any two of
    their bounds changes: *low* from the start, *high* from the end, *between* from the first scalar
    to the second.
    """

    low: Mapping[str, Differences]
    high: Mapping[str, Differences]
    between: Mapping[tuple[str, str], Differences]


def turns_of(bounds: Iterable[Bound], scalars: tuple[str, ...]) -> Turns:
    offsets: dict[Anchor | str, set[int]] = {}
    for bound in bounds:
        offsets.setdefault(bound.anchor, set()).add(bound.offset)
    pairs = [(one, other) for one in scalars for other in scalars if one != other]
    return Turns(
        {name: _differences(offsets[Anchor.START], offsets[name]) for name in scalars},
        {name: _differences(offsets[Anchor.END], offsets[name]) for name in scalars},
        {(one, other): _differences(offsets[one], offsets[other]) for one, other in pairs},
    )


def limits(differences: Differences) -> Differences:
    """The least difference at each turn and behind it."""
    return tuple(sorted({turn + n for turn in differences for n in (0, 1)}))


def _differences(fixed: set[int], moving: set[int]) -> Differences:
    return tuple(sorted({a - b for a in fixed for b in moving}))


def least_values(scalars: tuple[str, ...], levels: int, turns: Turns) -> Iterator[tuple[int, ...]]:
    """The least values with which the bounds of one or two *scalars* stand in each order.

    Each order is a system of lower and upper limits of the scalars and of their difference. Its
    least solution has one of them at a limit of its own, the other there or at one from the first.
    """
    own = {
        name: (*limits(turns.low[name]), *(levels + step for step in limits(turns.high[name])))
        for name in scalars
    }
    match scalars:
        case ():
            yield ()
        case (name,):
            yield from ((value,) for value in own[name])
        case (first, second):
            for a in own[first]:
                yield from (
                    (a, b) for b in (*own[second], *(a + n for n in limits(turns.between[first, second])))
                )
            for b in own[second]:
                yield from ((b + n, b) for n in limits(turns.between[second, first]))
        case _:
            raise AssertionError(scalars)

"""The values of run-time bounds that are tried stand for all others."""

from itertools import product
from random import Random

import pytest

from iir.analyses.intents.turns import least_values, turns_of
from iir.interval import Anchor, Bound, bound_level


@pytest.mark.parametrize("number", range(60))
def test_every_order_of_bounds_is_among_those_of_the_least_values(number: int) -> None:
    random = Random(number)
    scalars = ("x", "y")[: random.choice((1, 2))]
    anchors: tuple[Anchor | str, ...] = (Anchor.START, Anchor.END, *scalars)
    bounds = [Bound(anchor) for anchor in anchors]
    bounds += [Bound(random.choice(anchors), random.choice((-5, -2, -1, 1, 2, 4))) for _ in range(4)]
    levels, turns = random.randrange(1, 9), turns_of(bounds, scalars)

    def order(values: tuple[int, ...]) -> tuple[int, ...]:
        at = [bound_level(bound, levels, dict(zip(scalars, values, strict=True))) for bound in bounds]
        return tuple((a > b) - (a < b) for a, b in product(at, at))

    allowed = range(levels + 1)
    tried = {
        order(values)
        for values in least_values(scalars, levels, turns)
        if all(value in allowed for value in values)
    }
    assert tried == {order(values) for values in product(allowed, repeat=len(scalars))}

"""The analysis of intents equals brute force, for every size, node and value of the scalars."""

from collections.abc import Iterator, Mapping
from itertools import product
from random import Random
from typing import Any

import pytest

from iir.analyses.extents import extents
from iir.analyses.intents import FieldIntent, intents
from iir.analyses.intents.events import nodes_of
from iir.analyses.intents.exploration import limits_of
from iir.analyses.required_levels import required_levels
from iir.boxes import Box
from iir.nodes import Stencil
from iir.printer import to_text
from iir.region import Size
from tests.intent_programs import Kinds, intent_program
from tests.strategies import SEED
from tests.tracer import Point, TooManyOutcomesError, Traced, trace

PROGRAMS = 60


def points(boxes: tuple[Box, ...]) -> set[Point]:
    return {(i, j, k) for box in boxes for i, j, k in product(*(range(*side) for side in box))}


def calls(ir: Stencil, random: Random, levels: int) -> Iterator[tuple[Size, Mapping[str, Any]]]:
    """All numbers of levels up to *levels* more than are required, with scalars in their limits."""
    required = required_levels(ir)
    limits = limits_of(ir, required)
    for nk in range(max(1, required), required + levels + 1):
        xs = limits.values("x", nk) if "x" in limits.offsets else range(-1, 4)
        if xs:
            domain = (random.choice((1, 2, 2, 3)), random.choice((1, 2, 2)), nk)
            flags = {name: random.random() < 0.5 for name in "cd"}
            yield domain, {**flags, "p": random.choice((-1, 0, 1, 2, 3)), "x": random.choice(xs)}


def regions(found: FieldIntent, domain: Size) -> Traced:
    sets = (found.irbw, found.reads, found.may_write, found.must_write)
    return Traced(*(points(region.evaluate(domain)) for region in sets))


@pytest.mark.parametrize("number", range(PROGRAMS))
def test_regions_equal_brute_force_at_every_node(number: int) -> None:
    random = Random(f"{SEED}/intents/{number}")
    ir = intent_program(random, Kinds())
    box_of = extents(ir).box
    for node in nodes_of(ir):
        table = intents(ir, node)
        for domain, scalars in calls(ir, random, 8):
            try:
                expected = trace(ir, box_of, domain, scalars, node)
            except TooManyOutcomesError:
                continue
            fixed = table.at(domain, scalars)
            every = {**fixed, **fixed.temporaries}
            for name, traced in expected.items():
                assert regions(every[name], domain) == traced, (name, domain, scalars, to_text(ir))

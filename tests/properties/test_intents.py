"""The analysis of intents equals brute force, for every size, node and value of the scalars."""

from collections.abc import Iterator, Mapping
from itertools import product
from random import Random
from typing import Any, Final

import pytest

from iir.analyses.extents import extents
from iir.analyses.intents import FieldIntent, Intent, intents
from iir.analyses.intents.events import nodes_of
from iir.analyses.intents.exploration import limits_of
from iir.analyses.required_levels import required_levels
from iir.boxes import Box
from iir.nodes import Stencil
from iir.printer import to_text
from iir.region import Size
from tests.intent_programs import Kinds, intent_program
from tests.strategies import COUNT, SEED
from tests.tracer import Point, TooManyOutcomesError, Traced, trace

REGIONS: Final = ("irbw", "reads", "may_write", "must_write")
PROGRAMS: Final = max(10, COUNT // 10)


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
    ir = intent_program(random, Kinds(stores_at_offsets=number % 3 == 0))
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


@pytest.mark.parametrize("number", range(PROGRAMS))
def test_printed_regions_hold_from_the_size_that_they_name(number: int) -> None:
    random = Random(f"{SEED}/printed/{number}")
    ir = intent_program(random, Kinds(conditions=False))
    table = intents(ir)
    every = {**table, **table.temporaries}
    for domain, scalars in calls(ir, random, 8):
        fixed = table.at(domain, scalars)
        exact = {**fixed, **fixed.temporaries}
        for name, found in every.items():
            if all(n >= least for n, least in zip(domain, found.generic_from, strict=True)):
                shown = tuple(getattr(found, region).as_printed(domain, scalars).boxes for region in REGIONS)
                expected = tuple(getattr(exact[name], region).evaluate(domain) for region in REGIONS)
                # The region of a plane cannot say that a run-time interval is empty.
                is_plane = "K" not in found.axes.value and "x" in limits_of(ir, 0).offsets
                holds = _is_safe(shown, expected) if is_plane else shown == expected
                assert holds, (name, shown, expected, domain, scalars, to_text(ir))


def _is_safe(shown: tuple[tuple[Box, ...], ...], expected: tuple[tuple[Box, ...], ...]) -> bool:
    """Whether all that may be is shown, and only what must be."""
    *may, must = zip(map(points, shown), map(points, expected), strict=True)
    return all(wide >= exact for wide, exact in may) and must[0] <= must[1]


@pytest.mark.parametrize("number", range(PROGRAMS))
def test_exactly_one_case_holds_and_it_tells_the_intent(number: int) -> None:
    random = Random(f"{SEED}/cases/{number}")
    ir = intent_program(random, Kinds())
    table = intents(ir)
    for (_, _, nk), scalars in calls(ir, random, 5):
        domain = (5, 5, nk)
        exact = table.at(domain, scalars)
        for name, found in table.items():
            values = {**scalars, "nk": nk}
            held = [intent for condition, intent in found.cases if bool(condition.subs(values))]
            assert held == [exact[name].intent], (name, values, found.cases, to_text(ir))


@pytest.mark.parametrize("number", range(PROGRAMS))
def test_the_unconditional_answer_joins_all_calls(number: int) -> None:
    random = Random(f"{SEED}/joined/{number}")
    ir = intent_program(random, Kinds())
    table = intents(ir)
    seen: dict[str, list[Intent]] = {name: [] for name in table}
    for _ in range(3):
        for domain, scalars in calls(ir, random, 6):
            exact = table.at(domain, scalars)
            vague = table.at(domain, x=scalars["x"])
            for name, found in table.items():
                seen[name].append(exact[name].intent)
                for region in ("irbw", "reads", "may_write"):
                    parts = points(getattr(exact[name], region).evaluate(domain))
                    assert parts <= points(getattr(vague[name], region).evaluate(domain))
                    assert not parts or getattr(found, region)
                sure = points(vague[name].must_write.evaluate(domain))
                assert sure <= points(exact[name].must_write.evaluate(domain))
    for name, found in table.items():
        assert all(_is_within(intent, found.intent) for intent in seen[name]), (name, to_text(ir))


def _is_within(intent: Intent, joined: Intent) -> bool:
    return joined is Intent.INOUT or intent in (joined, Intent.NONE)

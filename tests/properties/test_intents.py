"""The analysis of intents equals brute force, for every size, node and value of the scalars."""

from collections.abc import Iterator, Mapping
from itertools import product
from math import inf, nan
from random import Random
from typing import Any, Final

import pytest

from iir.analyses.extents import extents
from iir.analyses.intents import FieldIntent, Intent, IntentTable, intents
from iir.analyses.intents.events import nodes_of
from iir.analyses.intents.exploration import limits_of
from iir.analyses.required_levels import required_levels
from iir.analyses.unset_reads import unset_reads
from iir.boxes import Box
from iir.nodes import Stencil
from iir.passes.zero_unset_temporaries import zero_unset_temporaries
from iir.printer import to_text
from iir.region import Size
from tests.intent_programs import Kinds, intent_program
from tests.reported_shares import Share
from tests.strategies import INTENTS, SEED
from tests.tracer import Point, TooManyOutcomesError, Traced, trace

REGIONS: Final = ("irbw", "reads", "may_write", "must_write")
SETS: Final = 11
"""Each test draws programs of its own; one of them does so twice."""
CHUNK: Final = 10
EACH: Final = -(-INTENTS // SETS)
CHUNKS: Final = range(-(-EACH // CHUNK))
NUMBERS: Final = (-1.0, -0.5, -0.25, 0.0, 0.5, 1.0, 2.0, inf)

every_program = pytest.mark.parametrize("chunk", CHUNKS)


def numbers(chunk: int) -> range:
    """The numbers of the programs of a chunk."""
    return range(chunk * CHUNK, min(EACH, (chunk + 1) * CHUNK))


def points(boxes: tuple[Box, ...]) -> set[Point]:
    return {(i, j, k) for box in boxes for i, j, k in product(*(range(*side) for side in box))}


def calls(ir: Stencil, random: Random, levels: int) -> Iterator[tuple[Size, Mapping[str, Any]]]:
    """All numbers of levels up to *levels* more than are required, with scalars in their limits."""
    required = required_levels(ir)
    limits = limits_of(ir, required)
    for nk in range(max(1, required), required + levels + 1):
        ranges = {name: limits.values(name, nk) for name in limits.offsets}
        if all(ranges.values()):
            domain = (random.choice((1, 2, 2, 3)), random.choice((1, 2, 2)), nk)
            scalars: dict[str, Any] = {name: random.random() < 0.5 for name in "cd"}
            scalars |= {"p": random.choice((-1, 0, 1, 2, 3))}
            scalars |= {name: random.choice(NUMBERS) for name in "qr"}
            scalars |= {name: random.choice(ranges.get(name, range(-1, 4))) for name in "xyv"}
            yield domain, scalars


def regions(found: FieldIntent, domain: Size) -> Traced:
    sets = (found.irbw, found.reads, found.may_write, found.must_write)
    return Traced(*(points(region.evaluate(domain)) for region in sets))


def assert_equals_brute_force(
    ir: Stencil, table: IntentTable, domain: Size, scalars: Mapping[str, Any], where: object
) -> bool:
    """Whether brute force could be applied; if so both say the same."""
    try:
        expected = trace(ir, extents(ir).box, domain, scalars, table.node)
    except TooManyOutcomesError:
        return False
    fixed = table.at(domain, scalars)
    every = {**fixed, **fixed.temporaries}
    for name, traced in expected.items():
        assert regions(every[name], domain) == traced, (name, domain, scalars, where, to_text(ir))
    return True


@every_program
def test_regions_equal_brute_force_at_every_node(chunk: int, report_share: Share) -> None:
    compared = tried = 0
    for number in numbers(chunk):
        random = Random(f"{SEED}/intents/{number}")
        ir = intent_program(random, Kinds(stores_at_offsets=number % 3 == 0))
        for node in nodes_of(ir):
            table = intents(ir, node)
            for domain, scalars in calls(ir, random, 8):
                compared += assert_equals_brute_force(ir, table, domain, scalars, number)
                tried += 1
    report_share("calls at nodes of random programs that brute force could follow", compared, tried)


@every_program
def test_many_run_time_bounds_are_evaluated_exactly(chunk: int) -> None:
    for number in numbers(chunk):
        random = Random(f"{SEED}/bounds/{number}")
        ir = intent_program(random, Kinds(bounds=("x", "y", "v"), conditions=number % 2 == 0))
        table = intents(ir)
        for domain, scalars in calls(ir, random, 6):
            assert_equals_brute_force(ir, table, domain, scalars, number)


@every_program
def test_printed_regions_hold_from_the_size_that_they_name(chunk: int) -> None:
    for number in numbers(chunk):
        random = Random(f"{SEED}/printed/{number}")
        bounds = ("x",) if number % 2 else ("x", "y")
        ir = intent_program(random, Kinds(conditions=False, bounds=bounds))
        table = intents(ir)
        every = {**table, **table.temporaries}
        for domain, scalars in calls(ir, random, 8):
            fixed = table.at(domain, scalars)
            exact = {**fixed, **fixed.temporaries}
            for name, found in every.items():
                if all(n >= least for n, least in zip(domain, found.generic_from, strict=True)):
                    _assert_printed(ir, found, exact[name], domain, scalars)


def _assert_printed(
    ir: Stencil, found: FieldIntent, exact: FieldIntent, domain: Size, scalars: Mapping[str, Any]
) -> None:
    shown = tuple(getattr(found, region).as_printed(domain, scalars).boxes for region in REGIONS)
    expected = tuple(getattr(exact, region).evaluate(domain) for region in REGIONS)
    # The region of a plane cannot say that a run-time interval is empty.
    is_plane = "K" not in found.axes.value and bool(limits_of(ir, 0).offsets)
    holds = _is_safe(shown, expected) if is_plane else shown == expected
    assert holds, (found.name, shown, expected, domain, scalars, to_text(ir))


def _is_safe(shown: tuple[tuple[Box, ...], ...], expected: tuple[tuple[Box, ...], ...]) -> bool:
    """Whether all that may be is shown, and only what must be."""
    *may, must = zip(map(points, shown), map(points, expected), strict=True)
    return all(wide >= exact for wide, exact in may) and must[0] <= must[1]


def _assert_printed_safely(ir: Stencil, random: Random, levels: int) -> None:
    table = intents(ir)
    for domain, scalars in calls(ir, random, levels):
        exact = table.at(domain, scalars)
        for name, found in table.items():
            if all(n >= least for n, least in zip(domain, found.generic_from, strict=True)):
                shown = tuple(getattr(found, r).as_printed(domain, scalars).boxes for r in REGIONS)
                sure = tuple(getattr(exact[name], r).evaluate(domain) for r in REGIONS)
                assert _is_safe(shown, sure), (name, domain, scalars, to_text(ir))


@every_program
def test_many_run_time_bounds_are_printed_safely(chunk: int) -> None:
    for number in numbers(chunk):
        random = Random(f"{SEED}/printed bounds/{number}")
        ir = intent_program(random, Kinds(bounds=("x", "y", "v"), conditions=False))
        _assert_printed_safely(ir, random, 4)


@every_program
def test_regions_under_conditions_on_run_time_bounds_are_printed_safely(chunk: int) -> None:
    for number in numbers(chunk):
        random = Random(f"{SEED}/decided/{number}")
        ir = intent_program(random, Kinds(masks=number % 2 == 0))
        _assert_printed_safely(ir, random, 6)


@every_program
@pytest.mark.parametrize("numbers_decide", [False, True])
def test_exactly_one_case_holds_and_it_tells_the_intent(chunk: int, numbers_decide: bool) -> None:
    for number in numbers(chunk):
        random = Random(f"{SEED}/cases/{number}")
        bounds = ("x",) if number % 3 else ("x", "y")
        ir = intent_program(random, Kinds(numbers=numbers_decide, masks=not numbers_decide, bounds=bounds))
        table = intents(ir)
        for (_, _, nk), scalars in calls(ir, random, 5):
            exact = table.at((5, 5, nk), scalars)
            for name, found in table.items():
                values = {**scalars, "nk": nk}
                held = [intent for condition, intent in found.cases if bool(condition.subs(values))]
                assert held == [exact[name].intent], (name, values, found.cases, to_text(ir))


@every_program
def test_comparisons_of_numbers_and_nan_are_followed_exactly(chunk: int) -> None:
    for number in numbers(chunk):
        random = Random(f"{SEED}/numbers/{number}")
        ir = intent_program(random, Kinds(numbers=True, masks=False))
        table = intents(ir)
        for domain, scalars in calls(ir, random, 2):
            for r in (*NUMBERS, nan):
                assert_equals_brute_force(ir, table, domain, {**scalars, "r": r}, number)


@every_program
def test_reads_of_unset_temporaries_are_found_exactly(chunk: int) -> None:
    for number in numbers(chunk):
        random = Random(f"{SEED}/unset/{number}")
        ir = intent_program(random, Kinds())
        reported = {read.name for read in unset_reads(ir)}
        temporaries = intents(ir).temporaries
        assert reported == {name for name, found in temporaries.items() if found.irbw}, to_text(ir)
        zeroed = intents(zero_unset_temporaries(ir)).temporaries
        assert not any(found.irbw for found in zeroed.values()), to_text(ir)
        for domain, scalars in calls(ir, random, 3):
            try:
                traced = trace(ir, extents(ir).box, domain, scalars)
            except TooManyOutcomesError:
                continue
            assert {name for name in temporaries if traced[name].irbw} <= reported, to_text(ir)


@every_program
def test_reads_that_are_certainly_unset_see_unset_points_on_large_domains(chunk: int) -> None:
    for number in numbers(chunk):
        ir = intent_program(Random(f"{SEED}/certain/{number}"), Kinds(conditions=False, bounds=()))
        certain = {read.name for read in unset_reads(ir) if read.certain}
        scalars = {"c": False, "d": False}
        try:
            traced = trace(ir, extents(ir).box, (8, 8, required_levels(ir) + 8), scalars)
        except TooManyOutcomesError:
            continue
        assert certain <= {name for name, found in traced.items() if found.irbw}, to_text(ir)


@every_program
def test_the_unconditional_answer_joins_all_calls(chunk: int) -> None:
    for number in numbers(chunk):
        random = Random(f"{SEED}/joined/{number}")
        _assert_joins(intent_program(random, Kinds()), random)


def _assert_joins(ir: Stencil, random: Random) -> None:
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

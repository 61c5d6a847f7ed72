"""The random programs about intents reach what they are for, so that their tests are not vacuous."""

from collections import Counter
from random import Random

from iir.analyses.extents import extents
from iir.analyses.intents import Intent, intents
from iir.analyses.required_levels import required_levels
from iir.expressions import CENTER, FieldAccess
from iir.interval import Bound
from iir.nodes import LoopOrder, MultiStage
from iir.statements import Assign, If
from iir.traversal import walk
from tests.intent_programs import Kinds, intent_program
from tests.strategies import SEED
from tests.tracer import TooManyOutcomesError, trace

PROGRAMS = 100


def test_programs_have_every_kind_of_construct() -> None:
    counts: Counter[object] = Counter()
    for number in range(PROGRAMS):
        ir = intent_program(Random(f"{SEED}/intents/{number}"), Kinds(stores_at_offsets=number % 3 == 0))
        for node in walk(ir):
            match node:
                case MultiStage(order):
                    counts[order] += 1
                case If(condition, _, orelse):
                    is_mask = any(isinstance(item, FieldAccess) for item in walk(condition))
                    counts["mask" if is_mask else "condition", bool(orelse)] += 1
                    counts["nested"] += any(isinstance(item, If) for item in (*node.then, *orelse))
                case Assign(target, _):
                    counts["moved store"] += target.offset != CENTER
                    counts[target.name] += 1
                case FieldAccess(_, offset):
                    counts["neighbour"] += bool(offset.i or offset.j)
                    counts["other level"] += bool(offset.k)
                case Bound(str()):
                    counts["run-time bound"] += 1
    expected = [*LoopOrder, *"abtzs", "nested", "moved store", "neighbour", "other level", "run-time bound"]
    expected += [(kind, has_else) for kind in ("mask", "condition") for has_else in (False, True)]
    assert all(counts[item] > 0 for item in expected), counts


def test_answers_are_of_every_kind() -> None:
    counts: Counter[object] = Counter()
    for number in range(PROGRAMS):
        ir = intent_program(Random(f"{SEED}/cases/{number}"), Kinds())
        for found in intents(ir).values():
            counts[found.intent] += 1
            counts["partial"] += found.partial
            counts["cases"] += len(found.cases) > 1
            counts["halo-in"] += any(box.i != box.j for box in found.irbw.boxes)
            counts["large"] += found.generic_from != (1, 1, max(1, required_levels(ir)))
    assert all(counts[intent] > 3 for intent in Intent), counts
    assert all(counts[kind] > 3 for kind in ("partial", "cases", "halo-in", "large")), counts


def test_few_programs_have_too_many_outcomes_for_brute_force() -> None:
    refused = 0
    for number in range(PROGRAMS):
        ir = intent_program(Random(f"{SEED}/intents/{number}"), Kinds(bounds=()))
        scalars = {"c": True, "d": False, "p": 1, "x": 1}
        try:
            trace(ir, extents(ir).box, (2, 2, required_levels(ir) + 1), scalars)
        except TooManyOutcomesError:
            refused += 1
    assert refused < PROGRAMS // 5

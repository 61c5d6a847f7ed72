"""Dependences between units, and which of them a sweep keeps."""

import pytest

from iir.analyses.dependencies import (
    Dependence,
    DependenceKind,
    Summary,
    dependences,
    footprint,
    is_kept_by_sweep,
    sweep_in_place,
    units,
)
from iir.expressions import Offset
from iir.nodes import LoopOrder
from tests.unit.iir.textual import parallel


def between(first: str, second: str) -> set[Dependence]:
    one, two = units(parallel(first, second).multistages[0])
    summary = Summary()
    summary.add(one.footprint)
    return set(dependences(summary, two.footprint))


def test_store_then_read_is_a_flow_dependence_at_the_offset_of_the_read() -> None:
    assert between("b = a", "out = b[1, 0, 0] + b") == {
        Dependence(DependenceKind.FLOW, "b", Offset(1, 0, 0)),
        Dependence(DependenceKind.FLOW, "b", Offset(0, 0, 0)),
    }


def test_read_then_store_is_an_anti_dependence_at_the_offset_of_the_read() -> None:
    assert between("out = b[0, 0, -1]", "b = a") == {
        Dependence(DependenceKind.ANTI, "b", Offset(0, 0, -1)),
    }


def test_two_stores_are_an_output_dependence() -> None:
    assert between("b = a", "b = plane") == {Dependence(DependenceKind.OUTPUT, "b")}


def test_two_reads_are_none() -> None:
    assert between("b = a", "out = a") == set()


def test_calls_with_effects_stay_in_order() -> None:
    first, second = 'b = call "m:f"(a) effects(write)', 'out = call "m:f"(a) effects(any)'
    assert between(first, second) == {Dependence(DependenceKind.EFFECT, "")}


def test_conditional_is_one_unit_with_everything_in_it() -> None:
    (unit,) = units(parallel("if a > 0.0", "  b = plane", "else", "  out = b[1, 0, 0]").multistages[0])
    assert unit.footprint == footprint(unit.statement)
    assert dict.fromkeys(name for name, _ in unit.footprint.reads) == dict.fromkeys(("a", "plane", "b"))
    assert unit.footprint.stores == ("b", "out")


@pytest.mark.parametrize("order", [LoopOrder.FORWARD, LoopOrder.BACKWARD])
def test_sweep_keeps_reads_behind_it_of_new_values_and_ahead_of_it_of_old_ones(order: LoopOrder) -> None:
    behind = -1 if order is LoopOrder.FORWARD else 1
    for distance, flow, anti in ((behind, True, False), (0, True, True), (-behind, False, True)):
        offset = Offset(0, 0, distance)
        assert is_kept_by_sweep(Dependence(DependenceKind.FLOW, "b", offset), order) is flow
        assert is_kept_by_sweep(Dependence(DependenceKind.ANTI, "b", offset), order) is anti
    assert is_kept_by_sweep(Dependence(DependenceKind.OUTPUT, "b"), order)
    assert not is_kept_by_sweep(Dependence(DependenceKind.EFFECT, ""), order)


@pytest.mark.parametrize(
    ("value", "order"),
    [
        ("b[0, 0, 1] + b", LoopOrder.FORWARD),
        ("b[0, 0, -1]", LoopOrder.BACKWARD),
        ("b[0, 0, -1] + b[0, 0, 1]", None),
        ("b[1, 0, 1]", None),
        ("b + a[0, 0, 1]", None),
    ],
)
def test_sweep_towards_what_is_read_stores_in_place(value: str, order: LoopOrder | None) -> None:
    (unit,) = units(parallel(f"b = {value}").multistages[0])
    assert sweep_in_place(unit.statement) is order


def test_conditional_of_several_statements_is_not_stored_in_place() -> None:
    """Its second statement must see what the first has stored on the level ahead."""
    (unit,) = units(parallel("if c", "  b = a", "  b = b[0, 0, 1]").multistages[0])
    assert sweep_in_place(unit.statement) is None
    (unit,) = units(parallel("if b[0, 0, 1] > 0.0", "  b = b[0, 0, 1]").multistages[0])
    assert sweep_in_place(unit.statement) is LoopOrder.FORWARD

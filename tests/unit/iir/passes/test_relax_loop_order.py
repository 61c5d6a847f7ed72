"""A sweep whose levels are independent becomes parallel."""

import pytest

from iir.passes.relax_loop_order import relax_loop_order
from tests.unit.iir.textual import assert_keeps, assert_turns_into, computation, parallel


@pytest.mark.parametrize("order", ["forward", "backward"])
def test_sweep_without_dependences_between_levels_becomes_parallel(order: str) -> None:
    lines = ("b = a[0, 0, 1]", "out = b[1, 0, 0] + a[0, 0, -1]")
    assert_turns_into(relax_loop_order, computation(order, *lines), parallel(*lines))


@pytest.mark.parametrize(
    "lines",
    [
        ("b = b[0, 0, -1]",),
        ("b = b[0, 0, 1]",),
        ("b = a", "out = b[0, 0, -1]"),
        ("plane = plane + a",),
        ('b = call "m:f"(a) effects(any)',),
        ('check user(a > 0.0, "bad") key(0, 0)',),
    ],
)
def test_sweep_whose_order_can_be_seen_stays(lines: tuple[str, ...]) -> None:
    assert_keeps(relax_loop_order, computation("forward", *lines))

"""Multistages are joined where every dependence is kept."""

import pytest

from iir.nodes import Stencil
from iir.passes.merge_multistages import merge_multistages
from tests.unit.iir.textual import assert_keeps, assert_turns_into, program

Parts = tuple[tuple[str, str], ...]


def apart(*parts: tuple[str, str]) -> Stencil:
    heads = "multistage {}\n  stage\n    do [start, end)\n      {}\n"
    return program(
        "temporary t: f64[IJK]\ntemporary z: f64[IJ]\n" + "".join(heads.format(*part) for part in parts)
    )


def joined(order: str, *statements: str) -> Stencil:
    stages = "".join(f"\n  stage\n    do [start, end)\n      {statement}" for statement in statements)
    return program(f"temporary t: f64[IJK]\ntemporary z: f64[IJ]\nmultistage {order}{stages}")


def test_parallel_multistages_with_independent_levels_are_joined() -> None:
    before = apart(("parallel", "t = a"), ("parallel", "out = t[1, 0, 0]"), ("parallel", "b = a"))
    assert_turns_into(merge_multistages, before, joined("parallel", "t = a", "out = t[1, 0, 0]", "b = a"))


@pytest.mark.parametrize(("first", "second"), [("t = a", "out = t[0, 0, 1]"), ("out = b[0, 0, 1]", "b = a")])
def test_parallel_multistages_that_meet_at_other_levels_stay_apart(first: str, second: str) -> None:
    assert_keeps(merge_multistages, apart(("parallel", first), ("parallel", second)))


@pytest.mark.parametrize(
    ("orders", "result"),
    [
        (("forward", "forward"), "forward"),
        (("backward", "backward"), "backward"),
        (("parallel", "forward"), "forward"),
        (("forward", "parallel"), "forward"),
        (("backward", "parallel"), "backward"),
    ],
)
def test_sweep_takes_in_a_neighbour_of_its_order_or_parallel(orders: tuple[str, str], result: str) -> None:
    before = apart((orders[0], "t = a"), (orders[1], "out = t"))
    assert_turns_into(merge_multistages, before, joined(result, "t = a", "out = t"))


def test_sweeps_of_opposite_orders_stay_apart() -> None:
    assert_keeps(merge_multistages, apart(("forward", "t = a"), ("backward", "out = t")))


@pytest.mark.parametrize(
    ("order", "read", "is_joined"),
    [
        ("forward", "t[0, 0, -1]", True),
        ("forward", "t[0, 0, 1]", False),
        ("backward", "t[0, 0, 1]", True),
        ("backward", "t[0, 0, -1]", False),
    ],
)
def test_stored_values_are_read_at_or_behind_the_level_of_the_sweep(
    order: str, read: str, is_joined: bool
) -> None:
    before = apart((order, "t = a"), (order, f"out = {read} + b"))
    if is_joined:
        assert_turns_into(merge_multistages, before, joined(order, "t = a", f"out = {read} + b"))
    else:
        assert_keeps(merge_multistages, before)


@pytest.mark.parametrize(
    ("order", "read", "is_joined"),
    [
        ("forward", "b[0, 0, 1]", True),
        ("forward", "b[0, 0, -1]", False),
        ("backward", "b[0, 0, -1]", True),
        ("backward", "b[0, 0, 1]", False),
    ],
)
def test_values_to_be_replaced_are_read_at_or_ahead_of_the_level_of_the_sweep(
    order: str, read: str, is_joined: bool
) -> None:
    before = apart((order, f"t = {read}"), (order, "b = t"))
    if is_joined:
        assert_turns_into(merge_multistages, before, joined(order, f"t = {read}", "b = t"))
    else:
        assert_keeps(merge_multistages, before)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        pytest.param("t = a", "out = t[1, 0, 0]", id="columns would depend on each other"),
        pytest.param("b = a", "out = b", id="no temporary passes"),
        pytest.param("z = a", "out = z", id="a plane passes"),
    ],
)
def test_sweeps_stay_apart(first: str, second: str) -> None:
    assert_keeps(merge_multistages, apart(("forward", first), ("forward", second)))


def test_check_does_not_become_part_of_a_sweep() -> None:
    assert_keeps(
        merge_multistages,
        apart(("forward", "t = a"), ("parallel", 'check user(t > 0.0, "bad") key(1, 0)')),
    )

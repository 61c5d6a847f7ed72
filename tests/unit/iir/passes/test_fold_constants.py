"""Constants are folded bit for bit, and nothing else is."""

import pytest

from iir.passes.fold_constants import fold_constants
from tests.unit.iir.textual import assert_keeps, assert_turns_into, parallel


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("1.0 + 2.0", "3.0"),
        ("0.1 + 0.2", "0.30000000000000004"),
        ("1.0 / 3.0 * a", "0.3333333333333333 * a"),
        ("f64(0.1f32 + 0.2f32)", "0.30000001192092896"),
        ("1.0 / 0.0", "$inf"),
        ("1.0 / -0.0", "-$inf"),
        ("0.0 / 0.0", "$nan"),
        ("-(0.0)", "-0.0"),
        ("f64(f32(0.1))", "0.10000000149011612"),
        ("a if 1.0 < 2.0 else b", "a"),
        ("a if $nan == $nan else b", "b"),
        ("a if not (1 > 2) and c else b", "a if c else b"),
        ("a if c or True else b", "a"),
        ("a if False and a > b else b", "b"),
    ],
)
def test_constants_are_evaluated_in_their_dtype(before: str, after: str) -> None:
    assert_turns_into(fold_constants, parallel(f"out = {before}"), parallel(f"out = {after}"))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("100i8 + 100i8", "-56i8"),
        ("-128i8 - 1i8", "127i8"),
        ("i8(300)", "44i8"),
        ("i8(1e10)", "127i8"),
        ("i8(-$inf)", "-128i8"),
        ("i8($nan)", "0i8"),
        ("i8(-3.7)", "-3i8"),
        ("-(-128i8)", "-128i8"),
    ],
)
def test_integers_wrap_and_floats_saturate(before: str, after: str) -> None:
    declaration = "temporary t: i8[IJK]"
    assert_turns_into(
        fold_constants, parallel(declaration, f"t = {before}"), parallel(declaration, f"t = {after}")
    )


def test_largest_integer_is_what_a_large_float_saturates_to() -> None:
    declaration = "temporary t: i64[IJK]"
    assert_turns_into(
        fold_constants,
        parallel(declaration, "t = i64(9223372036854775808.0)"),
        parallel(declaration, "t = 9223372036854775807"),
    )


@pytest.mark.parametrize(
    "value",
    [
        "a + 0.0",
        "a * 1.0",
        "a - a",
        "a * 0.0",
        "exp(1.0)",
        "2.0 ** 0.5",
        "7.0 // 2.0",
        "sqrt(4.0)",
        "1.0 + a + 2.0",
    ],
)
def test_identities_and_functions_are_left_to_run_time(value: str) -> None:
    assert_keeps(fold_constants, parallel(f"out = {value}"))


def test_folded_constant_keeps_its_span() -> None:
    ir = parallel("out = 1.0 + 2.0")
    (before,) = ir.multistages[0].stages[0].do_methods[0].body
    (after,) = fold_constants(ir).multistages[0].stages[0].do_methods[0].body
    assert after.value.span == before.value.span is not None  # type: ignore[union-attr]

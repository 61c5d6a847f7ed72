"""Temporaries that may be read unset are set to zero before their first store."""

from textwrap import dedent

import pytest

from iir.analyses.unset_reads import unset_reads
from iir.nodes import Stencil
from iir.passes.zero_unset_temporaries import zero_unset_temporaries
from tests.unit.iir.textual import assert_keeps, assert_turns_into, computation, parallel, program

T = "temporary t: f64[IJK]"


def test_temporary_of_one_do_method_is_zeroed_in_it() -> None:
    before = parallel(T, "out = a", "if a > 0.0", "  t = b", "out = out + t")
    after = parallel(T, "out = a", "t = 0.0", "if a > 0.0", "  t = b", "out = out + t")
    assert_turns_into(zero_unset_temporaries, before, after)


@pytest.mark.parametrize(
    ("dtype", "zero", "value"), [("f32", "0.0f32", "1.0f32"), ("i8", "0i8", "1i8"), ("bool", "False", "True")]
)
def test_zero_has_the_dtype_of_the_temporary(dtype: str, zero: str, value: str) -> None:
    declaration = f"temporary t: {dtype}[IJK]"
    body = ("if c", f"  t = {value}", "out = f64(t)")
    after = parallel(declaration, f"t = {zero}", *body)
    assert_turns_into(zero_unset_temporaries, parallel(declaration, *body), after)


def test_levels_that_another_do_method_reads_are_zeroed_in_front() -> None:
    body = """
        multistage parallel
          stage
            do [start, x)
              t = a
            do [start+1, end)
              out = t
    """
    zeroing = """
        multistage parallel
          stage
            do [start+1, end)
              t = 0.0
    """
    assert_turns_into(zero_unset_temporaries, program(_with(T, body)), program(_with(T, zeroing, body)))


def test_levels_outside_the_domain_are_zeroed_too() -> None:
    before = program(
        _with(T, "multistage forward\n  stage\n    do [x, end)\n      out = t[0, 0, -1]\n      t = a")
    )
    result = zero_unset_temporaries(before)
    assert unset_reads(before) and not unset_reads(result)
    assert len(result.multistages) == 2


def test_plane_is_zeroed_on_one_level() -> None:
    z = "temporary z: f64[IJ]"
    before = computation("forward", z, "z = z + a", "out = z")
    after = program(
        _with(
            z,
            "multistage parallel\n  stage\n    do [start, start+1)\n      z = 0.0",
            "multistage forward\n  stage\n    do [start, end)\n      z = z + a\n      out = z",
        )
    )
    assert_turns_into(zero_unset_temporaries, before, after)


def test_sweep_that_reads_other_levels_is_zeroed_in_front_and_others_inside() -> None:
    before = computation("forward", T, "if c", "  t = a", "out = t")
    after = computation("forward", T, "t = 0.0", "if c", "  t = a", "out = t")
    assert_turns_into(zero_unset_temporaries, before, after)
    assert (
        _count(zero_unset_temporaries(computation("forward", T, "if c", "  t = a", "out = t + t[0, 0, -1]")))
        == 2
    )


def test_temporary_that_is_always_set_stays() -> None:
    assert_keeps(
        zero_unset_temporaries,
        parallel(T, "if a > 0.0", "  t = a", "else", "  t = b", "out = t + t[1, 0, 0]"),
    )


def test_plane_that_nothing_stores_is_zeroed_on_one_level_too() -> None:
    z = "temporary z: f64[IJ]"
    after = program(
        _with(
            z,
            "multistage parallel\n  stage\n    do [start, start+1)\n      z = 0.0",
            "multistage parallel\n  stage\n    do [start, end)\n      out = z",
        )
    )
    assert_turns_into(zero_unset_temporaries, parallel(z, "out = z"), after)


def _with(*parts: str) -> str:
    return "\n".join(dedent(part).strip("\n") for part in parts)


def _count(ir: Stencil) -> int:
    return len(ir.multistages)

"""A statement that reads its own target off-centre evaluates into a version first."""

import pytest

from iir.analyses.intents import intents
from iir.nodes import Stencil
from iir.passes.version_fields import version_fields
from tests.unit.iir.textual import assert_keeps, assert_turns_into, computation, parallel, program

NEW = "temporary b_new: f64[IJK]"


def test_neighbour_of_the_target_is_read_before_the_store() -> None:
    before = parallel("b = b[1, 0, 0] + a")
    assert_turns_into(version_fields, before, parallel(NEW, "b_new = b[1, 0, 0] + a", "b = b_new"))


def test_levels_on_both_sides_of_the_target_are_read_before_the_store() -> None:
    before = parallel("b = b[0, 0, -1] + b[0, 0, 1]")
    assert_turns_into(version_fields, before, parallel(NEW, "b_new = b[0, 0, -1] + b[0, 0, 1]", "b = b_new"))


@pytest.mark.parametrize("value", ["b[0, 0, 1] + b", "b[0, 0, -1] * b[0, 0, -2]"])
def test_levels_on_one_side_are_left_to_a_sweep_of_their_own(value: str) -> None:
    assert_keeps(version_fields, parallel(f"b = {value}"))


def test_levels_on_one_side_with_neighbours_are_not() -> None:
    before = parallel("b = b[1, 0, 1]")
    assert_turns_into(version_fields, before, parallel(NEW, "b_new = b[1, 0, 1]", "b = b_new"))


@pytest.mark.parametrize("order", ["forward", "backward"])
def test_sweep_stores_in_place_unless_it_reads_neighbours(order: str) -> None:
    assert_keeps(version_fields, computation(order, "b = b[0, 0, -1] + b[0, 0, 1]"))
    before = computation(order, "b = b[0, 1, 0]")
    assert_turns_into(version_fields, before, computation(order, NEW, "b_new = b[0, 1, 0]", "b = b_new"))


def test_version_of_a_plane_is_a_plane() -> None:
    before = computation("forward", "plane = plane[1, 0] + a")
    after = computation(
        "forward",
        "temporary plane_new: f64[IJ]",
        "plane_new = plane[1, 0] + a",
        "plane = plane_new",
    )
    assert_turns_into(version_fields, before, after)


def test_guarded_statement_evaluates_everywhere_and_stores_where_it_is_guarded() -> None:
    before = parallel("if c", "  b = b[1, 0, 0]")
    assert_turns_into(version_fields, before, parallel(NEW, "b_new = b[1, 0, 0]", "if c", "  b = b_new"))


def test_guarded_call_stays_guarded() -> None:
    before = parallel("if b > 0.0", '  b, out = call "m:f"(b[1, 0, 0])')
    after = parallel(
        "temporary mask: bool[IJK]",
        NEW,
        "temporary out_new: f64[IJK]",
        "mask = b > 0.0",
        "if mask",
        '  b_new, out_new = call "m:f"(b[1, 0, 0])',
        "if mask",
        "  b = b_new",
        "if mask",
        "  out = out_new",
    )
    assert_turns_into(version_fields, before, after)


def test_guard_of_a_check_is_versioned() -> None:
    t = "temporary t: f64[IJK]"
    before = parallel(t, "t = a", 'check user(a > 0.0, "bad") guard(t = t[1, 0, 0]) key(0, 0)', "out = t")
    after = parallel(
        t,
        "temporary t_new: f64[IJK]",
        "t = a",
        'check user(a > 0.0, "bad") guard(t_new = t[1, 0, 0]) key(0, 0)',
        "t = t_new",
        "out = t",
    )
    assert_turns_into(version_fields, before, after)


def test_two_versions_of_a_field_have_two_names() -> None:
    before = parallel("b = b[1, 0, 0]", "b = b[0, 1, 0]")
    after = parallel(
        NEW,
        "temporary b_new_1: f64[IJK]",
        "b_new = b[1, 0, 0]",
        "b = b_new",
        "b_new_1 = b[0, 1, 0]",
        "b = b_new_1",
    )
    assert_turns_into(version_fields, before, after)


def test_center_of_the_target_is_no_reason() -> None:
    assert_keeps(version_fields, parallel("b = b + a[1, 0, 0]"))


def copies(ir: Stencil, version: str) -> tuple[str, str]:
    """Where the version is computed and where it is read; both are certain, and nothing else is."""
    found = intents(version_fields(ir)).temporaries[version]
    assert not found.irbw
    assert str(found.must_write) == str(found.may_write)
    return str(found.may_write), str(found.reads)


def test_version_of_an_argument_is_computed_on_the_levels_that_are_stored() -> None:
    ir = program("""
        multistage parallel
          stage
            do [start+1, end-2)
              b = b[1, 0, 0] + b[-1, 0, 0]
    """)
    assert copies(ir, "b_new") == ("k=[start+1, end-2)", "k=[start+1, end-2)")


def test_version_of_a_temporary_is_computed_where_it_is_needed() -> None:
    ir = parallel("temporary t: f64[IJK]", "t = a", "t = t[1, 0, 0]", "out = t[0, 1, 0]")
    written, read = copies(ir, "t_new")
    assert written == read == "j=[start+1, end+1), k=[start, end)"


def test_version_of_a_plane_is_computed_on_the_plane() -> None:
    assert copies(computation("forward", "plane = plane[1, 0] + a"), "plane_new") == ("plane", "plane")


def test_field_is_copied_only_where_one_statement_sees_what_it_overwrites() -> None:
    """The access mode of 'b' is read-write in both."""
    assert_keeps(version_fields, parallel("b = a[1, 0, 0]", "out = b[1, 0, 0]"))
    assert "b_new" in intents(version_fields(parallel("b = b[1, 0, 0]", "out = b"))).temporaries

"""What is copied and compared: regions as Fortran, conditions on scalars, points that are perhaps written."""

import pytest

from backends.fortran.regions import boxes_text
from backends.fortran.spec import StencilSpec, stencil_spec
from backends.fortran.verification import Copy, FieldCheck, field_checks
from iir.boxes import BoxSet
from iir.nodes import Axes
from iir.parser import from_text
from iir.region import Region

SCALARS = "c: bool, d: bool, r: f64, n: i64"


def spec(*lines: str) -> StencilSpec:
    """A stencil with fields a, b, m on all levels; a line that begins with ``[`` is an interval."""
    text = [f"stencil s(a: f64[IJK], b: f64[IJK], m: f64[IJK], {SCALARS})", "  multistage parallel"]
    for line in lines:
        text += ["    stage", f"      do {line}"] if line.startswith("[") else [f"        {line}"]
    return stencil_spec(from_text("\n".join(text) + "\n"))


def check(*lines: str, field: str = "a") -> FieldCheck:
    names = {name: name for name in ("c", "d", "r", "n")}
    (found,) = (item for item in field_checks(spec(*lines), names) if item.field.name == field)
    return found


def shown(copies: tuple[Copy, ...]) -> list[tuple[str, str]]:
    """The levels of each copy, and its condition."""
    return [
        (
            " | ".join(f"{box.k.lower[0].anchor}{box.k.lower[0].offset:+}" for box in copy.boxes),
            copy.condition,
        )
        for copy in copies
    ]


ALL = "[start, end)"


def test_what_is_written_before_it_is_read_is_not_copied() -> None:
    found = check(ALL, "a = 1.0", "b = a")
    assert (found.copies, found.is_changed) == ((), ".true.")


def test_what_is_seen_is_copied() -> None:
    assert shown(check(ALL, "b = a[0, 0, 1]", "a = b").copies) == [("Anchor.START+1", ".true.")]


def test_points_that_are_seen_and_points_that_are_kept_are_copied_once() -> None:
    (copy,) = check(ALL, "if m > 0.0", "  a = 1.0", "  b = a[1, 0, 0]").copies
    sizes = [len(BoxSet(Region(Axes.IJK, (box,)).evaluate((5, 4, 3)))) for box in copy.boxes]
    assert sum(sizes) == 6 * 4 * 3


def test_what_is_perhaps_not_written_is_copied() -> None:
    copies = check(ALL, "if m > 0.0", "  a = 1.0", "[start, start+1)", "a = 2.0").copies
    assert shown(copies) == [("Anchor.START+1", ".true.")]


def test_a_level_that_is_seen_and_perhaps_kept_is_copied_once() -> None:
    (copy,) = check(ALL, "b = a", "if m > 0.0", "  a = 1.0").copies
    assert len(copy.boxes) == 1


@pytest.mark.parametrize(
    ("condition", "text"),
    [
        ("c", "c"),
        ("not c", ".not. c"),
        ("r > 1.0", "(r > 1.0_wp)"),
        ("r == -0.5", "(r >= (-0.5_wp) .and. r <= (-0.5_wp))"),
        ("r != 1e300", "(.not. (r >= 1e+300_wp .and. r <= 1e+300_wp))"),
        ("n + 1 < 3", "((n + 1_c_int64_t) < 3_c_int64_t)"),
        ("c == d", "(c .eqv. d)"),
        ("c != d", "(c .neqv. d)"),
    ],
)
def test_copies_stand_under_the_condition_of_the_intent(condition: str, text: str) -> None:
    found = check(ALL, "b = a", f"if {condition}", "  a = 1.0")
    assert found.is_changed == text
    assert {copy.condition for copy in found.copies} == {text}


def test_conditions_that_are_joined_are_copied_as_such() -> None:
    found = check(ALL, "b = a", "if c and d", "  a = 1.0")
    assert found.is_changed == "c .and. d"
    assert shown(found.copies) == [("Anchor.START+0", "c .and. d")]


def test_a_condition_that_fortran_has_not_counts_as_met() -> None:
    found = check(ALL, "b = a", "if sqrt(r) > 2.0", "  a = 1.0")
    assert found.is_changed == ".true."
    assert shown(found.copies) == [("Anchor.START+0", ".true.")]


def test_under_a_flag_an_output_is_not_copied() -> None:
    found = check(ALL, "if c", "  a = 1.0")
    assert (found.is_changed, found.copies) == ("c", ())


def test_a_run_time_bound_decides_by_levels() -> None:
    found = check("[start, n)", "a = 1.0", ALL, "b = a")
    assert shown(found.copies) == [("n+0", "n >= 1 .and. n < size_k")]


def test_a_run_time_bound_of_a_read_leaves_all_that_may_be_written() -> None:
    found = check(ALL, "if m > 0.0", "  a = 1.0", "[start, n)", "b = a")
    assert [shown((copy,))[0][0] for copy in found.copies][-1].endswith("Anchor.START+0")


def test_boxes_are_first_and_last_points() -> None:
    found = check("[start, n)", "a = 1.0", "[n, end-1)", "b = a[0, 0, 1]")
    boxes = boxes_text(found.compared, found.field.axes, {"n": "n"})
    assert boxes == (
        "reshape([first_point(1), first_point(2), first_point(3), last_point(1), last_point(2), "
        "first_point(3) + int(n, c_int64_t) - 1], [6, 1])"
    )

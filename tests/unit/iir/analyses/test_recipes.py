"""Which assignments give a temporary its value."""

import pytest

from iir.analyses.recipes import Recipe, places
from iir.expressions import CENTER, Offset
from tests.unit.iir.textual import parallel

T = "temporary t: f64[IJK]"
W = "temporary w: f64[IJK]"


def recipe(*lines: str, most: int = 9) -> Recipe | None:
    return places(parallel(W, T, *lines)).recipe("t", most)


def test_recipe_has_all_assignments_and_what_they_read() -> None:
    found = recipe("t = a[1, 0, 0] + b", "t = t * a", "out = t")
    inputs = (("a", Offset(1, 0, 0)), ("b", CENTER), ("a", CENTER))
    assert found == Recipe("t", ("t",), (0, 1), inputs, 2)


def test_what_is_used_in_the_run_only_belongs_to_the_recipe() -> None:
    found = recipe("w = a + b", "b = 1.0", "t = w * w", "out = t")
    assert found == Recipe("t", ("t", "w"), (0, 2), (("a", CENTER), ("b", CENTER)), 2)


def test_what_is_needed_elsewhere_too_is_an_input() -> None:
    found = recipe("w = a + b", "t = w * w", "out = t[1, 0, 0] + w[1, 0, 0]")
    assert found == Recipe("t", ("t",), (1,), (("w", CENTER),), 1)


def test_what_must_be_on_the_heap_is_an_input_and_has_no_recipe() -> None:
    found = places(parallel(f"{W} heap", T, "w = a + b", "t = w * w", "out = t"))
    assert found.recipe("t", 9) == Recipe("t", ("t",), (1,), (("w", CENTER),), 1)
    assert found.recipe("w", 9) is None


@pytest.mark.parametrize(
    "lines",
    [
        ("out = t",),
        ("t = t + a", "out = t"),
        ("out = t", "t = a"),
        ("if c", "  t = a", "out = t"),
        ("if c", "  w = a", "t = w", "out = t"),
        ("t = a", "t = t + t[1, 0, 0]", "out = t"),
        ('t = call "m:f"(a)', "out = t"),
    ],
)
def test_there_is_no_recipe_where_something_else_may_set_it(lines: tuple[str, ...]) -> None:
    assert recipe(*lines) is None


def test_long_recipes_are_none() -> None:
    lines = ("t = a", *["t = t + a"] * 3, "out = t")
    assert recipe(*lines, most=4) is not None
    assert recipe(*lines, most=3) is None


def test_statements_on_one_box_share_a_run() -> None:
    found = places(parallel(W, T, "w = a", "t = w", "out = t[1, 0, 0]", "b = w[1, 0, 0]"))
    assert [place.run for place in found.items] == [1, 1, 2, 2]

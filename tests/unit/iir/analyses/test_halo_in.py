"""A note tells where a written field is read outside the domain, and nowhere else."""

import pytest

from iir.analyses.halo_in import diagnose_halo_in
from iir.diagnostics import render
from iir.parser import from_text

SWEEPS = """\
stencil s(u: f64[IJK], out: f64[IJK], plane: f64[IJ])
  temporary t: f64[IJK]
  multistage {order}
    stage
      do {first}
        {statements}
      do {second}
        {more}
"""


def noted(
    *statements: str,
    order: str = "parallel",
    first: str = "[start, end)",
    second: str = "[start, end)",
    more: str = "out = 0.0",
) -> list[str]:
    """The fields that there are notes about."""
    body = "\n        ".join(statements)
    ir = from_text(SWEEPS.format(order=order, first=first, statements=body, second=second, more=more))
    return [note.message.split("'")[1] for note in diagnose_halo_in(ir)]


def test_the_note_says_what_is_written_and_where_it_is_read() -> None:
    text = SWEEPS.format(
        order="parallel",
        first="[start, end)",
        statements="u = 2.0 * u\n        out = u[-1, 0, 0]",
        second="[start, end)",
        more="out = u[1, 0, 0]",
    )
    (note,) = diagnose_halo_in(from_text(text))
    lines = render(note).splitlines()
    assert lines[0] == "Field 'u' is written at line 6 and then read outside the domain. [halo-in]"
    assert lines[2:] == [
        "    7 |         out = u[-1, 0, 0]",
        "      |               ^^^^^^^^^^^ outside the domain these are the caller's values",
        "  hint: If they are to be computed there too, store them in a temporary and read that.",
    ]


@pytest.mark.parametrize(
    "statements",
    [
        ("u = 1.0", "out = u[0, 1, 0]"),
        ("u = 1.0", "out = u + u[0, 1, 0]"),
        ("u = 1.0", "t = u", "out = t[1, 0, 0]"),
        ("if out > 0.0", "  u = 1.0", "out = u[0, 1, 0]"),
        ("u = 1.0", "if u[0, -1, 0] > 0.0", "  out = u"),
    ],
)
def test_a_read_that_leaves_the_domain_after_a_store_is_noted(statements: tuple[str, ...]) -> None:
    assert noted(*statements) == ["u"]


@pytest.mark.parametrize(
    "statements",
    [
        ("u = u[1, 0, 0]",),
        ("out = u[1, 0, 0]", "u = out"),
        ("u = 1.0", "out = u"),
        ("u = 1.0", "out = u[0, 0, 1]"),
        ("t = 1.0", "u = t[1, 0, 0]"),
        ("out = u[1, 0, 0]",),
    ],
)
def test_reads_of_old_values_and_inside_the_domain_are_not_noted(statements: tuple[str, ...]) -> None:
    assert noted(*statements) == []


def test_levels_that_no_statement_has_stored_are_not_noted() -> None:
    place = {"first": "[start, start+1)", "second": "[start+1, end)"}
    assert noted("u = 1.0", more="out = u[1, 0, 0]", **place) == []
    assert noted("u = 1.0", more="out = u[1, 0, -1]", **place) == ["u"]


@pytest.mark.parametrize(("order", "behind", "ahead"), [("forward", -1, 1), ("backward", 1, -1)])
def test_a_sweep_has_stored_the_levels_that_it_has_come_by(order: str, behind: int, ahead: int) -> None:
    assert noted(f"out = u[1, 0, {behind}]", "u = 1.0", order=order) == ["u"]
    assert noted(f"u = u[1, 0, {behind}]", order=order) == ["u"]
    assert noted("u = 1.0", f"out = u[1, 0, {ahead}]", order=order) == []
    assert noted("out = u[1, 0, 0]", "u = 1.0", order=order) == []
    assert noted("u = 1.0", "out = u[1, 0, 0]", order=order) == ["u"]


def test_a_plane_keeps_what_the_level_before_has_stored() -> None:
    read, store = "out = plane[1, 0]", "plane = 1.0"
    assert noted(read, store, order="forward") == noted(read, store, order="backward") == ["plane"]
    low, high = {"first": "[start, start+1)"}, {"second": "[start+1, end)"}
    assert noted(read, store, order="forward", **low) == []
    assert noted(read, more=store, order="forward", **low, **high) == []
    assert noted(read, more=store, order="backward", **low, **high) == ["plane"]
    assert noted(store, more=read, order="forward", **low, **high) == ["plane"]

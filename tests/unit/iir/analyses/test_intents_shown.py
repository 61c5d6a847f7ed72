"""How intents are shown: table, notes, explanation."""

import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from iir.analyses.intents import explain, intents
from iir.diagnostics import ArgumentError
from iir.nodes import Stencil
from iir.parser import from_text
from iir.printer import to_text

WIDE = from_text(
    """stencil wide(a_field_with_a_long_name: f64[IJK], b: f64[IJK], z: f64[IJ], m: f64[IJK], c: bool, n: i64)
  temporary t: f64[IJK]
  multistage forward
    stage
      do [start+1, end)
        t = b[1, 0, 0] + b[-1, 0, 0] + b[0, 1, 0] + b[0, -1, 0]
        b = t
        if c
          a_field_with_a_long_name = a_field_with_a_long_name[0, 0, -1]
  multistage backward
    stage
      do [start, n)
        if m > 0.0
          b = 1.0
          z = b[1, 0, 0]
      do [n, end)
        a_field_with_a_long_name = b[0, 1, 1]
"""
)

SIMPLE = from_text(
    """stencil simple(a: f64[IJK], b: f64[IJK])
  multistage forward
    stage
      do [start+1, end)
        b = a[0, 0, -1]
        a = b
""",
    "simple text",
)


PARALLEL = """stencil s(a: f64[IJK], b: f64[IJK], z: f64[IJ], m: f64[IJK], c: bool)
  multistage parallel
    stage
      do [start, end)
"""


def parallel(statements: str) -> Stencil:
    return from_text(PARALLEL + "".join(f"        {line}\n" for line in statements.split(";")), "text")


def cell(ir: Stencil, column: int, row: int = 1) -> str:
    """One cell of a table of which no cell is wrapped."""
    return re.split(r"  +", str(intents(ir)).splitlines()[row])[column]


def test_the_table_fits_in_100_columns() -> None:
    lines = str(intents(WIDE)).splitlines()
    assert max(map(len, lines)) <= 100
    assert len(lines) > 6


def test_the_table_has_a_line_for_each_field_in_order() -> None:
    assert str(intents(SIMPLE)) == (
        "field  intent       access      read levels     read before written  written         halo\n"
        "a      inout        read-write  [start, end-1)  [start, start+1)     [start+1, end)  -\n"
        "b      out_partial  read-write  [start+1, end)  -                    [start+1, end)  -\n"
        "'b' keeps, or may keep, its values on k=[start, start+1).\n"
        "'a' is as shown from 2 levels on."
    )


def test_temporaries_stand_behind_the_fields_and_are_never_partial() -> None:
    text = (
        PARALLEL.replace("  multi", "  temporary t: f64[IJK]\n  multi", 1) + "        t = m\n        b = t\n"
    )
    *_, heading, temporary = str(intents(from_text(text))).splitlines()
    assert heading == "temporaries:"
    assert temporary.split() == ["t", "out", "read-write", "[start,", "end)", "-", "[start,", "end)", "-"]


@pytest.mark.parametrize(
    ("statements", "seen"),
    [
        ("b = a[1, 0, 0] + a[-1, 0, 0] + a[0, 1, 0]", "[start, end)"),
        ("b = a[0, 0, -1] + a[1, 0, 0]", "[start-1, end)"),
        ("b = a;a = 1.0;b = a[1, 0, 0]", "[start, end)"),
        ("a = 1.0;b = a[1, 0, 0]", "halo [start, end)"),
        ("a = 1.0;b = a", "-"),
    ],
)
def test_columns_are_shown_where_the_halo_does_not_tell_them(statements: str, seen: str) -> None:
    assert cell(parallel(statements), 4) == seen


def test_columns_are_shown_where_entry_values_of_some_are_seen() -> None:
    found = intents(parallel("if m > 0.0;  a = 1.0;  b = a[1, 0, 0]"))["a"]
    assert str(found.show().seen) == "i=[start+1, end+1), k=[start, end)"


def test_regions_stay_complete_where_the_table_shows_levels() -> None:
    found = intents(parallel("b = a[1, 0, 0] + a[-1, 0, 0]"))["a"]
    assert cell(parallel("b = a[1, 0, 0] + a[-1, 0, 0]"), 4) == "[start, end)"
    assert str(found.irbw) == "i=[start-1, end+1), k=[start, end)"
    assert found.halo == ((1, 1), (0, 0), (0, 0))


def test_a_plane_is_shown_as_one_for_any_size() -> None:
    ir = parallel("a = z + z[1, 0]")
    for table in (intents(ir), intents(ir).at((4, 3, 5))):
        row = str(table).splitlines()[3]
        assert re.split(r"  +", row) == ["z", "in", "read", "plane", "plane", "-", "i=0+1"]


def test_the_table_for_one_call_shows_numbers() -> None:
    assert str(intents(SIMPLE).at((4, 3, 6))).splitlines()[:3] == [
        "field  intent       access      read levels  read before written  written  halo",
        "a      inout        read-write  [0, 5)       [0, 1)               [1, 6)   -",
        "b      out_partial  read-write  [1, 6)       -                    [1, 6)   -",
    ]


def test_the_html_table_has_the_same_cells() -> None:
    cells: list[str] = []
    parser = HTMLParser()
    parser.handle_data = cells.append  # type: ignore[method-assign, assignment]
    parser.feed(intents(SIMPLE)._repr_html_())
    for word in ("field", "a", "inout", "read-write", "[start, start+1)", "out_partial"):
        assert word in cells


def test_the_html_table_has_a_heading_for_temporaries_and_is_well_formed() -> None:
    page = intents(WIDE)._repr_html_()
    (table,) = ElementTree.fromstring(f"<page>{page.replace('<br>', '<br/>')}</page>").iter("table")
    headings = ["".join(row.itertext()) for row in table.iter("tr") if row[0].tag == "th"]
    assert headings[1:] == ["temporaries"]


def test_notes_stand_at_every_node_that_has_intents() -> None:
    text = to_text(SIMPLE, notes=intents(SIMPLE))
    assert text.count("# a: inout, read-write, irbw k=[start, start+1)") == 4
    assert from_text(text) == SIMPLE


def test_notes_tell_the_halo() -> None:
    ir = parallel("b = a[1, 0, 0] + a[-1, 0, 0]")
    assert "  # a: in, read, irbw k=[start, end), halo i=1+1\n" in to_text(ir, notes=intents(ir))


def test_the_explanation_says_what_stands_in_the_way() -> None:
    assert explain(SIMPLE, "a") == (
        "'a' is inout: its values on entry are seen on k=[start, start+1); it is written on "
        "k=[start+1, end).\n"
        "\n"
        "The read 'a[0, 0, -1]' sees entry values on k=[start, start+1). [read-before-written]\n"
        '  File "simple text", line 5\n'
        "    5 |         b = a[0, 0, -1]\n"
        "      |             ^^^^^^^^^^^ read before it is written\n"
        "  note: No statement writes these points.\n"
        "  note: 'a = b' (line 6) writes other points: k=[start+1, end)."
    )


def test_the_explanation_of_a_solver_in_place() -> None:
    ir = from_text(
        """stencil solve(inf: f64[IJK], diag: f64[IJK], x: f64[IJK])
  multistage forward
    stage
      do [start, start+1)
        x = x / diag
      do [start+1, end)
        x = x - inf * x[0, 0, -1]
""",
        "solver",
    )
    assert explain(ir, "x") == (
        "'x' is inout: its values on entry are seen on k=[start, end); it is written on k=[start, end).\n"
        "\n"
        "The read 'x' sees entry values on k=[start, start+1). [read-before-written]\n"
        '  File "solver", line 5\n'
        "    5 |         x = x / diag\n"
        "      |             ^ read before it is written\n"
        "  note: 'x = x / diag' (line 5) writes them after it has read them.\n"
        "  note: 'x = x - inf * x[0, 0, -1]' (line 7) writes other points: k=[start+1, end).\n"
        "\n"
        "The read 'x' sees entry values on k=[start+1, end). [read-before-written]\n"
        '  File "solver", line 7\n'
        "    7 |         x = x - inf * x[0, 0, -1]\n"
        "      |             ^ read before it is written\n"
        "  note: 'x = x - inf * x[0, 0, -1]' (line 7) writes them after it has read them.\n"
        "  note: 'x = x / diag' (line 5) writes other points: k=[start, start+1)."
    )


def test_the_explanation_of_a_halo_that_is_read() -> None:
    assert explain(parallel("a = 1.0;b = a[1, 0, 0]"), "a") == (
        "'a' is inout: its values on entry are seen on i=[end, end+1), k=[start, end); it is written on\n"
        "  k=[start, end).\n"
        "\n"
        "The read 'a[1, 0, 0]' sees entry values on i=[end, end+1), k=[start, end). [read-before-written]\n"
        '  File "text", line 6\n'
        "    6 |         b = a[1, 0, 0]\n"
        "      |             ^^^^^^^^^^ read before it is written\n"
        "  note: They lie outside the domain, where no statement stores to an argument."
    )


def test_the_explanation_of_a_neighbour_under_a_mask() -> None:
    assert explain(parallel("if m > 0.0;  a = 1.0;  b = a[1, 0, 0]"), "a").split("\n\n")[1] == (
        "The read 'a[1, 0, 0]' sees entry values on i=[start+1, end+1), k=[start, end). "
        "[read-before-written]\n"
        '  File "text", line 7\n'
        "    7 |           b = a[1, 0, 0]\n"
        "      |               ^^^^^^^^^^ read before it is written\n"
        "  note: 'a = 1.0' (line 6) writes them only where 'm > 0.0' holds, "
        "and that may differ at the point that is read."
    )


@pytest.mark.parametrize(
    ("statements", "note"),
    [
        ("b = a;a = b", "'a = b' (line 6) writes them later."),
        ("a = a + b", "'a = a + b' (line 5) writes them after it has read them."),
        ("if b > 0.0;  a = b;b = a", "'a = b' (line 6) writes them only where 'b > 0.0' holds."),
        ("if c;  b = 1.0;else;  a = b;b = a", "'a = b' (line 8) writes them only if 'c' does not hold."),
        ("b = a", "'a' is never written."),
        (
            "if m > 0.0;  if c;    a = 1.0;  else;    a = 2.0;    b = a[1, 0, 0]",
            "'a = 2.0' (line 9) writes them only where 'm > 0.0' holds, "
            "and that may differ at the point that is read.",
        ),
        (
            "if m > 0.0;  if c;    a = 1.0;  b = a",
            "'a = 1.0' (line 7) writes them only if 'c' holds.",
        ),
        (
            "if c;  if m > 0.0;    a = 1.0;b = a",
            "'a = 1.0' (line 7) writes them only if 'c' holds and where 'm > 0.0' holds.",
        ),
    ],
)
def test_each_store_has_its_reason(statements: str, note: str) -> None:
    assert f"note: {note}" in explain(parallel(statements), "a")


def test_explaining_an_unknown_field_is_refused() -> None:
    with pytest.raises(ArgumentError, match="no field 'q'"):
        explain(SIMPLE, "q")


def test_the_explanation_of_a_call_is_about_its_domain_and_scalars() -> None:
    ir = parallel("if c;  a = 1.0;b = a")
    assert intents(ir).at((2, 2, 3), c=True).explain("a") == (
        "'a' is out_full: all of it is written, and before anything reads it."
    )
    assert "seen on k=[0, 3)" in intents(ir).at((2, 2, 3), c=False).explain("a")


def test_a_temporary_is_never_explained_as_partial() -> None:
    lines = ("  temporary t: f64[IJK]", "  multistage parallel", "    stage", "      do [start+1, end)")
    ir = from_text("\n".join(("stencil s(a: f64[IJK])", *lines, "        t = 1.0", "        a = t", "")))
    assert explain(ir, "t") == "'t' is out: all of it that is read is written before."


def test_what_is_never_written_shows_its_value_on_entry() -> None:
    assert "^ the value on entry\n" in explain(parallel("b = a"), "a")


def test_a_region_shows_itself_as_text() -> None:
    assert repr(intents(SIMPLE)["a"].irbw) == "Region('k=[start, start+1)')"

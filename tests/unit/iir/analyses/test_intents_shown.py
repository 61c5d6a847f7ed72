"""How intents are shown: table, notes, explanation."""

from html.parser import HTMLParser

import pytest

from iir.analyses.intents import explain, intents
from iir.diagnostics import ArgumentError
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


def test_the_table_fits_in_100_columns() -> None:
    lines = str(intents(WIDE)).splitlines()
    assert max(map(len, lines)) <= 100
    assert len(lines) > 6


def test_the_table_has_a_line_for_each_field_in_order() -> None:
    assert str(intents(SIMPLE)).splitlines()[:3] == [
        "field  intent       access      read levels     read before written  written           halo",
        "a      inout        read-write  [start, end-1)  k=[start, start+1)   k=[start+1, end)  -",
        "b      out_partial  read-write  [start+1, end)  -                    k=[start+1, end)  -",
    ]


def test_the_html_table_has_the_same_cells() -> None:
    cells: list[str] = []
    parser = HTMLParser()
    parser.handle_data = cells.append  # type: ignore[method-assign, assignment]
    parser.feed(intents(SIMPLE)._repr_html_())
    for word in ("field", "a", "inout", "read-write", "k=[start, start+1)", "out_partial"):
        assert word in cells


def test_notes_stand_at_every_node_that_has_intents() -> None:
    text = to_text(SIMPLE, notes=intents(SIMPLE))
    assert text.count("# a: inout, read-write, irbw k=[start, start+1)") == 4
    assert from_text(text) == SIMPLE


def test_the_explanation_says_what_stands_in_the_way() -> None:
    assert explain(SIMPLE, "a") == (
        "'a' is inout: its values on entry are seen on k=[start, start+1); it is written on "
        "k=[start+1, end).\n"
        "\n"
        "'a[0, 0, -1]' sees values that 'a' has on entry, on k=[start, start+1). [read-before-written]\n"
        '  File "simple text", line 5\n'
        "    5 |         b = a[0, 0, -1]\n"
        "      |             ^^^^^^^^^^^ read before it is written\n"
        "  note: No statement writes these points.\n"
        "  note: 'a = b' (line 6) writes other points: k=[start+1, end)."
    )


@pytest.mark.parametrize(
    ("statements", "note"),
    [
        ("b = a;a = b", "'a = b' (line 6) writes them later."),
        ("a = a + b", "'a = a + b' (line 5) writes them after it has read them."),
        ("if b > 0.0;  a = b;b = a", "'a = b' (line 6) writes them only where 'b > 0.0' decides so."),
        ("b = a", "'a' is never written."),
    ],
)
def test_each_store_has_its_reason(statements: str, note: str) -> None:
    body = "".join(f"        {line}\n" for line in statements.split(";"))
    head = "stencil s(a: f64[IJK], b: f64[IJK])\n  multistage parallel\n    stage\n      do [start, end)\n"
    assert f"note: {note}" in explain(from_text(head + body), "a")


def test_explaining_an_unknown_field_is_refused() -> None:
    with pytest.raises(ArgumentError, match="no field 'q'"):
        explain(SIMPLE, "q")

"""How temporaries are kept, told to people."""

from textwrap import dedent

import pytest

from backends.loopnest.storage_report import StorageReport, storage_report
from iir.parser import from_text
from tests.unit.backends.loopnest.lowered import lowered

TEXT = """\
stencil s(u: f64[IJK], v: f64[IJK])
  temporary r: f64[IJK]
  temporary row: f64[IJK]
  temporary column: f32[IJK]
  temporary gone: f64[IJK]
  multistage parallel
    stage
      do [start, end)
        row = u
    stage
      do [start, end)
        r = row[0, 1, 0] + row[0, -1, 0]
        v = r * r
  multistage forward
    stage
      do [start, end)
        column = f32(v)
  multistage backward
    stage
      do [start, end)
        u = f64(column)
"""


def _report() -> StorageReport:
    text = TEXT.replace("  temporary gone: f64[IJK]\n", "")
    return storage_report(from_text(TEXT), lowered(text))


def test_report_tells_kind_place_and_rule_of_each_temporary() -> None:
    report = _report()
    assert {name: (item.kind, item.place) for name, item in report.items()} == {
        "r": ("register", None),
        "row": ("row", "stack"),
        "column": ("column", "stack"),
        "gone": ("none", None),
    }
    assert report["row"].rule == "it is visited row by row, which needs so many rows"
    assert report["row"].place_rule == "Its size is known once, before any loop."


def test_bytes_follow_from_the_domain() -> None:
    report = _report()
    assert report["r"].bytes == 0
    assert report["row"].bytes is None
    assert report.bytes_for((10, 20, 30)) == {
        "r": 0,
        "row": 10 * 4 * 8,
        "column": 64 * 30 * 4,
        "gone": 0,
    }


def test_report_prints_as_a_table() -> None:
    expected = """\
        temporary  kept as   on     elements  because
        r          register                   each point is read only where it was set
        row        row       stack  ni x 4    it is visited row by row, which needs so many rows
        column     column    stack  64 x nk   sweeps leave it to each other, each at its own rows
        gone       none                       it is computed where it is read, or nobody needs it
        """
    assert str(_report()) == dedent(expected).rstrip()


def test_whole_fields_are_workspaces_of_the_call() -> None:
    text = """\
stencil s(u: f64[IJK], v: f64[IJK])
  temporary t: f64[IJK]
  multistage parallel
    stage
      do [start, end)
        t = u
  multistage parallel
    stage
      do [start, end-1)
        v = t[0, 0, 1]
"""
    item = storage_report(from_text(text), lowered(text))["t"]
    assert (item.kind, item.place, item.sizes) == ("field", "heap", "ni x nj x nk")
    assert item.place_rule == "It lives as long as the call."


def test_unknown_names_and_domains_of_other_sizes_are_refused() -> None:
    report = _report()
    with pytest.raises(KeyError, match=r"There is no temporary 'rows' among: r, row, column, gone\."):
        report["rows"]
    assert report.get("rows") is None
    with pytest.raises(ValueError, match="shorter"):
        report.bytes_for((10, 20))  # type: ignore[arg-type]  # that is what is refused

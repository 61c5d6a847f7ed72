"""Sweeps read back what they have stored from temporaries."""

import pytest

from iir.parser import from_text
from iir.passes.hold_outputs import hold_outputs
from iir.printer import to_text

HEAD = "stencil s(a: f64[IJK], out: f64[IJK], m: bool[IJK])\n"


def _held(text: str) -> str:
    return to_text(hold_outputs(from_text(f"{HEAD}{text}")))


def test_field_that_a_sweep_reads_back_is_held_in_a_temporary() -> None:
    text = """\
  multistage backward
    stage
      do [end-1, end)
        out = a
      do [start, end-1)
        out = a - out[0, 0, 1]
"""
    assert (
        _held(text)
        == f"""{HEAD}\
  temporary out_held: f64[IJK]
  multistage backward
    stage
      do [end-1, end)
        out_held = a
        out = out_held
      do [start, end-1)
        out_held = a - out_held[0, 0, 1]
        out = out_held
"""
    )


@pytest.mark.parametrize(
    "text",
    [
        "  multistage backward\n    stage\n      do [start, end-1)\n        out = a - out[0, 0, 1]\n",
        "  multistage forward\n    stage\n      do [start, end)\n        out = a\n",
        "  multistage parallel\n    stage\n      do [start, end)\n        out = a\n        a = out\n",
    ],
    ids=["sees entry values", "reads nothing back", "no sweep"],
)
def test_other_fields_are_left_alone(text: str) -> None:
    tree = from_text(f"{HEAD}{text}")
    assert hold_outputs(tree) is tree


def test_field_that_is_stored_under_a_condition_is_left_alone() -> None:
    text = """\
  multistage forward
    stage
      do [start, end)
        out = a
        if m
          out = a * 2.0
      do [start+1, end)
        a = out[0, 0, -1]
"""
    tree = from_text(f"{HEAD}{text}")
    assert hold_outputs(tree) is tree

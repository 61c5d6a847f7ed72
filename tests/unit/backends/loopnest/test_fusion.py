"""Bodies that share one loop over the lanes of a row."""

from dataclasses import replace
from textwrap import dedent

import pytest

from backends.loopnest.layout import FORTRAN, Layout
from backends.loopnest.lowering import lower
from backends.loopnest.printer import node_text
from iir.schedule import Axis, Schedule
from tests.unit.backends.loopnest.lowered import kernel_text, scheduled

HEAD = """\
stencil s(u: f64[IJK], v: f64[IJK])
  temporary t: f64[IJK]
  temporary w: f64[IJK]
"""


def _stages(*bodies: str, level: str = "[start, end)") -> str:
    stages = "".join(
        f"    stage\n      do {level}\n" + "".join(f"        {line.strip()}\n" for line in body.split(";"))
        for body in bodies
    )
    return f"{HEAD}  multistage parallel\n{stages}"


def test_rows_that_all_bodies_have_are_computed_together() -> None:
    text = _stages("t = u[0, 1, 0] * 2.0 - u", "v = t - t[1, -1, 0]")
    assert kernel_text(text) == dedent(
        """\
        allocate t_array: f64 (ni + 1) x 2, unit stride on axis 0 on the stack
        serial k in [first, last)
            serial j in [-1, nj)
                if j in [-1, 0)
                    lanes i in [0, ni + 1)
                        t[i, (j) mod 2] = ((u[i, j + 1, k] * 2.0:f64) - u[i, j, k])
                if j in [0, nj)
                    lanes i in [ni, ni + 1)
                        t[i, (j) mod 2] = ((u[i, j + 1, k] * 2.0:f64) - u[i, j, k])
                    lanes i in [0, ni)
                        t[i, (j) mod 2] = ((u[i, j + 1, k] * 2.0:f64) - u[i, j, k])
                        v[i, j, k] = (t[i, (j) mod 2] - t[i + 1, (j - 1) mod 2])"""
    )


def test_body_that_is_ahead_without_need_of_more_rows_is_finished_first() -> None:
    """In a domain of one row there is none in which both bodies run."""
    text = kernel_text(_stages("t = u[0, -1, 0]", "v = t", "u = 0.0"))
    assert text == dedent(
        """\
        allocate t_array: f64 ni x 2, unit stride on axis 0 on the stack
        serial k in [first, last)
            serial j in [-1, nj)
                if j in [-1, 0)
                    if j in [-1, nj - 1)
                        lanes i in [0, ni)
                            t[i, (j + 1) mod 2] = u[i, j, k]
                if j in [0, nj - 1)
                    lanes i in [0, ni)
                        t[i, (j + 1) mod 2] = u[i, j, k]
                        v[i, j, k] = t[i, (j) mod 2]
                        u[i, j, k] = 0.0:f64
                if j in [max(0, nj - 1), nj)
                    if j in [0, nj)
                        lanes i in [0, ni)
                            v[i, j, k] = t[i, (j) mod 2]
                        lanes i in [0, ni)
                            u[i, j, k] = 0.0:f64"""
    )


@pytest.mark.parametrize(
    "bodies",
    [
        ("t = u * u - u * 2.0 + 1.0", "v = t + t[1, 0, 0] + t[2, 0, 0] + t[3, 0, 0]"),
        ("t = u * u - u * 2.0 + 1.0", "v = t[0, 1, 0] + t[1, 1, 0] + t[2, 1, 0] + t[3, 1, 0]"),
        ("v = u", "u = v[0, 1, 0]"),
        ("t = u[1, 0, 0]", "u = t[0, 1, 0] + t[0, -1, 0] * t"),
        ("t = u * 2.0", "v = u", "w = t[3, 0, 0] + v"),
    ],
    ids=[
        "lanes",
        "lanes of a row ahead",
        "rows of a field",
        "field that is read before",
        "no lane in common",
    ],
)
def test_lanes_that_need_each_other_have_loops_of_their_own(bodies: tuple[str, ...]) -> None:
    text = kernel_text(_stages(*bodies))
    stored = [line.split("[")[0].strip() for line in text.splitlines() if " = " in line]
    assert len(stored) == len({*stored})


def test_schedule_says_whether_bodies_share_loops() -> None:
    ir = scheduled(_stages(ROW, NEXT))
    assert ir.multistages[0].schedule == Schedule(Axis.K, prefetch=True, stream=True, fuse=True)
    (apart,) = (replace(item, schedule=Schedule(Axis.K)) for item in ir.multistages)
    kernel = lower(replace(ir, multistages=(apart,)), FORTRAN).kernels[0]
    assert node_text(kernel).count("t[i, (j) mod 2] = ") == 1


ROW, NEXT = "t = u[0, 1, 0] * 2.0 - u", "v = t - t[0, -1, 0]"


def test_others_stay_apart() -> None:
    """Those of other levels, those that have nothing in common, and those that are long."""
    together = kernel_text(_stages(ROW, NEXT))
    assert together.count("t[i, (j) mod 2] = ") == 2
    shorter = NEXT.join(("    stage\n      do [start, end-1)\n        ", "\n"))
    for text in (f"{_stages(ROW)}{shorter}", _stages(ROW, f"{NEXT} + {' + '.join(['u * u'] * 40)}")):
        assert kernel_text(text).count("t[i, (j) mod 2] = ") == 1
    assert kernel_text(_stages("u = 2.0", "v = 1.0")).count("lanes i in [0, ni)") == 2
    assert kernel_text(_stages("u = 2.0", "v = u")).count("lanes i in [0, ni)") == 1


def test_rows_are_streamed_to_where_the_body_is_that_stored_them() -> None:
    text = """\
stencil s(u: f64[IJK], v: f64[IJK], ahead: f64[IJK], behind: f64[IJK])
  temporary t: f64[IJK]
  multistage forward
    stage
      do [start, end)
        t = u
  multistage parallel
    stage
      do [start, end)
        ahead = t[0, -1, 0]
        t = v
    stage
      do [start, end)
        behind = t[0, 1, 0] + v
"""
    loops = kernel_text(text, Layout(Axis.I, Axis.I, streams=True), number=1)
    fused = loops.split("if j in [0, nj - 2)")[1]
    assert "stream [0, ni) of row_of_ahead to ahead at [j + 2, k]" in fused
    assert "stream [0, ni) of row_of_behind to behind at [j, k]" in fused


def test_bodies_that_say_the_same_all_run() -> None:
    """Twice in the first row, twice beyond the last lane, and twice in the loop that they share."""
    text = kernel_text(_stages("t = u * 2.0", "t = t + 1.0", "t = t + 1.0", "v = t - t[1, -1, 0]"))
    assert text.count("t[i, (j) mod 2] = (t[i, (j) mod 2] + 1.0:f64)") == 6


def test_checks_are_not_repeated() -> None:
    checked = f'{ROW}; check user(u > 0.0, "u is %g", u) key(0, 0)'
    assert kernel_text(_stages(checked, NEXT)).count("t[i, (j) mod 2] = ") == 1

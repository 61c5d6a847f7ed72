"""Which points are touched, on every axis that a field has."""

from iir.analyses.reach import bounding_box, halo, reaches
from iir.extent import DOMAIN, Extent
from iir.interval import FULL, shift_interval
from iir.nodes import Stencil
from iir.parser import from_text
from tests.unit.iir.textual import parallel, program


def test_each_distinct_access_is_one_entry() -> None:
    found = reaches(parallel("out = a[1, 0, -1] + a[1, 0, -1] + a"))["a"]
    assert {(item.extent, item.interval, item.is_store) for item in found} == {
        (Extent((1, 1), (0, 0)), shift_interval(FULL, -1), False),
        (DOMAIN, FULL, False),
    }
    assert len(found) == 2


def test_halo_counts_the_points_outside_the_domain_on_each_side() -> None:
    ir = parallel("temporary t: f64[IJK]", "t = a[-1, 0, 0]", "out = t[-1, 2, 0] + b[0, 0, 3] + b[1, 0, -1]")
    assert halo(ir) == {
        "a": ((2, 0), (0, 2), (0, 0)),
        "b": ((0, 1), (0, 0), (1, 3)),
        "out": ((0, 0), (0, 0), (0, 0)),
        "plane": ((0, 0), (0, 0), (0, 0)),
    }


def test_halo_in_k_is_what_an_interval_does_not_keep_inside() -> None:
    ir = _on("[start+1, end-2)", "out = a[0, 0, -2] + a[0, 0, 3]")
    assert halo(ir)["a"] == ((0, 0), (0, 0), (1, 1))


def test_run_time_bounds_lie_inside_the_domain() -> None:
    ir = _on("[x, end)", "out = a[0, 0, -2] + a[0, 0, 1]")
    assert halo(ir)["a"] == ((0, 0), (0, 0), (2, 1))
    ir = _on("[start, x-1)", "out = a[0, 0, 1]")
    assert halo(ir)["a"] == ((0, 0), (0, 0), (0, 1))


def test_bounding_box_ignores_empty_intervals() -> None:
    ir = _on("[start, x)", "out = a[0, 0, -1] + plane[1, 0]")
    found = reaches(ir)
    assert bounding_box(found["a"], (2, 3, 4), {"x": 0}) is None
    assert bounding_box(found["a"], (2, 3, 4), {"x": 2}) == ((0, 2), (0, 3), (-1, 1))
    assert bounding_box(found["plane"], (2, 3, 4), {"x": 2}) == ((1, 3), (0, 3), (0, 1))


def test_missing_axes_are_one_point() -> None:
    ir = from_text(
        "stencil s(column: f64[K], row: f64[I], out: f64[IJK])\n"
        "  multistage parallel\n    stage\n      do [start, end)\n        out = column[1] + row[-1]\n"
    )
    found = reaches(ir)
    assert bounding_box(found["column"], (2, 3, 4), {}) == ((0, 1), (0, 1), (1, 5))
    assert bounding_box(found["row"], (2, 3, 4), {}) == ((-1, 1), (0, 1), (0, 1))
    assert halo(ir)["row"] == ((1, 0), (0, 0), (0, 0))


def _on(interval: str, statement: str) -> Stencil:
    return program(f"multistage parallel\n  stage\n    do {interval}\n      {statement}")

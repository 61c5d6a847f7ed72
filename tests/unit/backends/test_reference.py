"""What the reference does with statements, levels, planes and masks."""

import warnings

import numpy as np
import pytest

from tests.unit.backends.reference_runs import column, row, run_text


def test_right_hand_side_is_evaluated_everywhere_before_anything_is_stored() -> None:
    a = row(1, 2, 3, 4)
    text = """stencil s(a: f64[IJK])
  multistage parallel
    stage
      do [start, end)
        a = a[1, 0, 0]
"""
    run_text(text, (3, 1, 1), {"a": a})
    assert a.ravel().tolist() == [2, 3, 4, 4]


def test_parallel_statement_sees_old_values_on_other_levels() -> None:
    a = column(1, 2, 3)
    text = """stencil s(a: f64[IJK])
  multistage parallel
    stage
      do [start+1, end)
        a = a[0, 0, -1]
"""
    run_text(text, (1, 1, 3), {"a": a})
    assert a.ravel().tolist() == [1, 1, 2]


@pytest.mark.parametrize(("order", "expected"), [("forward", [1, 1, 1]), ("backward", [1, 1, 2])])
def test_sweep_visits_levels_in_its_order(order: str, expected: list[float]) -> None:
    a = column(1, 2, 3)
    text = f"""stencil s(a: f64[IJK])
  multistage {order}
    stage
      do [start+1, end)
        a = a[0, 0, -1]
"""
    run_text(text, (1, 1, 3), {"a": a})
    assert a.ravel().tolist() == expected


def test_overlapping_intervals_of_a_sweep_run_in_textual_order_on_each_level() -> None:
    a = column(1, 1, 1)
    text = """stencil s(a: f64[IJK])
  multistage forward
    stage
      do [start+1, end)
        a = a + a[0, 0, -1]
      do [start, end)
        a = a * 10.0
"""
    run_text(text, (1, 1, 3), {"a": a})
    assert a.ravel().tolist() == [10, 110, 1110]


def test_parallel_do_methods_finish_on_all_levels_one_after_another() -> None:
    a = column(1, 1, 1)
    text = """stencil s(a: f64[IJK])
  multistage parallel
    stage
      do [start+1, end)
        a = a + a[0, 0, -1]
      do [start, end)
        a = a * 10.0
"""
    run_text(text, (1, 1, 3), {"a": a})
    assert a.ravel().tolist() == [10, 20, 20]


def test_condition_is_evaluated_once_before_its_body() -> None:
    a, m = row(1, 2), np.array([True, False]).reshape(2, 1, 1)
    text = """stencil s(a: f64[IJK], m: bool[IJK])
  multistage parallel
    stage
      do [start, end)
        if m
          m = False
          a = 5.0
        else
          a = 7.0
"""
    run_text(text, (2, 1, 1), {"a": a, "m": m})
    assert a.ravel().tolist() == [5, 7]
    assert not m.any()


def test_else_part_runs_after_the_then_part_has_finished_everywhere() -> None:
    a = row(1, 2, 3)
    text = """stencil s(a: f64[IJK])
  multistage parallel
    stage
      do [start, end)
        if a > 1.5
          a = 10.0
        else
          a = a[1, 0, 0]
"""
    run_text(text, (2, 1, 1), {"a": a})
    assert a.ravel().tolist() == [10, 10, 3]


def test_nested_conditions_hold_together() -> None:
    a, b = row(-1, 1, 2, 3), row(0, 0, 0, 0)
    text = """stencil s(a: f64[IJK], b: f64[IJK])
  multistage parallel
    stage
      do [start, end)
        if a > 0.0
          if a < 2.5
            b = 1.0
          else
            b = 2.0
"""
    run_text(text, (4, 1, 1), {"a": a, "b": b})
    assert b.ravel().tolist() == [0, 1, 1, 2]


def test_statement_inside_a_condition_reads_points_where_it_does_not_hold() -> None:
    a, b = row(1, 2, 3), row(0, 0, 0)
    text = """stencil s(a: f64[IJK], b: f64[IJK])
  temporary t: f64[IJK]
  multistage parallel
    stage
      do [start, end)
        t = a * 2.0
        if a < 1.5
          t = 0.0
          b = t + t[1, 0, 0]
"""
    run_text(text, (2, 1, 1), {"a": a, "b": b})
    assert b.ravel().tolist() == [4, 0, 0]


def test_plane_is_assigned_once_a_level_in_loop_order() -> None:
    a, z = column(1, 2, 3), np.zeros((1, 1))
    text = """stencil s(a: f64[IJK], z: f64[IJ])
  multistage backward
    stage
      do [start, end)
        z = z * 10.0 + a
        a = z
"""
    run_text(text, (1, 1, 3), {"a": a, "z": z})
    assert z.item() == 321
    assert a.ravel().tolist() == [321, 32, 3]


def test_plane_temporary_keeps_its_value_between_computations() -> None:
    a = column(1, 2, 3)
    text = """stencil s(a: f64[IJK])
  temporary z: f64[IJ]
  multistage parallel
    stage
      do [end-1, end)
        z = a
  multistage parallel
    stage
      do [start, end)
        a = z
"""
    run_text(text, (1, 1, 3), {"a": a})
    assert a.ravel().tolist() == [3, 3, 3]


def test_fields_on_fewer_axes_are_read_at_their_own_offsets() -> None:
    arrays = {
        "i": np.array([1.0, 2.0, 3.0]),
        "j": np.array([10.0, 20.0]),
        "k": np.array([100.0, 200.0, 300.0]),
        "ik": np.full((2, 2), 1000.0),
        "jk": np.full((2, 2), 10000.0),
        "out": np.zeros((2, 2, 2)),
    }
    text = """stencil s(i: f64[I], j: f64[J], k: f64[K], ik: f64[IK], jk: f64[JK], out: f64[IJK])
  multistage parallel
    stage
      do [start, end)
        out = i[1] + j + k[1] + ik + jk
"""
    run_text(text, (2, 2, 2), arrays)
    assert arrays["out"].ravel().tolist() == [11212, 11312, 11222, 11322, 11213, 11313, 11223, 11323]


def test_argument_read_outside_the_domain_holds_the_callers_values() -> None:
    a, b = row(1, 2, 3), row(0, 0, 0)
    text = """stencil s(a: f64[IJK], b: f64[IJK])
  multistage parallel
    stage
      do [start, end)
        a = 9.0
        b = a[1, 0, 0]
"""
    run_text(text, (2, 1, 1), {"a": a, "b": b})
    assert b.ravel().tolist() == [9, 3, 0]
    assert a.ravel().tolist() == [9, 9, 3]


def test_temporary_read_outside_the_domain_is_computed_there() -> None:
    a, b = row(1, 2, 3), row(0, 0, 0)
    text = """stencil s(a: f64[IJK], b: f64[IJK])
  temporary t: f64[IJK]
  multistage parallel
    stage
      do [start, end)
        t = a * 2.0
        b = t[1, 0, 0]
"""
    run_text(text, (2, 1, 1), {"a": a, "b": b})
    assert b.ravel().tolist() == [4, 6, 0]


def test_unset_points_of_a_temporary_are_zero() -> None:
    a = row(1, -1)
    text = """stencil s(a: f64[IJK])
  temporary t: f64[IJK]
  multistage parallel
    stage
      do [start, end)
        if a > 0.0
          t = 5.0
        a = t
"""
    run_text(text, (2, 1, 1), {"a": a})
    assert a.ravel().tolist() == [5, 0]


@pytest.mark.parametrize(("bound", "expected"), [(0, [0, 0, 0]), (2, [1, 1, 0]), (3, [1, 1, 1])])
def test_run_time_interval_may_be_empty(bound: int, expected: list[float]) -> None:
    a = column(0, 0, 0)
    text = """stencil s(a: f64[IJK], n: i64)
  multistage parallel
    stage
      do [start, n)
        a = 1.0
"""
    run_text(text, (1, 1, 3), {"a": a}, [bound])
    assert a.ravel().tolist() == expected


@pytest.mark.parametrize("domain", [(0, 1, 1), (1, 0, 1), (1, 1, 0)])
def test_empty_domain_computes_nothing(domain: tuple[int, int, int]) -> None:
    z = np.ones((1, 1))
    text = """stencil s(z: f64[IJ])
  multistage forward
    stage
      do [start, end)
        z = z + 1.0
"""
    run_text(text, domain, {"z": z})
    assert z.item() == 1


def test_nothing_warns() -> None:
    a = row(0, -1, np.inf)
    text = """stencil s(a: f64[IJK])
  multistage parallel
    stage
      do [start, end)
        a = f64(i8(1.0 / a)) + sqrt(a) % 0.0
"""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run_text(text, (3, 1, 1), {"a": a})
    assert np.isnan(a).all()

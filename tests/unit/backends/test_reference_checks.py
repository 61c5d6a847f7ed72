"""Run-time checks and external calls in the reference."""

import numpy as np
import pytest

from iir.diagnostics import BackendError, CheckError
from tests.unit.backends.reference_runs import column, row, run_text


def test_failed_check_tells_message_values_and_point() -> None:
    a = row(1, -2.5, -3)
    text = """stencil s(a: f64[IJK])
  multistage parallel
    stage
      do [start, end)
        check user(a > 0.0, "a is %g, twice %d, 100%%", a, i32(a * 2.0)) key(0, 1)
        a = 7.0
"""
    with pytest.raises(CheckError) as caught:
        run_text(text, (2, 1, 1), {"a": a}, origins={"a": (0, 0, 0)})
    assert caught.value.index == (1, 0, 0)
    assert caught.value.values == (-2.5, -5)
    assert caught.value.kind == "user"
    first = str(caught.value).splitlines()[0]
    assert first.startswith("fatal stencil error(") and first.endswith("): a is -2.5, twice -5, 100% [user]")


def test_check_is_not_a_terminator() -> None:
    a = row(-1, 2)
    text = """stencil s(a: f64[IJK])
  multistage parallel
    stage
      do [start, end)
        check user(a > 0.0, "negative") key(0, 1)
        a = 7.0
"""
    with pytest.raises(CheckError):
        run_text(text, (2, 1, 1), {"a": a})
    assert a.ravel().tolist() == [7, 7]


def test_check_looks_at_the_domain_and_active_points_only() -> None:
    a = row(-1, 1, 2, -1)
    text = """stencil s(a: f64[IJK])
  temporary t: f64[IJK]
  multistage parallel
    stage
      do [start, end)
        if a < 2.0
          check user(a < 1.5, "not reached") key(0, 1)
        check user(a > 0.0, "halo") guard(t = a) key(0, 2)
        a = t[-1, 0, 0] + t[1, 0, 0]
"""
    run_text(text, (2, 1, 1), {"a": a}, origins={"a": (1, 0, 0)})
    assert a.ravel().tolist() == [-1, 1, 0, -1]


@pytest.mark.parametrize(
    ("order", "index"), [("parallel", (0, 0, 1)), ("forward", (0, 0, 0)), ("backward", (0, 0, 2))]
)
def test_first_failure_goes_by_statement_in_parallel_and_by_level_in_sweeps(
    order: str, index: tuple[int, int, int]
) -> None:
    a = column(2, 1, 3)
    text = f"""stencil s(a: f64[IJK])
  multistage {order}
    stage
      do [start, end)
        check user(a != 1.0, "first statement") key(0, 1)
        check user(a < 2.0, "second statement") key(0, 2)
"""
    with pytest.raises(CheckError) as caught:
        run_text(text, (1, 1, 3), {"a": a})
    assert caught.value.index == index


def test_first_failure_goes_by_k_then_j_then_i() -> None:
    a = np.ones((2, 2, 2))
    a[0, 1, 0] = a[1, 0, 0] = a[0, 0, 1] = -1
    text = """stencil s(a: f64[IJK])
  multistage parallel
    stage
      do [start, end)
        check user(a > 0.0, "negative") key(0, 1)
"""
    with pytest.raises(CheckError) as caught:
        run_text(text, (2, 2, 2), {"a": a})
    assert caught.value.index == (1, 0, 0)


def test_external_function_runs_point_by_point_on_active_points() -> None:
    a, b = row(1, 2, -3), row(0, 0, 0)
    text = """stencil s(a: f64[IJK], b: f64[IJK])
  multistage parallel
    stage
      do [start, end)
        if a > 0.0
          a, b = call "tests.external_functions:split"(a, b + 4.0)
"""
    run_text(text, (3, 1, 1), {"a": a, "b": b})
    assert a.ravel().tolist() == [-3, -2, -3]
    assert b.ravel().tolist() == [1, 1, 0]


CALL = """stencil s(a: f64[IJK])
  multistage parallel
    stage
      do [start, end)
        a = call "{function}"(a, a){bundles}
"""


@pytest.mark.parametrize("function", ["tests.external_functions:missing", "no_such_module:mix"])
def test_unknown_external_function_is_named(function: str) -> None:
    with pytest.raises(BackendError, match=f"'{function}' cannot be found"):
        run_text(CALL.format(function=function, bundles=""), (1, 1, 1), {"a": row(1)})


def test_bundle_that_needs_a_handler_is_named() -> None:
    text = CALL.format(function="tests.external_functions:mix", bundles=' bundle "trace"(a)')
    with pytest.raises(BackendError, match="'trace' has no handler"):
        run_text(text, (1, 1, 1), {"a": row(1)})

"""A check that fails in a kernel: where, in which line, with which values."""

import numpy as np
import pytest

from iir.diagnostics import CheckError
from stencil import from_iir
from tests.native.calls import ERUNTIME, OK, Loaded
from tests.native.stencils import STENCILS

DOMAIN = (4, 3, 5)
ORIGIN = (1, 0, 1)
SHAPE = (6, 4, 7)


def test_level_by_level_upwards_the_lowest_failure_is_told(others: Loaded) -> None:
    u = np.ones(SHAPE, np.float32, order="F")
    u[3, 1, 4], u[2, 2, 2], u[0, 0, 0] = 8.5, np.nan, 9.0
    n = np.full(SHAPE[:2], -3, np.int32, order="F")
    flag = np.ones(SHAPE, np.bool_, order="F")
    failure = others.stencil("forward_check")({"u": u, "n": n, "flag": flag}, ORIGIN, DOMAIN)
    assert (failure.status, failure.line, tuple(failure.index)) == (ERUNTIME, 5, (1, 2, 1))
    assert failure.text == '100% of "-3" and nan, then 1'
    assert failure.value_count == 3
    assert failure.values[0] == -3.0 and np.isnan(failure.values[1]) and failure.values[2] == 1.0


def test_level_by_level_downwards_the_highest_failure_is_told(others: Loaded) -> None:
    u = np.ones(SHAPE, order="F")
    u[3, 1, 4] = u[2, 2, 2] = u[2, 2, 6] = 8.5
    failure = others.stencil("backward_check")({"u": u}, ORIGIN, DOMAIN)
    assert (failure.status, failure.text, tuple(failure.index)) == (ERUNTIME, "too large", (2, 1, 3))
    assert (failure.field, failure.axis, failure.value_count) == (-1, -1, 0)


@pytest.mark.parametrize("name", ["upwards", "forward_check", "backward_check"])
def test_failure_is_the_one_that_python_raises(name: str, others: Loaded) -> None:
    arguments = {"u": np.full(SHAPE, 7.0, np.float32 if name == "forward_check" else np.float64, order="F")}
    more = {
        "upwards": {"least": 8.0},
        "forward_check": {
            "n": np.ones(SHAPE[:2], np.int32, order="F"),
            "flag": np.zeros(SHAPE, np.bool_, order="F"),
        },
        "backward_check": {},
    }
    with pytest.raises(CheckError) as caught:
        from_iir(STENCILS[name])(**arguments, **more[name], domain=DOMAIN, origin=ORIGIN)
    arguments["u"][...] = 7.0
    failure = others.stencil(name)({**arguments, **more[name]}, ORIGIN, DOMAIN)
    error = caught.value
    assert tuple(failure.index) == error.index
    assert tuple(failure.values)[: failure.value_count] == tuple(map(float, error.values))
    assert error.diagnostic.message.endswith(f": {failure.text}")
    assert error.span is not None and failure.line == error.span.line


def test_checks_that_hold_leave_an_empty_record(others: Loaded) -> None:
    failure = others.stencil("upwards")({"u": np.ones(SHAPE, order="F"), "least": 0.0}, ORIGIN, DOMAIN)
    assert (failure.status, failure.text, failure.line, failure.value_count) == (OK, "", 0, 0)

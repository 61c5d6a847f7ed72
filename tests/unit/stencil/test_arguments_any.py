"""Whatever a call is given, it runs or raises `ArgumentError`."""

from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from stencil import ArgumentError, from_iir

pytestmark = pytest.mark.filterwarnings("ignore:Field 'area' has the size of:stencil.StencilWarning")

MIX = from_iir(
    """\
stencil mix(u: f64[IJK], area: f32[IJ], out: f64[IJK], n: i64, w: f32, b: bool)
  multistage forward
    stage
      do [start+1, end)
        out = u[-1, 0, 0] + u[2, 0, 0]
      do [start, n)
        out = f64(area)
""",
    backend="reference",
)


class NoShape:
    """An object whose attributes fail."""

    @property
    def shape(self) -> tuple[int, ...]:
        raise ValueError("nobody knows")


class NoData:
    """An object that promises an array without having one."""

    @property
    def __array_interface__(self) -> dict[str, Any]:
        return {"shape": (2, 2, 2), "typestr": "<f8", "version": 3}


GOOD: dict[str, Any] = {"u": (6, 6, 6), "area": (6, 6), "out": (6, 6, 6), "n": 2, "w": 1.5, "b": True}
DTYPES = ["f8", "f4", ">f8", "O", "S3", "U2", "M8[s]", "V4", "c16", "f2", "longdouble", "i8", "?"]
SHAPES = [(), (0,), (0, 0, 0), (6, 6, 6), (6, 6), (1, 1, 1), (3, 3, 2), (2, 3, 4, 5)]
ARRAYS = st.builds(
    np.zeros,
    st.sampled_from(SHAPES),
    st.sampled_from([*DTYPES, np.dtype([("a", "f8")]), np.dtypes.StringDType()]),
)
OBJECTS = st.sampled_from(
    [
        None,
        3,
        "x",
        [1],
        NoShape(),
        NoData(),
        np.float64(3),
        1j,
        True,
        10**40,
        -1,
        float("nan"),
        object(),
        {},
        b"x",
        MIX,
    ]
)
PLACES = st.sampled_from(
    [
        (1, 1, 1),
        (0, 0, 0),
        (2, 2, 2),
        (10**30, 1, 1),
        (-1, 0, 0),
        [1, 1, 1],
        "abc",
        3,
        (1.0, 1, 1),
        (True, 1, 1),
        (),
        {"u": (0, 0, 0)},
        {"u": None},
        {3: (1, 1, 1)},
        {"_all_": (1, 1, 1)},
        {"_all_": 3},
        {},
        np.array([1, 1, 1]),
    ]
)


@given(
    st.dictionaries(st.sampled_from([*GOOD, "x"]), st.one_of(ARRAYS, OBJECTS), max_size=3),
    st.dictionaries(st.sampled_from(["domain", "origin"]), PLACES),
)
@example({"u": np.zeros((6, 6, 6), np.dtypes.StringDType())}, {})
@example({}, {"domain": (10**30, 1, 1), "origin": (10**30, 0, 0)})
def test_any_call_runs_or_is_refused(changes: dict[str, Any], place: dict[str, Any]) -> None:
    arguments = {**GOOD, **changes, **place}
    for name, dtype in (("u", "f8"), ("area", "f4"), ("out", "f8")):
        if name not in changes:
            arguments[name] = np.zeros(GOOD[name], dtype)
    try:
        MIX(**arguments)
    except ArgumentError as error:
        assert f"[{error.kind}]" in str(error)
        assert error.kind in {"conformance", "argument", "domain", "status"}
    else:
        assert "x" not in changes

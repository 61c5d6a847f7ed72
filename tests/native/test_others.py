"""What the catalogue lacks, in object code: the same bits as from Python."""

from typing import Any

import numpy as np
import pytest

from stencil import from_iir
from tests.native.calls import OK, Loaded, copied
from tests.native.stencils import LONG_NAME, STENCILS
from tests.running import same_bits

DOMAIN = (5, 4, 3)
ORIGIN = (1, 1, 1)


def array(axes: str, dtype: Any, seed: int = 0) -> np.ndarray[Any, Any]:
    sizes = {axis: n + 3 for axis, n in zip("IJK", DOMAIN, strict=True)}
    values = np.random.default_rng(seed).uniform(-9.0, 9.0, [sizes[axis] for axis in axes])
    return np.asarray(values > 0.0 if dtype is np.bool_ else values, dtype, order="F")


ARGUMENTS = {
    "upwards": {"u": array("IJK", np.float64), "least": -10.0},
    "bools": {
        "flag": array("IJK", np.bool_),
        "mask": array("IJ", np.bool_, 1),
        "out": array("IJK", np.bool_, 2),
        "count": array("IJK", np.int8),
        "invert": np.False_,
    },
    "axes": {
        "u": array("IJK", np.float64),
        "on_i": array("I", np.float64),
        "on_j": array("J", np.float32),
        "on_k": array("K", np.int16),
        "on_ik": array("IK", np.float64),
        "on_jk": array("JK", np.int64),
    },
    "rows": {"on_i": array("I", np.float64), "on_j": array("J", np.float64), "into": array("IJ", np.float64)},
    "double": {
        "int": array("IJK", np.float64),
        LONG_NAME: array("IJK", np.float64, 1),
        "double_run": 0.5,
        "workspace": 3.0,
        "stencil_begin": np.int32(-7),
    },
    LONG_NAME: {"größe": array("IJK", np.float64), "größe_": 0.75},
    "calls": {"u": array("IJK", np.float64), "v": array("IJK", np.float64, 1)},
}


@pytest.mark.parametrize("name", ARGUMENTS)
def test_results_are_those_of_python(name: str, others: Loaded) -> None:
    expected, actual = copied(ARGUMENTS[name]), copied(ARGUMENTS[name])
    from_iir(STENCILS[name], parallel=False)(**expected, domain=DOMAIN, origin=ORIGIN)
    failure = others.stencil(name)(actual, ORIGIN, DOMAIN)
    assert failure.status == OK, failure.text
    for field, values in expected.items():
        assert same_bits(np.asarray(actual[field]), np.asarray(values)).all(), field


def test_bools_are_true_where_they_are_not_zero(others: Loaded) -> None:
    flag = np.zeros(DOMAIN, np.int8, order="F")
    flag[0], flag[1], flag[2] = 2, -1, 1
    out = np.full(DOMAIN, 9, np.int8, order="F")
    mask = np.full(DOMAIN[:2], 4, np.int8, order="F")
    arguments = {"flag": flag, "mask": mask, "out": out, "count": np.zeros_like(flag), "invert": np.int8(0)}
    assert others.stencil("bools")(arguments, (0, 0, 0), DOMAIN).status == OK
    assert (out[:3] == 1).all() and (out[3:] == 0).all()
    arguments["invert"] = np.int8(2)
    assert others.stencil("bools")(arguments, (0, 0, 0), DOMAIN).status == OK
    assert (out == 1).all()

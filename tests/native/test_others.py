"""What the catalogue lacks, in object code: the same bits as from Python."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from backends.native import NativeSource, build_library, native_library, native_options
from backends.native.description import OPTIONS
from stencil import from_iir, stencil
from tests.catalogue import CATALOGUE
from tests.native.calls import ESETUP, OK, Loaded, copied, load
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
    "on_heap": {"u": array("IJK", np.float64), "out": array("IJK", np.float64, 1)},
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


def test_what_must_be_on_the_heap_is_in_the_workspace_of_every_call(others: Loaded) -> None:
    run = others.stencil("on_heap")
    assert run.bytes_of("workspace", (1, 1, 1)) > 0
    assert run.bytes_of("stack", DOMAIN) == run.bytes_of("stack", (50, 40, 800))
    failure = run(copied(ARGUMENTS["on_heap"]), ORIGIN, DOMAIN, workspace=0)
    assert (failure.status, failure.needed) == (ESETUP, run.bytes_of("workspace", DOMAIN))


@pytest.mark.parametrize("options", [{"math": "vector"}, {"fastmath": frozenset({"contract", "reassoc"})}])
def test_options_of_a_stencil_hold_in_its_library(options: dict[str, Any], tmp_path: Path) -> None:
    text = """stencil s(u: f64[IJK], v: f64[IJK])
  multistage parallel
    stage
      do [start, end)
        v = exp(u) * u + u * v - log(v + 20.0)
"""
    f = from_iir(text, parallel=False, **options)
    library = native_library([NativeSource(f.iir, f.optimized, native_options(f.options))], "s", "native")
    loaded = load(library, build_library(library, tmp_path))
    expected = {"u": array("IJK", np.float64), "v": array("IJK", np.float64, 1)}
    actual = copied(expected)
    f(**expected, domain=DOMAIN, origin=ORIGIN)
    assert loaded.stencil("s")(actual, ORIGIN, DOMAIN).status == OK
    assert np.array_equal(actual["v"], expected["v"])


def test_without_a_budget_no_array_is_on_the_stack(tmp_path: Path) -> None:
    entry = CATALOGUE["hdiff"]
    hdiff = stencil(entry.define(np.float64))
    source = NativeSource(hdiff.iir, hdiff.optimized, replace(OPTIONS, stack_budget=0))
    library = native_library([source], "s")
    run = load(library, build_library(library, tmp_path)).stencil("hdiff")
    assert run.bytes_of("workspace", DOMAIN) > 0
    assert run.bytes_of("stack", DOMAIN) == run.bytes_of("stack", (500, 500, 50))
    expected = entry.arguments(DOMAIN, np.float64)
    actual = copied(expected)
    hdiff(**expected)
    assert run(actual, (2, 2, 0), DOMAIN).status == OK
    assert np.array_equal(actual["out"], expected["out"])

"""Functions without branches in kernels: vector instructions, and the same bits however they are run."""

import json
import os
import re
import subprocess
import sys
from typing import Any, Final

import numpy as np
import pytest

from backends.vector_math.on_arrays import on_arrays
from stencil import PARALLEL, Field, computation, exp, interval, log, stencil
from tests.running import same_bits
from tests.unit.backends.assembly import functions
from tests.unit.backends.vector_loops import VERSIONS, arguments, loop

DTYPES: Final = ("float64", "float32")
PROCESSORS: Final = ("x86-64-v2", "x86-64-v3")
ALL_FLAGS: Final = ("afn", "arcp", "contract", "nsz", "reassoc")


@pytest.fixture(scope="module")
def reports() -> dict[str, dict[str, tuple[str, str]]]:
    """Machine code and a digest of the results of each loop, for each processor."""
    found = {}
    for processor in PROCESSORS:
        environment = os.environ | {"NUMBA_CPU_NAME": processor, "NUMBA_CPU_FEATURES": ""}
        program = (sys.executable, "-m", "tests.unit.backends.vector_loops")
        done = subprocess.run(program, check=True, capture_output=True, text=True, env=environment)
        found[processor] = json.loads(done.stdout)
    return found


def test_processors_with_and_without_fused_instructions_give_the_same_bits(
    reports: dict[str, dict[str, tuple[str, str]]],
) -> None:
    old, new = (reports[processor] for processor in PROCESSORS)
    assert {name: digest for name, (_, digest) in old.items()} == {
        name: digest for name, (_, digest) in new.items()
    }
    assert "\tvfmadd" in new["power float64"][0]
    assert "\tvfmadd" not in old["power float64"][0]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", VERSIONS)
def test_loops_are_vector_instructions_without_calls(
    reports: dict[str, dict[str, tuple[str, str]]], name: str, dtype: str
) -> None:
    text, _ = reports["x86-64-v3"][f"{name} {dtype}"]
    (body,) = (item for symbol, item in functions(text).items() if symbol.startswith("_ZN8__main__"))
    kind = "d" if dtype == "float64" else "s"
    steps = r"v(?:add|sub|mul|div|fn?m(?:add|sub)\d+)"
    assert len(re.findall(rf"\b{steps}p{kind}\b.*%ymm", body)) > 15
    assert not re.search(r"gather|scatter|\bcall|\bjmpq?\s+\*", body)
    assert not re.search(rf"\b{steps}[ps]{'s' if kind == 'd' else 'd'}\b|\bvcvt", body)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", VERSIONS)
def test_lanes_and_remainders_give_the_same_bits_as_plain_python(name: str, dtype: str) -> None:
    given = arguments(name, dtype, 1000)
    expected = on_arrays(VERSIONS[name], *given)
    for length in range(1, 41):
        for start in (0, 3, 900):
            part = tuple(item[start : start + length] for item in given)
            out = np.empty_like(part[0])
            loop(name)(*part, out)
            assert same_bits(out, expected[start : start + length]).all()
    assert np.isfinite(expected).sum() > 200


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", VERSIONS)
def test_fastmath_of_the_code_around_them_changes_no_bits(name: str, dtype: str) -> None:
    given = arguments(name, dtype, 1000)
    out = np.empty_like(given[0])
    loop(name, *ALL_FLAGS)(*given, out)
    assert same_bits(out, on_arrays(VERSIONS[name], *given)).all()


def _growth(x: "Field[real]", y: "Field[real]", n: Field[np.int32], out: "Field[real]"):
    with computation(PARALLEL), interval(...):
        rate = exp(x) + log(y)
        out = rate ** (x[1, 0, 0] * 0.5) + (n ** (n - 1) + 0.0)


@pytest.mark.parametrize("dtype", DTYPES)
def test_back_ends_and_threads_agree(dtype: str) -> None:
    random = np.random.default_rng(1)
    shape = (37, 3, 2)
    x, y = (np.asfortranarray(random.uniform(0.1, 9, (38, 3, 2)).astype(dtype)) for _ in range(2))
    n = np.asfortranarray(random.integers(0, 5, shape).astype(np.int32))
    results = {}
    for name, options in {
        "reference": {"backend": "reference", "math": "vector"},
        "serial": {"parallel": False, "math": "vector"},
        "parallel": {"parallel": True, "math": "vector"},
        "plain": {"parallel": False, "math": "vector", "jit": False},
        "libm": {"parallel": False, "math": "libm"},
    }.items():
        out: Any = np.zeros(shape, dtype, order="F")
        call = stencil(dtypes={"real": np.dtype(dtype).type}, **options)(_growth)
        call(x, y, n, out, domain=shape, origin=(0, 0, 0))
        results[name] = out
    libm = results.pop("libm")
    for name, out in results.items():
        assert same_bits(out, results["reference"]).all(), name
    assert np.allclose(libm, results["serial"], rtol=1e-4 if dtype == "float32" else 1e-12, equal_nan=True)
    assert not same_bits(libm, results["serial"]).all()


def test_kernels_of_both_kinds_are_kept_apart() -> None:
    """The cache of one process or of all knows which functions a kernel calls."""
    dtypes = {"real": np.float64}
    first, second = (stencil(dtypes=dtypes, math=math)(_growth) for math in ("libm", "vector"))
    assert "runtime.libm import exp, log" in first.source
    assert "runtime.vector_math import exp, log, power" in second.source
    assert first.with_options(math="vector").source == second.source

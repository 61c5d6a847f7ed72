"""Calls of external functions with several targets."""

from pathlib import Path

import numpy as np
import pytest

from backends import numba_cpu, reference
from backends.base import Backend, CallShape, FieldLayout, Options
from iir.parser import from_text
from iir.passes import DEFAULT
from iir.pipeline import run

TEXT = """
stencil both(a: f64[IJK], b: f64[IJK], out: f64[IJK])
  temporary t: f64[IJK]
  multistage parallel
    stage
      do [start, end)
        t, b = call "tests.external_functions:split"(a, 2.0)
        out = t[1, 0, 0] + t[0, -1, 0]
"""


@pytest.mark.parametrize("jit", [False, True])
def test_argument_is_stored_on_the_domain_where_a_temporary_beside_it_is_wider(
    jit: bool, tmp_path: Path
) -> None:
    expected = _run(reference.BACKEND, Options(), tmp_path)
    found = _run(numba_cpu.BACKEND, Options(parallel=False, jit=jit), tmp_path)
    for left, right in zip(expected, found, strict=True):
        np.testing.assert_array_equal(left, right)
    outside = np.ones((7, 6, 2), bool)
    outside[2:5, 2:4] = False
    assert (found[1][outside] == -1.0).all()


def _run(backend: Backend, options: Options, folder: Path) -> tuple[np.ndarray, ...]:
    ir = from_text(TEXT)
    if backend is not reference.BACKEND:
        ir = backend.schedule(run(ir, DEFAULT), options)
    executable = backend.build(backend.emit(backend.lower(ir, options), options), options, folder)
    a = np.asfortranarray(np.random.default_rng(5).random((7, 6, 2)))
    arrays = (a, np.full_like(a, -1.0), np.full_like(a, -1.0))
    layout = FieldLayout(a.shape, a.strides, (2, 2, 0))
    executable.prepare(CallShape((3, 2, 2), (layout, layout, layout)))(arrays, ())
    return arrays

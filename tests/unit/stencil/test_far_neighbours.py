"""Temporaries that are needed far beyond the domain, or only there."""

from collections.abc import Callable

import numpy as np
import pytest

from stencil import FORWARD, PARALLEL, Field, computation, interval, stencil

F = Field[np.float64]


def beside_a_sweep(u: F, v: F, out: F, other: F) -> None:
    with computation(FORWARD):
        with interval(0, 1):
            t = u + v
            other = u
        with interval(1, None):
            t = t[0, 0, -1] * u + v
            other = other[0, 0, -1] + u
    with computation(PARALLEL), interval(...):
        out = t[1, 1, 0] + t[-2, -1, 0]


def beyond_the_domain_only(u: F, v: F, out: F, other: F) -> None:
    with computation(PARALLEL), interval(...):
        t = u * v + u / 3.0 - v * (u + 1.0) * (u - v) + u * u * u
        other = u * 2.0 + v
        out = t[5, 0, 0] + t[4, 1, 0] + t[6, 1, 0] + t[5, -1, 0]


@pytest.mark.parametrize("definition", [beside_a_sweep, beyond_the_domain_only])
@pytest.mark.parametrize("columns", [1, 2, 32, 64, 128, 37])
def test_every_row_length_has_the_same_values(definition: Callable[..., None], columns: int) -> None:
    random = np.random.default_rng(columns)
    shape = (columns + 10, 7, 3)
    arrays = {name: np.asfortranarray(random.random(shape)) for name in ("u", "v", "out", "other")}
    expected = {name: array.copy(order="F") for name, array in arrays.items()}
    call = {"domain": (columns, 4, 3), "origin": (3, 1, 0)}
    stencil(backend="reference")(definition)(**expected, **call)
    stencil(backend="numba", parallel=False)(definition)(**arrays, **call)
    for name, array in expected.items():
        np.testing.assert_array_equal(arrays[name], array, err_msg=name)

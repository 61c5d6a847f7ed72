"""The catalogue does what its NumPy versions do, and its entries say right what arguments look like."""

import numpy as np
import pytest

from benchmarks.numpy_kernels import NUMPY_KERNELS
from stencil import stencil
from tests.catalogue import CATALOGUE

DOMAIN = (7, 6, 5)
DTYPES = (np.float64, np.float32)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", NUMPY_KERNELS)
def test_entry_equals_its_numpy_version_bit_for_bit(name: str, dtype: type[np.generic]) -> None:
    entry = CATALOGUE[name]
    expected, got = entry.arguments(DOMAIN, dtype), entry.arguments(DOMAIN, dtype)
    NUMPY_KERNELS[name](**expected)
    stencil(backend="reference")(entry.define(dtype))(**got)
    for field, values in expected.items():
        assert np.array_equal(got[field], values), field


@pytest.mark.parametrize("name", CATALOGUE)
def test_entry_has_the_halo_and_levels_that_its_stencil_needs(name: str) -> None:
    entry = CATALOGUE[name]
    f = stencil(backend="reference")(entry.define(np.float64))
    halos = np.array(list(f.halo.values()))
    assert np.array_equal(np.maximum(halos.max(axis=0), 0), entry.halo)
    assert f.required_levels == entry.levels


@pytest.mark.parametrize("name", CATALOGUE)
def test_entry_changes_one_of_its_arguments(name: str) -> None:
    entry = CATALOGUE[name]
    before, after = entry.arguments(DOMAIN, np.float64), entry.arguments(DOMAIN, np.float64)
    origin = tuple(low for low, _ in entry.halo)
    stencil(backend="reference")(entry.define(np.float64))(**after, origin=origin)
    assert any(not np.array_equal(before[field], after[field]) for field in before)

"""The catalogue in object code: the same bits as from Python, and nothing else in memory changed."""

from typing import Any

import numpy as np
import pytest

from stencil import stencil
from tests.catalogue import CATALOGUE, Domain
from tests.native.calls import OK, aligned_memory, copied
from tests.native.conftest import CatalogueLibraries
from tests.running import same_bits

ROOM = 3
"""Points by which arrays are larger than they need be, most of them behind the domain."""


@pytest.mark.parametrize("size", [(9, 7, 6), (34, 2, 3), (2, 1, 1)])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("name", CATALOGUE)
def test_results_are_those_of_python(
    name: str, dtype: type[np.generic], size: Domain, catalogue_libraries: CatalogueLibraries
) -> None:
    entry = CATALOGUE[name]
    ni, nj, nk = size
    domain = ni, nj, max(nk, entry.levels)
    larger = ni + ROOM, nj + ROOM, domain[2] + ROOM
    (i, _), (j, _), (k, _) = entry.halo
    origin = i + 1, j + 1, k + 1
    expected = entry.arguments(larger, dtype)
    actual = copied(expected)
    stencil(entry.define(dtype), parallel=False)(**expected, domain=domain, origin=origin)
    failure = catalogue_libraries(dtype).stencil(name)(actual, origin, domain)
    assert failure.status == OK, failure.text
    for field, array in expected.items():
        assert same_bits(np.asarray(actual[field]), np.asarray(array)).all(), field


@pytest.mark.parametrize("name", CATALOGUE)
def test_workspace_is_not_left(name: str, catalogue_libraries: CatalogueLibraries) -> None:
    entry = CATALOGUE[name]
    domain = 130, 20, 70
    run = catalogue_libraries(np.float64).stencil(name)
    size = run.bytes_of("workspace", domain)
    memory = aligned_memory(size + 2 * 64)
    assert memory is not None and size % 64 == 0
    (i, _), (j, _), (k, _) = entry.halo
    arguments: dict[str, Any] = entry.arguments(domain, np.float64)
    failure = run(arguments, (i, j, k), domain, workspace=memory.ctypes.data + 64)
    assert failure.status == OK, failure.text
    assert (memory[:64] == 0xAB).all() and (memory[64 + size :] == 0xAB).all()

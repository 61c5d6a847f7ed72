"""Calls in several threads at once."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from tests.catalogue import CATALOGUE
from tests.native.calls import ERUNTIME, OK, Loaded, copied

DOMAIN = (23, 11, 9)


@pytest.mark.parametrize("name", ["vadv", "box_filter", "dynamical_core"])
def test_calls_in_threads_do_not_disturb_each_other(name: str, doubles: Loaded) -> None:
    entry = CATALOGUE[name]
    (i, _), (j, _), (k, _) = entry.halo
    calls = [entry.arguments(DOMAIN, np.float64, seed=seed) for seed in range(8)]
    alone = [copied(arguments) for arguments in calls]
    run = doubles.stencil(name)
    for arguments in alone:
        assert run(arguments, (i, j, k), DOMAIN).status == OK

    def many_times(arguments: dict[str, Any]) -> dict[str, Any]:
        for _ in range(20):
            last = copied(arguments)
            assert run(last, (i, j, k), DOMAIN).status == OK
        return last

    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(many_times, calls))
    for expected, actual in zip(alone, results, strict=True):
        assert all(np.array_equal(actual[field], value) for field, value in expected.items())


def test_each_thread_has_its_own_failure(others: Loaded) -> None:
    run = others.stencil("backward_check")

    def failing_at(k: int) -> int:
        u = np.ones((50, 40, 8), order="F")
        u[7, 3, k] = 6.0
        failure = run({"u": u}, (0, 0, 0), (50, 40, 8))
        assert failure.status == ERUNTIME
        return int(failure.index[2])

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(failing_at, [*range(8)] * 8)) == [*range(8)] * 8

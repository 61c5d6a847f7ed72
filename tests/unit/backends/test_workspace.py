"""Workspaces: alignment, padding, reuse."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import numpy as np
import pytest

from backends.base import Array
from backends.workspace import LINE, WorkspacePool, empty_aligned


@pytest.mark.parametrize("dtype", [np.int8, np.float32, np.float64])
@pytest.mark.parametrize("shape", [(5,), (5, 3), (512, 8, 4), (7, 1, 2), (0, 3, 2)])
@pytest.mark.parametrize("aligned", [0, 1, 3])
def test_every_row_has_its_first_computed_element_on_a_line(
    dtype: type[np.generic], shape: tuple[int, ...], aligned: int
) -> None:
    for number in range(3):
        array = empty_aligned(shape, np.dtype(dtype), fastest=0, aligned=aligned, number=number)
        assert array.shape == shape and array.strides[0] == array.itemsize
        assert (array.ctypes.data + aligned * array.itemsize) % LINE == 0
        assert all(stride % LINE == 0 for stride in array.strides[1:])


def test_elements_do_not_overlap_and_lie_in_the_buffer() -> None:
    array = empty_aligned((5, 3, 4), np.dtype(np.float64), fastest=2, aligned=1, number=7)
    values = np.arange(60.0).reshape(5, 3, 4)
    array[...] = values
    assert array.strides[2] == 8
    assert (array == values).all()


def test_planes_do_not_compete_for_the_same_cache_lines() -> None:
    array = empty_aligned((64, 64, 3), np.dtype(np.float64), fastest=0, aligned=0)
    assert array.strides[2] % 4096 != 0


def test_a_set_is_reused_after_it_was_given_back() -> None:
    pool = WorkspacePool(_allocate)
    first = pool.take()
    second = pool.take()
    assert first[0] is not second[0]
    pool.give_back(first)
    assert pool.take()[0] is first[0]


def test_threads_never_share_a_set() -> None:
    pool, barrier = WorkspacePool(_allocate), Barrier(4)

    def work(number: int) -> None:
        for _ in range(50):
            (array,) = pool.take()
            array[...] = number
            barrier.wait(timeout=10)
            assert (array == number).all()
            pool.give_back((array,))

    with ThreadPoolExecutor(4) as threads:
        for done in [threads.submit(work, number) for number in range(4)]:
            done.result()


def _allocate() -> tuple[Array, ...]:
    return (np.empty(100),)

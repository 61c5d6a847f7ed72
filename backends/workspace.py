"""Memory for temporaries: aligned, padded, and kept from call to call."""

from collections.abc import Callable
from typing import Final

import numpy as np

from backends.base import Array

LINE: Final = 64
"""Bytes of a cache line, and of the widest vector register."""

SET_PERIOD: Final = 4096
"""Addresses that differ by a multiple of this compete for the same lines of a first-level cache."""


def empty_aligned(
    shape: tuple[int, ...], dtype: np.dtype[np.generic], *, fastest: int, aligned: int, number: int = 0
) -> Array:
    """An array of undefined content with unit stride on axis *fastest*, the others in order.

    Rows are padded so that index *aligned* of each begins a cache line. Arrays of different *number*
    begin at different places of the cache's period, and planes do not lie a multiple of it apart.
    """
    order = [fastest, *(axis for axis in range(len(shape)) if axis != fastest)]
    strides = [0] * len(shape)
    size = dtype.itemsize
    for position, axis in enumerate(order):
        strides[axis] = size
        size *= shape[axis]
        if position == 0:
            size = -(-size // LINE) * LINE
        elif size % SET_PERIOD == 0:
            size += LINE
    stagger = LINE * (5 * number % (SET_PERIOD // LINE))
    buffer = np.empty(size + stagger + 2 * LINE, dtype=np.uint8)
    address = buffer.ctypes.data + stagger + aligned * dtype.itemsize
    offset = stagger + -address % LINE
    return np.ndarray(shape, dtype, buffer, offset, tuple(strides))


class WorkspacePool:
    """Sets of workspaces, each used by one call at a time; any number of threads may call."""

    def __init__(self, allocate: Callable[[], tuple[Array, ...]]) -> None:
        self._allocate = allocate
        self._free: list[tuple[Array, ...]] = []

    def take(self) -> tuple[Array, ...]:
        """A set that nobody else uses until it is given back."""
        try:
            # Atomic, so threads need no lock.
            return self._free.pop()
        except IndexError:
            return self._allocate()

    def give_back(self, workspaces: tuple[Array, ...]) -> None:
        self._free.append(workspaces)

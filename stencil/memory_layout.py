"""Strides that suit caches: padded rows, and planes spread over the sets of the caches."""

from functools import lru_cache
from typing import Final, TypeAlias

import numpy as np

_Index: TypeAlias = tuple[int, ...]

LINE: Final = 64
"""Bytes of a cache line, which are also those of the widest vector register."""

PAGE: Final = 4096
"""Bytes of a page. Addresses that differ by whole pages share a set of the first-level cache."""

# Sets of the second-level cache: 1 MiB in 16 ways.
_SETS: Final = 1024
# A kernel goes through the levels on strips of a row that are no longer than this.
_STRIP: Final = 1024
_MOST_LEVELS: Final = 80
_MOST_EXTRA_ROWS: Final = 16


def strides_and_size(shape: _Index, grid_axes: int, itemsize: int) -> tuple[_Index, int]:
    """Strides of an array, first axis fastest and last slowest, and the bytes from its start to its end.

    The first *grid_axes* axes are those of the grid. All strides but the first are whole lines and no
    multiples of a page.
    """
    strides, size = [itemsize], _off_page(max(1, -(-shape[0] * itemsize // LINE)) * LINE)
    for axis, count in enumerate(shape[1:], 1):
        strides.append(size)
        is_plane = axis == 1 and grid_axes == 3
        rows = _plane_rows(max(1, count), size, shape[2]) if is_plane else max(1, count)
        size = _off_page(rows * size)
    return tuple(strides), size


def _off_page(size: int) -> int:
    return size if size % PAGE else size + LINE


@lru_cache(maxsize=1024)
def _plane_rows(rows: int, row: int, levels: int) -> int:
    """Rows for each plane: a few more than *rows* where the levels of a strip then share fewer sets."""
    if levels < 2:
        return rows
    strip, depth = min(row, _STRIP), min(levels, _MOST_LEVELS)
    candidates = range(rows, rows + min(rows // 8 + 1, _MOST_EXTRA_ROWS) + 1)
    return min(candidates, key=lambda n: (_is_regular(n * row), _crowding(n * row, strip, depth), n))


def _is_regular(stride: int) -> bool:
    """Whether steps of *stride* come back to the same few sets."""
    return stride % PAGE == 0 or stride.bit_count() == 1


def _crowding(stride: int, strip: int, levels: int) -> int:
    """The most lines that share a set of the second-level cache if a strip of each level is in use."""
    lines = np.arange(levels)[:, np.newaxis] * (stride // LINE) + np.arange(strip // LINE)
    return int(np.bincount((lines % _SETS).ravel()).max())

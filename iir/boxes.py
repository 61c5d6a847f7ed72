"""Sets of grid points as unions of boxes."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from iir.expressions import Offset

Range: TypeAlias = tuple[int, int]
Box: TypeAlias = tuple[Range, Range, Range]
Grid: TypeAlias = NDArray[np.bool_]
Cuts: TypeAlias = tuple[Sequence[int], Sequence[int], Sequence[int]]


@dataclass(frozen=True, slots=True)
class BoxSet:
    """A set of points (i, j, k), held as disjoint, non-empty, half-open boxes.

    The boxes are canonical, so that equal sets have equal boxes: slabs of levels with one
    cross-section as thick as can be, from the bottom up; in each of them the same along j, then
    along i. Build one with `box_set`, which takes boxes that overlap.
    """

    boxes: tuple[Box, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.boxes)

    def __or__(self, other: "BoxSet") -> "BoxSet":
        return _combined(self, other, np.logical_or)

    def __and__(self, other: "BoxSet") -> "BoxSet":
        return _combined(self, other, np.logical_and)

    def __sub__(self, other: "BoxSet") -> "BoxSet":
        return _combined(self, other, np.greater)

    def __le__(self, other: "BoxSet") -> bool:
        return not self - other

    def __contains__(self, point: tuple[int, int, int]) -> bool:
        return any(all(a <= p < b for p, (a, b) in zip(point, box, strict=True)) for box in self.boxes)

    def __len__(self) -> int:
        """The number of points."""
        return sum((i1 - i0) * (j1 - j0) * (k1 - k0) for (i0, i1), (j0, j1), (k0, k1) in self.boxes)

    def __str__(self) -> str:
        return " | ".join(" x ".join(f"[{a}, {b})" for a, b in box) for box in self.boxes) or "empty"

    def displaced(self, offset: Offset) -> "BoxSet":
        """The points of the set moved by *offset*."""
        return BoxSet(
            tuple(
                (
                    (i0 + offset.i, i1 + offset.i),
                    (j0 + offset.j, j1 + offset.j),
                    (k0 + offset.k, k1 + offset.k),
                )
                for (i0, i1), (j0, j1), (k0, k1) in self.boxes
            )
        )


def box_set(boxes: Iterable[Box]) -> BoxSet:
    """The union of *boxes*, which may overlap or be empty."""
    kept = [box for box in boxes if all(a < b for a, b in box)]
    cuts = cuts_of(kept)
    return set_of_grid(_grid(kept, cuts), cuts)


def cuts_of(boxes: Iterable[Box]) -> Cuts:
    """The coordinates on each axis at which one of *boxes* begins or ends, ascending."""
    i: set[int] = set()
    j: set[int] = set()
    k: set[int] = set()
    for box in boxes:
        for values, bounds in zip((i, j, k), box, strict=True):
            values.update(bounds)
    return sorted(i), sorted(j), sorted(k)


def set_of_grid(grid: Grid, cuts: Cuts) -> BoxSet:
    """The points in the cells of *grid* that hold; cell n of an axis is ``[cuts[n], cuts[n + 1])``."""
    i, j, k = cuts
    return BoxSet(
        tuple(
            ((i[i0], i[i1]), (j[j0], j[j1]), (k[k0], k[k1])) for (i0, i1), (j0, j1), (k0, k1) in cells(grid)
        )
    )


def cells(grid: Grid) -> Iterator[Box]:
    """The true cells of a three-dimensional *grid* as canonical boxes of cell numbers."""
    for k, plane in _slabs(grid):
        for j, row in _slabs(plane):
            for i, cell in _slabs(row):
                if cell:
                    yield (i, j, k)


def _slabs(grid: Grid) -> Iterator[tuple[Range, Grid]]:
    """Runs of equal cross-sections along the last axis, without the empty ones."""
    if not grid.size:
        return
    count = grid.shape[-1]
    sections = grid.reshape(-1, count)
    changes = (sections[:, 1:] != sections[:, :-1]).any(axis=0).nonzero()[0] + 1
    for start, stop in pairwise((0, *changes.tolist(), count)):
        section = grid[..., start]
        if section.any():
            yield (start, stop), section


def _combined(left: BoxSet, right: BoxSet, operation: Callable[[Grid, Grid], Grid]) -> BoxSet:
    cuts = cuts_of((*left.boxes, *right.boxes))
    return set_of_grid(operation(_grid(left.boxes, cuts), _grid(right.boxes, cuts)), cuts)


def _grid(boxes: Iterable[Box], cuts: Cuts) -> Grid:
    i, j, k = ({value: number for number, value in enumerate(axis)} for axis in cuts)
    grid = np.zeros([max(0, len(axis) - 1) for axis in cuts], dtype=np.bool_)
    for (i0, i1), (j0, j1), (k0, k1) in boxes:
        grid[i[i0] : i[i1], j[j0] : j[j1], k[k0] : k[k1]] = True
    return grid

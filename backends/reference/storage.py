"""Arrays addressed relative to the domain, and boxes of points in them."""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from backends.base import Array
from iir.expressions import CENTER, Offset
from iir.nodes import Axes

Range: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Box:
    """Half-open ranges of points on i, j and k, relative to the domain's first point."""

    i: Range
    j: Range
    k: Range

    @property
    def shape(self) -> tuple[int, int, int]:
        """How many points lie in the box on each axis."""
        i, j, k = (max(0, stop - start) for start, stop in (self.i, self.j, self.k))
        return i, j, k


@dataclass(frozen=True, slots=True)
class FieldView:
    """An array, and the index of the domain's first point in it, for each axis that the field has."""

    array: Array
    axes: Axes
    origin: tuple[int, ...]

    def read(self, box: Box, offset: Offset) -> Array:
        """A copy of the values on *box* displaced by *offset*, with length 1 on missing axes."""
        return self._part(box, offset)[self._expansion()].copy()

    def store(self, box: Box, value: Array, mask: Array) -> None:
        """Store *value* at the points of *box* where *mask* holds."""
        target = self._part(box, CENTER)[self._expansion()]
        shape = tuple(n if axis in self.axes.value else 1 for n, axis in zip(box.shape, "IJK", strict=True))
        assert shape == box.shape, "a field without K is assigned plane by plane"
        np.copyto(target, np.broadcast_to(value, shape), where=np.broadcast_to(mask, shape))

    def _part(self, box: Box, offset: Offset) -> Array:
        ranges = zip("IJK", (box.i, box.j, box.k), offset, strict=True)
        own = [
            (start + shift, stop + shift) for axis, (start, stop), shift in ranges if axis in self.axes.value
        ]
        part = []
        for (start, stop), origin, length in zip(own, self.origin, self.array.shape, strict=True):
            assert origin + start >= 0 and origin + stop <= length, "an access leaves its array"
            part.append(slice(origin + start, origin + stop))
        return self.array[tuple(part)]

    def _expansion(self) -> tuple[slice | None, ...]:
        return tuple(slice(None) if axis in self.axes.value else None for axis in "IJK")

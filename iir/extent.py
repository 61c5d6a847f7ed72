"""Horizontal extents: boxes of columns relative to the domain."""

from dataclasses import dataclass
from typing import Final

from iir.expressions import Offset


@dataclass(frozen=True, slots=True)
class Extent:
    """The columns ``[i[0], ni + i[1]) x [j[0], nj + j[1])`` of a domain of ni x nj columns.

    ``i=(-1, 2)`` reaches one column below the domain and two above. A side may lie inside the
    domain: ``i=(1, 1)`` is the domain displaced by one.
    """

    i: tuple[int, int]
    j: tuple[int, int]


DOMAIN: Final = Extent((0, 0), (0, 0))


def hull(left: Extent, right: Extent) -> Extent:
    """The smallest extent that holds both."""
    return Extent(_outer(left.i, right.i), _outer(left.j, right.j))


def displace(extent: Extent, offset: Offset) -> Extent:
    """The columns that an access at *offset* touches when its statement runs on *extent*."""
    return Extent(
        (extent.i[0] + offset.i, extent.i[1] + offset.i),
        (extent.j[0] + offset.j, extent.j[1] + offset.j),
    )


def contains(outer: Extent, inner: Extent) -> bool:
    """Whether *outer* holds *inner* on every domain."""
    return hull(outer, inner) == outer


def _outer(left: tuple[int, int], right: tuple[int, int]) -> tuple[int, int]:
    return min(left[0], right[0]), max(left[1], right[1])

"""What the loops of a program are ordered for."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from iir.schedule import Axis


@dataclass(frozen=True, slots=True)
class Layout:
    """The arrays and the shape of the domain that a program is for.

    All fields have unit stride on *unit*; None: strides may be any. Innermost loops are over *lanes*
    where that can be. *is_flat*: there are so few levels that threads had better share rows. *prefetches*,
    *streams*: the fields are so large that it pays to fetch rows early, and to store past the caches.
    *is_large*: rows or columns are so long that the stack has no room for temporaries of them. *strip*: so
    many lanes fill each row of the domain without a rest, so that loops over them have a constant length.
    *block*: so many rows of some levels fit into a cache together, but whole levels do not. *whole*: rows of
    the domain have a multiple of so many lanes, a power of two.
    """

    unit: Axis | None
    lanes: Axis
    is_flat: bool = False
    prefetches: bool = False
    streams: bool = False
    is_large: bool = False
    strip: int | None = None
    block: int | None = None
    whole: int | None = None

    @property
    def row(self) -> Axis:
        """The horizontal axis for whose outermost loop everything runs row by row."""
        return Axis.J if self.lanes is Axis.I else Axis.I

    @property
    def lane_of_sweeps(self) -> Axis:
        """The innermost axis of loops that must run level by level."""
        return Axis.I if self.lanes is Axis.I else Axis.J

    @property
    def loops(self) -> tuple[Axis, Axis, Axis]:
        """The order of loops that may be in any, outermost first."""
        return (_FLAT_LOOPS if self.is_flat else _LOOPS)[self.lanes]


_LOOPS: Final[Mapping[Axis, tuple[Axis, Axis, Axis]]] = MappingProxyType(
    {
        Axis.I: (Axis.K, Axis.J, Axis.I),
        Axis.J: (Axis.K, Axis.I, Axis.J),
        Axis.K: (Axis.I, Axis.J, Axis.K),
    }
)
_FLAT_LOOPS: Final[Mapping[Axis, tuple[Axis, Axis, Axis]]] = MappingProxyType(
    {
        Axis.I: (Axis.J, Axis.K, Axis.I),
        Axis.J: (Axis.I, Axis.K, Axis.J),
        Axis.K: (Axis.I, Axis.J, Axis.K),
    }
)

FORTRAN: Final = Layout(Axis.I, Axis.I)
"""For arrays whose first index varies fastest."""

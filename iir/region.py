"""Regions: sets of points given relative to the domain and to scalar parameters."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from iir.boxes import Box, BoxSet, box_set
from iir.interval import Anchor, Bound, bound_level
from iir.nodes import Axes

Size: TypeAlias = tuple[int, int, int]
Scalars: TypeAlias = Mapping[str, Any]

EMPTY_TEXT: Final = "empty"


@dataclass(frozen=True, slots=True)
class Side:
    """The half-open range from the highest of *lower* to the lowest of *upper* on one axis."""

    lower: tuple[Bound, ...]
    upper: tuple[Bound, ...]


@dataclass(frozen=True, slots=True)
class RegionBox:
    """A box with symbolic sides; ``start`` and ``end`` are those of the domain on each axis.

    A side of an axis that the field lacks is not looked at.
    """

    i: Side
    j: Side
    k: Side


WHOLE: Final = Side((Bound(Anchor.START),), (Bound(Anchor.END),))


@dataclass(frozen=True, slots=True)
class Region:
    """A set of points of a field on *axes*, for every domain.

    *boxes* is the printed form. It may hold only from a larger domain on; then *exact*, which
    computes the points for one domain, says what holds below. *is_empty* says that there are no
    points on any permitted domain. With *is_absolute* the bounds count from the domain's first
    point, for one fixed domain.
    """

    axes: Axes
    boxes: tuple[RegionBox, ...] = ()
    is_empty: bool = False
    is_absolute: bool = False
    exact: Callable[[Size, Scalars], BoxSet] | None = field(default=None, compare=False, repr=False)

    def evaluate(self, domain: Size, params: Scalars | None = None, **scalars: Any) -> tuple[Box, ...]:
        """The points on *domain* as disjoint boxes ``((i0, i1), (j0, j1), (k0, k1))``.

        Coordinates are relative to the domain's first point; an axis that the field lacks has
        (0, 1). Scalars come by name or as a mapping.
        """
        given = {**(params or {}), **scalars}
        points = self.as_printed(domain, given) if self.exact is None else self.exact(domain, given)
        return points.boxes

    def as_printed(self, domain: Size, scalars: Scalars | None = None) -> BoxSet:
        """The points of the printed form on *domain*."""
        given = scalars or {}
        return box_set(self._box(box, domain, given) for box in self.boxes)

    def __bool__(self) -> bool:
        return not self.is_empty

    def __repr__(self) -> str:
        return f"Region({str(self)!r})"

    def __str__(self) -> str:
        sections: dict[tuple[Side, Side], list[Side]] = {}
        for box in self.boxes:
            _append(sections.setdefault((box.i, box.j), []), box.k)
        texts = [self._columns(*columns) + self._levels(levels) for columns, levels in sections.items()]
        return "; ".join(", ".join(parts) or self._everything() for parts in texts) or EMPTY_TEXT

    def _box(self, box: RegionBox, domain: Size, scalars: Scalars) -> Box:
        i, j, k = (
            _evaluated(side, size, scalars) if axis in self.axes.value else (0, 1)
            for axis, side, size in zip("IJK", (box.i, box.j, box.k), domain, strict=True)
        )
        return i, j, k

    def _columns(self, i: Side, j: Side) -> list[str]:
        named = (("i", i), ("j", j))
        return [
            f"{name}={self._side(side)}"
            for name, side in named
            if name.upper() in self.axes.value and side != WHOLE
        ]

    def _levels(self, sides: list[Side]) -> list[str]:
        if "K" not in self.axes.value:
            return []
        return ["k=" + " | ".join(self._side(side) for side in sides)]

    def _everything(self) -> str:
        return "plane" if self.axes is Axes.IJ else f"{self.axes.value.lower()}={self._side(WHOLE)}"

    def _side(self, side: Side) -> str:
        return f"[{self._bounds('max', side.lower)}, {self._bounds('min', side.upper)})"

    def _bounds(self, function: str, bounds: tuple[Bound, ...]) -> str:
        texts = [str(bound.offset) if self.is_absolute else _bound_text(bound) for bound in bounds]
        return texts[0] if len(texts) == 1 else f"{function}({', '.join(texts)})"


def _append(sides: list[Side], side: Side) -> None:
    """Add *side* above *sides*, joined to the last one where that ends at its start."""
    if sides and sides[-1].upper == side.lower:
        sides[-1] = Side(sides[-1].lower, side.upper)
    else:
        sides.append(side)


def _evaluated(side: Side, size: int, scalars: Scalars) -> tuple[int, int]:
    lower = max(bound_level(bound, size, scalars) for bound in side.lower)
    return lower, min(bound_level(bound, size, scalars) for bound in side.upper)


def _bound_text(bound: Bound) -> str:
    anchor = bound.anchor.value if isinstance(bound.anchor, Anchor) else bound.anchor
    return f"{anchor}{bound.offset:+d}" if bound.offset else anchor

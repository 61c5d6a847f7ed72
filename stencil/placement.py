"""A field argument of one call: what the stencil touches, and where the domain lies in the array."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from iir.analyses.reach import Range, Reach, bounding_box, halo, reaches
from iir.nodes import FieldDecl, Stencil

Index: TypeAlias = tuple[int, ...]
Triple: TypeAlias = tuple[int, int, int]

_AXES: Final = "IJK"


@dataclass(frozen=True, slots=True)
class FieldUse:
    """What the stencil does with a field: its points by access, and its halo for large domains.

    *axes* are the positions of the field's axes among I, J, K.
    """

    declaration: FieldDecl
    reaches: tuple[Reach, ...]
    halo: tuple[Range, Range, Range]

    @property
    def name(self) -> str:
        return self.declaration.name

    @property
    def axes(self) -> Index:
        return tuple(_AXES.index(axis) for axis in self.declaration.axes.value)

    @property
    def is_written(self) -> bool:
        return any(reach.is_store for reach in self.reaches)


@dataclass(frozen=True, slots=True)
class Placed:
    """A field, its array's shape and the index of the domain's first point, by own axes."""

    use: FieldUse
    shape: Index
    origin: Index

    def along(self, axis: int) -> tuple[int, int]:
        """Size and origin along *axis*, which the field has."""
        position = self.use.axes.index(axis)
        return self.shape[position], self.origin[position]


@dataclass(frozen=True, slots=True)
class Misfit:
    """A side on which an array is too small: the points needed and given there.

    Below the domain these are the points before the origin, above it the array's size.
    """

    axis: int
    is_low: bool
    needed: int
    given: int

    @property
    def side(self) -> str:
        return f"{axis_letter(self.axis)}-{'low' if self.is_low else 'high'}"


def field_uses(ir: Stencil) -> tuple[FieldUse, ...]:
    """The field arguments of *ir* in the order of the signature."""
    points, rims = reaches(ir), halo(ir)
    return tuple(
        FieldUse(item, points[item.name], rims[item.name])
        for item in ir.parameters
        if isinstance(item, FieldDecl)
    )


def misfits(item: Placed, domain: Triple, scalars: Mapping[str, int]) -> Iterator[Misfit]:
    """The sides on which an access of a call with this domain and these run-time bounds leaves the array."""
    box = bounding_box(item.use.reaches, domain, scalars)
    if box is None:
        return
    for axis in item.use.axes:
        low, high = box[axis]
        size, origin = item.along(axis)
        if origin + low < 0:
            yield Misfit(axis, True, -low, origin)
        if origin + high > size:
            yield Misfit(axis, False, origin + high, size)


def axis_letter(axis: int) -> str:
    """``i``, ``j`` or ``k``."""
    return _AXES[axis].lower()

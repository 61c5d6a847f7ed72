"""Arguments and results of one call, which a driver repeats."""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from backends.fortran.spec import FieldSpec, LibrarySpec, StencilSpec
from iir.analyses.reach import bounding_box, reaches
from iir.analyses.required_levels import intervals, required_levels
from iir.dtypes import DType, is_float, numpy_dtype
from iir.nodes import ScalarDecl, Stencil

Array: TypeAlias = npt.NDArray[Any]
Triple: TypeAlias = tuple[int, int, int]

_COLUMNS: Final = (6, 5)
_MORE_LEVELS: Final = 3


@dataclass(frozen=True, slots=True)
class Arguments:
    """Random arguments for a call; *origin* is the index of the domain's first point in every array."""

    spec: StencilSpec
    domain: Triple
    origin: Triple
    arrays: Mapping[str, Array]
    scalars: Mapping[str, Any]

    def origin_of(self, field: FieldSpec) -> tuple[int, ...]:
        """The origin by the axes of *field*."""
        return tuple(n for axis, n in zip("IJK", self.origin, strict=True) if axis in field.axes.value)

    def copies(self) -> dict[str, Array]:
        """The arrays, in memory of their own."""
        return {name: array.copy(order="F") for name, array in self.arrays.items()}


@dataclass(frozen=True, slots=True)
class ReferenceCase:
    """A call and what its arrays hold afterwards."""

    arguments: Arguments
    results: Mapping[str, Array]


def random_arguments(ir: Stencil, spec: StencilSpec, seed: int) -> Arguments:
    """Arguments for a small domain, with a margin in every array beside what the stencil needs."""
    random = np.random.default_rng(seed)
    nk, bounds = _levels_and_bounds(ir)
    domain = (*_COLUMNS, nk)
    scalars = {
        item.name: numpy_dtype(item.dtype).type(bounds[item.name])
        if item.name in bounds
        else _values(random, item.dtype, ())[()]
        for item in ir.parameters
        if isinstance(item, ScalarDecl)
    }
    points = reaches(ir)
    boxes = {
        field.name: bounding_box(points[field.name], domain, bounds) or ((0, 0), (0, 0), (0, 0))
        for field in spec.fields
    }
    margins = (0, 1, 1) if spec.is_blockable else (1, 1, 1)
    low = [max((max(0, -box[axis][0]) for box in boxes.values()), default=0) for axis in range(3)]
    origin = (low[0] + margins[0], low[1] + margins[1], low[2] + margins[2])
    arrays = {}
    for field in spec.fields:
        sizes = (
            origin[axis] + max(domain[axis], boxes[field.name][axis][1]) + margins[axis]
            for axis in range(3)
            if "IJK"[axis] in field.axes.value
        )
        arrays[field.name] = np.asfortranarray(_values(random, field.dtype, tuple(sizes)))
    return Arguments(spec, domain, origin, arrays, scalars)


def data_key(library: LibrarySpec) -> int:
    """A number that data begins with, so that a driver reads none of another library."""
    text = " ".join(stencil.iir_hash for stencil in library.stencils)
    return int.from_bytes(sha256(text.encode()).digest()[:7], "little")


def data_of(library: LibrarySpec, cases: tuple[ReferenceCase, ...]) -> bytes:
    """What a driver reads: for each case scalars and arrays before, then the changed arrays after."""
    parts = [np.int64(data_key(library)).tobytes()]
    for case in cases:
        arguments = case.arguments
        parts += [arguments.scalars[item.name].tobytes() for item in arguments.spec.scalars]
        parts += [arguments.arrays[field.name].tobytes(order="F") for field in arguments.spec.fields]
        parts += [
            case.results[field.name].tobytes(order="F") for field in arguments.spec.fields if field.is_changed
        ]
    return b"".join(parts)


def _levels_and_bounds(ir: Stencil) -> tuple[int, dict[str, int]]:
    """A number of levels, and run-time bounds in the middle of those that are permitted."""
    offsets: dict[str, list[int]] = {}
    for interval in intervals(ir):
        for bound in (interval.start, interval.end):
            if isinstance(bound.anchor, str):
                offsets.setdefault(bound.anchor, []).append(bound.offset)
    room = max((max(own) - min(own) for own in offsets.values()), default=0)
    nk = max(1, required_levels(ir), room) + _MORE_LEVELS
    return nk, {name: (nk - max(own) - min(own)) // 2 for name, own in offsets.items()}


def _values(random: np.random.Generator, dtype: DType, shape: tuple[int, ...]) -> Array:
    """Numbers near one, of which roots and logarithms exist; small whole numbers."""
    if is_float(dtype):
        values: Array = random.uniform(0.5, 1.5, shape)
    elif dtype is DType.BOOL:
        values = random.integers(0, 2, shape)
    else:
        values = random.integers(0, 6, shape)
    return np.asarray(values).astype(numpy_dtype(dtype))

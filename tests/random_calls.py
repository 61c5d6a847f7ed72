"""Random arguments for a stencil: domain, scalars, and arrays of all layouts that hold what it touches."""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from backends.base import CallShape, FieldLayout
from iir.analyses.reach import Reach, bounding_box, reaches
from iir.analyses.required_levels import required_levels
from iir.dtypes import DType, is_float, numpy_dtype
from iir.interval import Bound
from iir.nodes import FieldDecl, ScalarDecl, Stencil
from iir.traversal import walk

Array: TypeAlias = npt.NDArray[Any]
Number: TypeAlias = bool | int | float
Domain: TypeAlias = tuple[int, int, int]

LAYOUTS: Final = ("C", "Fortran", "middle", "sliced", "reversed", "permuted")
"""Which axis varies fastest: the last, the first, the middle one, or something else."""


@dataclass(frozen=True, slots=True)
class Call:
    """Arguments by name. An origin is the index of the domain's first point."""

    domain: Domain
    arrays: Mapping[str, Array]
    origins: Mapping[str, tuple[int, ...]]
    scalars: Mapping[str, Number]
    layouts: Mapping[str, str]

    def shape(self, ir: Stencil) -> CallShape:
        names = [item.name for item in ir.parameters if isinstance(item, FieldDecl)]
        layouts = (
            FieldLayout(self.arrays[name].shape, self.arrays[name].strides, self.origins[name])
            for name in names
        )
        return CallShape(self.domain, tuple(layouts))

    def copied(self) -> "Call":
        """The same call on memory of its own, with the same strides."""
        arrays = {name: _copied(array) for name, array in self.arrays.items()}
        return Call(self.domain, arrays, self.origins, self.scalars, self.layouts)


def memory_of(array: Array) -> Array:
    """All of the memory that *array* is a view of."""
    assert isinstance(array.base, np.ndarray)
    return array.base


def _copied(array: Array) -> Array:
    memory = memory_of(array)
    first = array.__array_interface__["data"][0] - memory.__array_interface__["data"][0]
    return np.ndarray(array.shape, array.dtype, memory.copy(), first, array.strides)


def random_call(random: Random, ir: Stencil, also: Stencil | None = None) -> Call:
    """Arguments with which *ir* can be called, and *also*, which has the same parameters.

    Often the domain is as small as it can be, and all arrays have one layout.
    """
    nk, scalars = _levels_and_scalars(random, ir)
    domain = random.choice((1, 2, 3, 4)), random.choice((1, 2, 3, 5)), nk
    touched, also_touched = reaches(ir), reaches(also or ir)
    generator = np.random.default_rng(random.getrandbits(64))
    has_specials = random.random() < 0.3
    allowed = LAYOUTS if random.random() < 0.4 else (random.choice(LAYOUTS),)
    arrays, origins, layouts = {}, {}, {}
    for item in ir.parameters:
        if isinstance(item, FieldDecl):
            both = (*touched[item.name], *also_touched[item.name])
            shape, origin = _room(random, item, both, domain, scalars)
            layouts[item.name] = random.choice(allowed)
            array = _array(random, layouts[item.name], shape, numpy_dtype(item.dtype))
            memory = memory_of(array)
            memory[...] = random_values(generator, item.dtype, memory.size, has_specials)
            arrays[item.name], origins[item.name] = array, origin
    return Call(domain, arrays, origins, scalars, layouts)


def _levels_and_scalars(random: Random, ir: Stencil) -> tuple[int, dict[str, Number]]:
    """A number of levels, and values of all scalars, such that every bound lies in the domain."""
    offsets: dict[str, list[int]] = {}
    for node in walk(ir):
        if isinstance(node, Bound) and isinstance(node.anchor, str):
            offsets.setdefault(node.anchor, []).append(node.offset)
    room = max((max(own) - min(own) for own in offsets.values()), default=0)
    nk = max(1, required_levels(ir), room) + random.choice((0, 0, 1, 2, 3))
    scalars: dict[str, Number] = {}
    for item in ir.parameters:
        if isinstance(item, ScalarDecl):
            own = offsets.get(item.name)
            low_high = (-min(own), nk - max(own)) if own else None
            scalars[item.name] = random.randint(*low_high) if low_high else _scalar(random, item.dtype)
    return nk, scalars


def _scalar(random: Random, dtype: DType) -> Number:
    generator = np.random.default_rng(random.getrandbits(64))
    value: Number = random_values(generator, dtype, 1, has_specials=False)[0].item()
    return value


def _room(
    random: Random,
    item: FieldDecl,
    touched: tuple[Reach, ...],
    domain: Domain,
    scalars: Mapping[str, Number],
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Shape and origin of an array that holds the domain and all that is touched, sometimes more."""
    bounds = {name: int(value) for name, value in scalars.items() if isinstance(value, int)}
    box = bounding_box(touched, domain, bounds) or ((0, 0),) * 3
    most = random.choice((0, 2))
    shape, origin = [], []
    for axis, length, (start, stop) in zip("IJK", domain, box, strict=True):
        if axis in item.axes.value:
            below = max(0, -start) + random.randint(0, most)
            shape.append(below + max(length, stop) + random.randint(0, most))
            origin.append(below)
    return tuple(shape), tuple(origin)


def _array(random: Random, layout: str, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
    """An array over memory of its own."""
    order = list(range(len(shape)))
    steps, padding = [1] * len(shape), 0
    match layout:
        case "Fortran":
            order.reverse()
        case "middle":
            order.append(order.pop(len(order) // 2))
        case "permuted":
            random.shuffle(order)
            padding = 1
        case "sliced":
            steps = [random.choice((1, 2, 3)) for _ in shape]
        case "reversed":
            steps = [random.choice((1, -1)) for _ in shape]
    lengths = [shape[axis] * abs(steps[axis]) + padding for axis in order]
    memory = np.empty(int(np.prod(lengths)), dtype)
    whole = memory.reshape(lengths).transpose(np.argsort(order))
    parts = [slice(None, None, step) for step in steps]
    array = whole[tuple(parts)][tuple(slice(0, length) for length in shape)]
    assert array.shape == shape and array.base is memory
    return array


def random_values(generator: np.random.Generator, dtype: DType, count: int, has_specials: bool) -> Array:
    """Mostly small numbers and zeros of both signs; with specials also the ends of the range."""
    number = numpy_dtype(dtype)
    if dtype is DType.BOOL:
        return generator.integers(0, 2, count).astype(number)
    if is_float(dtype):
        values = generator.uniform(-2.0, 2.0, count).astype(number)
        _scatter(generator, values, 0.1, np.array([0.0, -0.0, 1.0, -1.0, 0.5]))
        rare = np.array([np.inf, -np.inf, np.nan, 1e-42, -3e38, 1e10])
    else:
        limits = np.iinfo(number.name)
        values = generator.integers(-4, 9, count).astype(number)
        rare = np.array([limits.min, limits.max, limits.min + 1, -1, 0], dtype=number)
    if has_specials:
        _scatter(generator, values, 0.05, rare)
    return values


def _scatter(generator: np.random.Generator, values: Array, share: float, items: Array) -> None:
    chosen = generator.random(values.size) < share
    values[chosen] = generator.choice(items, values.size).astype(values.dtype)[chosen]

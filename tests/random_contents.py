"""What the arrays of random functions of the loop program hold, and what tells it."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from backends.loopnest.expressions import (
    Affine,
    BinaryOperation,
    Conversion,
    Index,
    Literal,
    Load,
    Value,
    Variable,
)
from backends.loopnest.nodes import ArrayParameter, Loop, MakeView, Step, Store
from iir.dtypes import DType
from iir.expressions import Operator

ZERO: Final = Affine(None, 0)
_RESULTS: Final = "u"


@dataclass(frozen=True, slots=True)
class Array:
    """A view of an array, with index 0 at *origin* on each axis."""

    view: str
    array: str
    dtype: DType
    sizes: tuple[Affine, ...]
    origin: int

    @property
    def is_single(self) -> bool:
        return all(size == Affine(None, 1) for size in self.sizes)

    def made(self) -> MakeView:
        return MakeView(self.view, self.array, (Affine(None, self.origin),) * len(self.sizes), self.dtype, 0)


@dataclass(frozen=True, slots=True)
class Context:
    """What is known where steps are made.

    *numbers* are names of small numbers, *coordinates* those of the indices of all loops over lanes around;
    of a kernel's own loops are those *in_lanes*. All elements of *arrays* are set, and a way out should free
    those that are *allocated*.
    """

    numbers: tuple[str, ...]
    coordinates: tuple[str, ...] = ()
    in_lanes: bool = False
    arrays: tuple[Array, ...] = ()
    allocated: tuple[str, ...] = ()
    depth: int = 0
    is_kernel: bool = False

    def deeper(self, *numbers: str) -> "Context":
        return replace(self, numbers=(*self.numbers, *numbers), depth=self.depth + 1)

    def of_lane(self, index: str) -> "Context":
        inner = self.deeper(index)
        return replace(inner, coordinates=(*self.coordinates, index), in_lanes=True)

    def with_array(self, array: Array) -> "Context":
        return replace(self, arrays=(*self.arrays, array), depth=self.depth + 1)

    def with_allocated(self, *arrays: Array) -> "Context":
        inner = replace(self, allocated=(*self.allocated, *(item.array for item in arrays)))
        return replace(inner, arrays=(*self.arrays, *arrays), depth=self.depth + 1)


class Contents:
    """Makes steps that set arrays and read them, and the numbers that these steps need."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.sites = 0
        self.names = 0

    def name(self, prefix: str) -> str:
        self.names += 1
        return f"{prefix}_{self.names}"

    def is_chosen(self, share: float) -> bool:
        return self.random.random() < share

    def kept(self, context: Context) -> tuple[Step, ...]:
        """Leave all elements of an array to the results, or a number if there is none."""
        if context.arrays and self.is_chosen(0.8):
            return self.read(self.random.choice(context.arrays), context)
        return (self.add(context, Conversion(self.number(context), DType.FLOAT64)),)

    def add(self, context: Context, value: Value) -> Step:
        """To results, which depend on the order in which something is added to them."""
        self.sites += 1
        coordinates = tuple(map(Affine, context.coordinates))
        place = (*coordinates, *[ZERO] * (2 - len(coordinates)), Affine(None, self.sites - 1))
        before = _float(Operator.MUL, Load(_RESULTS, place, DType.FLOAT64), Literal(0.9375, DType.FLOAT64))
        return Store(_RESULTS, place, _float(Operator.ADD, before, value))

    def read(self, array: Array, context: Context) -> tuple[Step, ...]:
        def add(index: tuple[Index, ...], names: tuple[str, ...]) -> Step:
            load: Value = Load(array.view, index, array.dtype)
            is_float = array.dtype is DType.FLOAT64
            return self.add(context, load if is_float else Conversion(load, DType.FLOAT64))

        return self.for_each(array, add)

    def fill(self, array: Array, context: Context) -> tuple[Step, ...]:
        def store(index: tuple[Index, ...], names: tuple[str, ...]) -> Step:
            return Store(array.view, index, Conversion(self.number(context, names), array.dtype))

        return self.for_each(array, store)

    def for_each(
        self, array: Array, step: Callable[[tuple[Index, ...], tuple[str, ...]], Step]
    ) -> tuple[Step, ...]:
        """*step* for each element of *array*."""
        if array.is_single:
            return (step((ZERO,) * len(array.sizes), ()),)
        names = tuple(self.name("q") for _ in array.sizes)
        steps = (step(tuple(Affine(name, -array.origin) for name in names), names),)
        for name, size in zip(names, array.sizes, strict=True):
            steps = (Loop(name, ZERO, size, steps, descending=self.is_chosen(0.3)),)
        return steps

    def small_number(self, context: Context) -> Value:
        if self.is_chosen(0.4):
            return _integer(self.random.randint(1, 3))
        return Variable(self.random.choice(context.numbers), DType.INT64)

    def size(self, context: Context) -> Affine:
        if self.is_chosen(0.55):
            return Affine(None, self.random.choice((1, 1, 2, 3, 5)))
        names = *context.numbers, *context.numbers[-2:], "n", "m"
        return Affine(self.random.choice(names), self.random.choice((0, 0, 1)))

    def condition(self, context: Context) -> Value:
        number = Variable(self.random.choice(context.numbers), DType.INT64)
        return BinaryOperation(Operator.LT, number, _integer(self.random.choice((1, 2, 3))), DType.BOOL)

    def number(self, context: Context, also: tuple[str, ...] = ()) -> Value:
        """It tells where it is from: the step, the loops over lanes around, and the index of the element."""
        value: Value = _integer(self.random.randint(1, 99))
        for factor, name in zip((101, 211, 307, 401), (*context.coordinates, *also), strict=False):
            term = BinaryOperation(Operator.MUL, Variable(name, DType.INT64), _integer(factor), DType.INT64)
            value = BinaryOperation(Operator.ADD, value, term, DType.INT64)
        return value


def results_parameter() -> ArrayParameter:
    return ArrayParameter(f"{_RESULTS}_array", DType.FLOAT64, 3)


def view_of_results() -> MakeView:
    return MakeView(_RESULTS, results_parameter().name, (ZERO,) * 3, DType.FLOAT64, 0)


def _float(operator: Operator, left: Value, right: Value) -> Value:
    return BinaryOperation(operator, left, right, DType.FLOAT64)


def _integer(value: int) -> Value:
    return Literal(value, DType.INT64)

"""Random functions of the loop program that allocate arrays in all ways there are.

Every function leaves numbers that tell what its arrays have held: at places of their own, so that no
iteration that may run side by side with others touches what they touch. No function reads what it has
not set since the allocation.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from backends.loopnest.expressions import (
    Affine,
    BinaryOperation,
    Conversion,
    Index,
    Least,
    Literal,
    Load,
    Value,
    Variable,
)
from backends.loopnest.nodes import (
    Allocate,
    ArrayParameter,
    Branch,
    Free,
    Function,
    IndexParameter,
    Invoke,
    LaneAllocate,
    Let,
    Loop,
    LoopKind,
    MakeView,
    Parameter,
    RestoreStack,
    Return,
    SaveStack,
    Step,
    Store,
    Within,
)
from backends.loopnest.stack_policy import DEVICE, NO_STACK, StackPolicy
from iir.dtypes import DType
from iir.expressions import Operator

SIDE_BY_SIDE: Final = 4
"""How many iterations of loops over lanes may run side by side: scratch is for as many, or more."""
LENGTH: Final = 12
"""Indices of loops over lanes are below it."""
LARGEST: Final = 13
"""No axis of an array is longer."""

_ZERO: Final = Affine(None, 0)
_RESULTS: Final = "u"
_POLICIES: Final = (
    *(StackPolicy(), StackPolicy(), StackPolicy(), StackPolicy(budget=160)),
    *(StackPolicy(run_time_sizes=False), DEVICE, replace(DEVICE, largest=100), NO_STACK),
)


@dataclass(frozen=True, slots=True)
class LoopProgram:
    """*function* and the *kernels* that it calls, what may be on the stack, and its arguments n and m.

    The array of its results has indices of two loops over lanes, below `LENGTH`, and one of *sites*.
    """

    function: Function
    kernels: Mapping[str, Function]
    policy: StackPolicy
    sizes: tuple[int, int]
    sites: int


def random_loops(seed: str) -> LoopProgram:
    random = Random(seed)
    maker = _Maker(random)
    body = maker.block(_Context(numbers=("n", "m")))
    parameters = (_results(), *_indices("n", "m"))
    function = Function("f", parameters, (_view_of_results(), *body))
    sizes = random.randint(1, 6), random.randint(1, 3)
    return LoopProgram(function, maker.kernels, random.choice(_POLICIES), sizes, max(1, maker.sites))


@dataclass(frozen=True, slots=True)
class _Array:
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
class _Context:
    """What is known where steps are made.

    *numbers* are names of small numbers, *coordinates* those of the indices of all loops over lanes around;
    of a kernel's own loops are those *in_lanes*. All elements of *arrays* are set, and a way out should free
    those that are *allocated*.
    """

    numbers: tuple[str, ...]
    coordinates: tuple[str, ...] = ()
    in_lanes: bool = False
    arrays: tuple[_Array, ...] = ()
    allocated: tuple[str, ...] = ()
    depth: int = 0
    is_kernel: bool = False

    def deeper(self, *numbers: str) -> "_Context":
        return replace(self, numbers=(*self.numbers, *numbers), depth=self.depth + 1)

    def of_lane(self, index: str) -> "_Context":
        inner = self.deeper(index)
        return replace(inner, coordinates=(*self.coordinates, index), in_lanes=True)

    def with_array(self, array: _Array) -> "_Context":
        return replace(self, arrays=(*self.arrays, array), depth=self.depth + 1)

    def with_allocated(self, *arrays: _Array) -> "_Context":
        inner = replace(self, allocated=(*self.allocated, *(item.array for item in arrays)))
        return replace(inner, arrays=(*self.arrays, *arrays), depth=self.depth + 1)


class _Maker:
    def __init__(self, random: Random) -> None:
        self.random = random
        self.kernels: dict[str, Function] = {}
        self.sites = 0
        self.names = 0

    def name(self, prefix: str) -> str:
        self.names += 1
        return f"{prefix}{self.names}"

    def is_chosen(self, share: float) -> bool:
        return self.random.random() < share

    def block(self, context: _Context) -> tuple[Step, ...]:
        """A few things, one after another."""
        steps: list[Step] = []
        for _ in range(self.random.choice((1, 1, 2, 3) if context.depth else (2, 3))):
            if self.is_chosen(0.3):
                name = self.name("x")
                steps.append(Let(name, self.small_number(context)))
                context = replace(context, numbers=(*context.numbers, name))
            steps += self.thing(context)
        return tuple(steps)

    def thing(self, context: _Context) -> tuple[Step, ...]:
        if context.depth > 4 or self.names > 60:
            return self.kept(context)
        kinds = {self.serial: 2, self.kept: 1, self.branch: 1, self.scope: 1}
        kinds |= {self.scratch: 5} if context.in_lanes else {self.scratch: 1, self.array: 6, self.crossing: 2}
        if len(context.coordinates) < 2:
            kinds |= {self.lanes: 3, self.strip: 2, self.rest: 1}
        if not context.is_kernel:
            kinds |= {self.call: 1} if context.in_lanes else {self.call: 1, self.way_out: 1}
        (make,) = self.random.choices([*kinds], [*kinds.values()])
        return make(context)

    # Arrays that are allocated in order.

    def array(self, context: _Context) -> tuple[Step, ...]:
        array = self.new_array(context)
        begin = (self.allocate(array, context), array.made(), *self.fill(array, context))
        inside = self.block(context.with_allocated(array))
        read = self.read(array, context)
        return (*begin, *inside, *read, *self.end(array, (*begin, *read), context))

    def crossing(self, context: _Context) -> tuple[Step, ...]:
        """Two arrays whose lives overlap."""
        arrays = self.new_array(context), self.new_array(context)
        begin = [
            step
            for array in arrays
            for step in (self.allocate(array, context), array.made(), *self.fill(array, context))
        ]
        inside = self.block(context.with_allocated(*arrays))
        order = arrays if self.is_chosen(0.5) else arrays[::-1]
        return (
            *begin,
            *inside,
            *(s for item in order for s in (*self.read(item, context), Free(item.array))),
        )

    def end(self, array: _Array, again: tuple[Step, ...], context: _Context) -> tuple[Step, ...]:
        """One of the ways to free *array*, or not to."""
        free = Free(array.array)
        condition = self.condition(context)
        often = ((free,),) * 6
        rarely: tuple[tuple[Step, ...], ...] = (
            (Branch(condition, (free,), (free,)),),
            (Branch(condition, (free,), (free,)),),
            (Branch(condition, (free,)),),
            (Within("n", _ZERO, Affine(None, 4), (free,)),),
            (free, *again, free),
            (),
        )
        return self.random.choice((*often, *rarely))

    def way_out(self, context: _Context) -> tuple[Step, ...]:
        """It frees everything, most often."""
        allocated = context.allocated if self.is_chosen(0.7) else context.allocated[:-1]
        return (Branch(self.condition(context), (*map(Free, reversed(allocated)), Return())),)

    def scope(self, context: _Context) -> tuple[Step, ...]:
        token = self.name("s")
        return (SaveStack(token), *self.block(context.deeper()), RestoreStack(token))

    def new_array(self, context: _Context, rank: int | None = None) -> _Array:
        name = self.name("t")
        sizes = tuple(self.size(context) for _ in range(rank or self.random.choice((1, 1, 1, 2))))
        dtype = DType.INT32 if self.is_chosen(0.2) else DType.FLOAT64
        is_single = set(sizes) == {Affine(None, 1)}
        return _Array(name, f"{name}_array", dtype, sizes, 0 if is_single else self.random.choice((0, 0, 1)))

    def allocate(self, array: _Array, context: _Context) -> Allocate:
        is_seen = not context.is_kernel
        return Allocate(
            array.array,
            array.dtype,
            array.sizes,
            fastest=0,
            must_be_heap=is_seen and self.is_chosen(0.05),
            escapes=is_seen and self.is_chosen(0.05),
        )

    # Scratch of lanes.

    def scratch(self, context: _Context) -> tuple[Step, ...]:
        """As often as loops are unrolled there are several copies of it."""
        is_handed_out = self.is_chosen(0.3)
        array = self.new_array(context, 1 if is_handed_out else None)
        step = self.lane_allocate(array, context)
        if is_handed_out:
            step = replace(step, align=self.random.choice((1, 8, 64)), is_handed_out=True)
        begin = (step, array.made(), *self.fill(array, context))
        copy = (*begin, *self.read(array, context)) if self.is_chosen(0.2) else ()
        inside = self.block(context.with_array(array))
        return (*copy, *begin, *inside, *self.read(array, context))

    def rest(self, context: _Context) -> tuple[Step, ...]:
        """A loop over lanes, and one more for those that are left."""
        index = self.name("i")
        inner = context.of_lane(index)
        array = self.new_array(inner)
        step = self.lane_allocate(array, inner)
        own = (array.made(), *self.fill(array, inner), *self.block(inner.with_array(array)))
        steps = (*own, *self.read(array, inner))
        few = replace(step, lanes=1)
        first = Loop(index, _ZERO, Least((Affine(None, 4), Affine("n"))), (step, *steps), LoopKind.LANES)
        return (first, Loop(index, Affine(None, 4), Affine("n"), (few, *steps), LoopKind.LANES))

    def strip(self, context: _Context) -> tuple[Step, ...]:
        """Strips of lanes, each with loops one of which leaves scratch to the other."""
        strip, index = self.name("strip"), self.name("i")
        length = self.random.choice((3, 4, 6))
        outer, inner = context.deeper(strip), context.deeper(strip).of_lane(index)
        size = self.name("x")
        array = self.new_array(replace(outer, numbers=(*outer.numbers, size, size)))
        step = replace(self.lane_allocate(array, context), lanes=length, first=Affine(strip))
        stop = Least((Affine(strip, length), Affine("n")))

        def over_lanes(*steps: Step) -> Step:
            return Loop(index, Affine(strip), stop, steps, LoopKind.LANES)

        body = (
            Let(size, self.small_number(outer)),
            step,
            array.made(),
            over_lanes(*self.fill(array, inner)),
            *self.block(outer),
            Loop(self.name("k"), _ZERO, Affine("m"), (over_lanes(*self.block(inner.with_array(array))),)),
            over_lanes(*self.read(array, inner)),
        )
        return (Loop(strip, _ZERO, Affine("n"), body, step=length),)

    def lane_allocate(self, array: _Array, context: _Context) -> LaneAllocate:
        lanes = self.random.choice((SIDE_BY_SIDE, 6, 8))
        must_be_heap = not context.is_kernel and self.is_chosen(0.05)
        return LaneAllocate(array.array, array.dtype, array.sizes, lanes, must_be_heap=must_be_heap)

    # Loops, conditions and calls.

    def serial(self, context: _Context) -> tuple[Step, ...]:
        index = self.name("k")
        stop = self.random.choice((Affine(None, 2), Affine(None, 3 if context.is_kernel else 1), Affine("m")))
        inside = self.block(context.deeper(index))
        return (Loop(index, _ZERO, stop, inside, descending=self.is_chosen(0.3)),)

    def lanes(self, context: _Context) -> tuple[Step, ...]:
        index = self.name("i")
        starts = _ZERO, Affine(None, 1), Affine("m"), *(() if context.is_kernel else (Affine("m", 4, -1),))
        start = self.random.choice(starts)
        four = replace(start, offset=start.offset + 4)
        stop = self.random.choice((Affine("n"), Affine("n", 3), Least((four, Affine("n")))))
        return (Loop(index, start, stop, self.block(context.of_lane(index)), LoopKind.LANES),)

    def branch(self, context: _Context) -> tuple[Step, ...]:
        inside = self.block(context.deeper())
        if self.is_chosen(0.3):
            return (Within(self.random.choice(context.numbers), Affine(None, 1), Affine("m"), inside),)
        orelse = self.block(context.deeper()) if self.is_chosen(0.5) else ()
        return (Branch(self.condition(context), inside, orelse),)

    def call(self, context: _Context) -> tuple[Step, ...]:
        """Of a kernel that leaves its results where the caller would; it may loop over lanes itself."""
        name, coordinates = self.name("kernel"), tuple(self.name("c") for _ in context.coordinates)
        inner = _Context(("n", "m"), coordinates, depth=context.depth + 1, is_kernel=True)
        parameters = (_results(), *_indices("n", "m", *coordinates))
        self.kernels[name] = Function(name, parameters, (_view_of_results(), *self.block(inner)))
        m = self.random.choice((Affine("m"), Affine(None, 2), Affine(self.random.choice(context.numbers), 1)))
        call = Invoke(name, (_results().name, "n", m, *map(Affine, context.coordinates)))
        return (call, call) if self.is_chosen(0.3) else (call,)

    # What arrays hold.

    def kept(self, context: _Context) -> tuple[Step, ...]:
        """Leave all elements of an array to the results, or a number if there is none."""
        if context.arrays and self.is_chosen(0.8):
            return self.read(self.random.choice(context.arrays), context)
        return (self.add(context, Conversion(self.number(context), DType.FLOAT64)),)

    def add(self, context: _Context, value: Value) -> Step:
        """To results, which depend on the order in which something is added to them."""
        self.sites += 1
        coordinates = tuple(map(Affine, context.coordinates))
        place = (*coordinates, *[_ZERO] * (2 - len(coordinates)), Affine(None, self.sites - 1))
        before = _float(Operator.MUL, Load(_RESULTS, place, DType.FLOAT64), Literal(3.0, DType.FLOAT64))
        return Store(_RESULTS, place, _float(Operator.ADD, before, value))

    def read(self, array: _Array, context: _Context) -> tuple[Step, ...]:
        def add(index: tuple[Index, ...], names: tuple[str, ...]) -> Step:
            load: Value = Load(array.view, index, array.dtype)
            is_float = array.dtype is DType.FLOAT64
            return self.add(context, load if is_float else Conversion(load, DType.FLOAT64))

        return self.for_each(array, add)

    def fill(self, array: _Array, context: _Context) -> tuple[Step, ...]:
        def store(index: tuple[Index, ...], names: tuple[str, ...]) -> Step:
            return Store(array.view, index, Conversion(self.number(context, names), array.dtype))

        return self.for_each(array, store)

    def for_each(
        self, array: _Array, step: Callable[[tuple[Index, ...], tuple[str, ...]], Step]
    ) -> tuple[Step, ...]:
        """*step* for each element of *array*."""
        if array.is_single:
            return (step((_ZERO,) * len(array.sizes), ()),)
        names = tuple(self.name("q") for _ in array.sizes)
        steps = (step(tuple(Affine(name, -array.origin) for name in names), names),)
        for name, size in zip(names, array.sizes, strict=True):
            steps = (Loop(name, _ZERO, size, steps, descending=self.is_chosen(0.3)),)
        return steps

    # Numbers.

    def small_number(self, context: _Context) -> Value:
        if self.is_chosen(0.4):
            return _integer(self.random.randint(1, 3))
        return Variable(self.random.choice(context.numbers), DType.INT64)

    def size(self, context: _Context) -> Affine:
        if self.is_chosen(0.55):
            return Affine(None, self.random.choice((1, 1, 2, 3, 5)))
        names = *context.numbers, *context.numbers[-2:], "n", "m"
        return Affine(self.random.choice(names), self.random.choice((0, 0, 1)))

    def condition(self, context: _Context) -> Value:
        number = Variable(self.random.choice(context.numbers), DType.INT64)
        return BinaryOperation(Operator.LT, number, _integer(self.random.choice((1, 2, 3))), DType.BOOL)

    def number(self, context: _Context, also: tuple[str, ...] = ()) -> Value:
        """It tells where it is from: the step, the loops over lanes around, and the index of the element."""
        value: Value = _integer(self.random.randint(1, 99))
        for factor, name in zip((101, 211, 307, 401), (*context.coordinates, *also), strict=False):
            term = BinaryOperation(Operator.MUL, Variable(name, DType.INT64), _integer(factor), DType.INT64)
            value = BinaryOperation(Operator.ADD, value, term, DType.INT64)
        return value


def _results() -> ArrayParameter:
    return ArrayParameter(f"{_RESULTS}_array", DType.FLOAT64, 3)


def _indices(*names: str) -> tuple[Parameter, ...]:
    return tuple(map(IndexParameter, names))


def _view_of_results() -> MakeView:
    return MakeView(_RESULTS, _results().name, (_ZERO,) * 3, DType.FLOAT64, 0)


def _float(operator: Operator, left: Value, right: Value) -> Value:
    return BinaryOperation(operator, left, right, DType.FLOAT64)


def _integer(value: int) -> Value:
    return Literal(value, DType.INT64)

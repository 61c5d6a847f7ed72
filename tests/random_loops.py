"""Random functions of the loop program that allocate arrays in all ways there are.

Every function leaves numbers that tell what its arrays have held: at places of their own, so that no
iteration that may run side by side with others touches what they touch. No function reads what it has
not set since the allocation.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from backends.loopnest.expressions import Affine, Least
from backends.loopnest.nodes import (
    Allocate,
    Branch,
    Free,
    Function,
    IndexParameter,
    Invoke,
    LaneAllocate,
    Let,
    Loop,
    LoopKind,
    Parameter,
    RestoreStack,
    Return,
    SaveStack,
    Step,
    Within,
)
from backends.loopnest.position_values import integer, operation, position_value
from backends.loopnest.stack_policy import DEVICE, NO_STACK, StackPolicy
from iir.dtypes import DType
from iir.expressions import Operator
from tests.random_contents import ZERO, Array, Contents, Context, results_parameter, view_of_results

SIDE_BY_SIDE: Final = 4
"""How many iterations of loops over lanes may run side by side: scratch is for as many, or more."""
LENGTH: Final = 12
"""Indices of loops over lanes are below it."""
LARGEST: Final = 20
"""No axis of an array is longer."""

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
    body = maker.block(Context(numbers=("n", "m")))
    parameters = (results_parameter(), *_indices("n", "m"))
    function = Function("f", parameters, (view_of_results(), *body))
    sizes = random.randint(1, 6), random.randint(1, 3)
    return LoopProgram(function, maker.kernels, random.choice(_POLICIES), sizes, max(1, maker.sites))


class _Maker(Contents):
    def __init__(self, random: Random) -> None:
        super().__init__(random)
        self.kernels: dict[str, Function] = {}

    def block(self, context: Context) -> tuple[Step, ...]:
        """A few things, one after another."""
        steps: list[Step] = []
        for _ in range(self.random.choice((1, 1, 2, 3) if context.depth else (2, 3))):
            if self.is_chosen(0.3):
                name = self.name("x")
                steps += self.lets(name, context)
                context = replace(context, numbers=(*context.numbers, name))
            steps += self.thing(context)
        return tuple(steps)

    def lets(self, name: str, context: Context) -> tuple[Step, ...]:
        """*name* is set once, or made larger on some ways."""
        let = Let(name, self.small_number(context))
        if self.is_chosen(0.6):
            return (let,)
        larger = operation(Operator.ADD, position_value(Affine(name)), integer(2))
        return (let, Branch(self.condition(context), (Let(name, larger),)))

    def thing(self, context: Context) -> tuple[Step, ...]:
        if context.depth > 4 or self.names > 60:
            return self.kept(context)
        kinds = {self.serial: 2, self.kept: 1, self.branch: 1, self.scope: 2}
        kinds |= {self.scratch: 5} if context.in_lanes else {self.scratch: 1, self.array: 6, self.crossing: 2}
        if len(context.coordinates) < 2:
            kinds |= {self.lanes: 3, self.strip: 2, self.rest: 1}
        if not context.is_kernel:
            kinds |= {self.call: 1} if context.in_lanes else {self.call: 1, self.way_out: 1}
        (make,) = self.random.choices([*kinds], [*kinds.values()])
        return make(context)

    # Arrays that are allocated in order.

    def array(self, context: Context) -> tuple[Step, ...]:
        array = self.new_array(context)
        begin = (self.allocate(array, context), array.made(), *self.fill(array, context))
        inside = self.block(context.with_allocated(array))
        read = self.read(array, context)
        return (*begin, *inside, *read, *self.end(array, (*begin, *read), context))

    def crossing(self, context: Context) -> tuple[Step, ...]:
        """Two arrays whose lives overlap, often of another size in each iteration of a loop."""
        if self.is_chosen(0.5):
            return self.overlapping((self.new_array(context), self.new_array(context)), context)
        index = self.name("k")
        inner = context.deeper(index)
        arrays = tuple(replace(self.new_array(inner, 1), sizes=(Affine(index, 1),)) for _ in range(2))
        return (Loop(index, ZERO, Affine(None, 2), self.overlapping(arrays, inner)),)

    def overlapping(self, arrays: tuple[Array, ...], context: Context) -> tuple[Step, ...]:
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

    def end(self, array: Array, again: tuple[Step, ...], context: Context) -> tuple[Step, ...]:
        """One of the ways to free *array*, or not to."""
        free = Free(array.array)
        condition = self.condition(context)
        often = ((free,),) * 6
        rarely: tuple[tuple[Step, ...], ...] = (
            (Branch(condition, (free,), (free,)),),
            (Branch(condition, (free,), (free,)),),
            (Branch(condition, (free,)),),
            (Within("n", ZERO, Affine(None, 4), (free,)),),
            (free, *again, free),
            (),
        )
        return self.random.choice((*often, *rarely))

    def way_out(self, context: Context) -> tuple[Step, ...]:
        """It frees everything, most often."""
        allocated = context.allocated if self.is_chosen(0.7) else context.allocated[:-1]
        return (Branch(self.condition(context), (*map(Free, reversed(allocated)), Return())),)

    def scope(self, context: Context) -> tuple[Step, ...]:
        """What is put on the stack in it is given back at its end; some arrays are used after that."""
        token, inner = self.name("s"), context.deeper()
        if context.in_lanes or self.is_chosen(0.4):
            inside = self.serial(inner) if self.is_chosen(0.5) else self.block(inner)
            return (SaveStack(token), *inside, RestoreStack(token))
        array = self.new_array(context)
        begin = (self.allocate(array, context), array.made(), *self.fill(array, context))
        inside = self.block(inner.with_allocated(array))
        end = (*self.read(array, context), Free(array.array))
        return (SaveStack(token), *begin, *inside, RestoreStack(token), *end)

    def new_array(self, context: Context, rank: int | None = None) -> Array:
        name = self.name("t")
        sizes = tuple(self.size(context) for _ in range(rank or self.random.choice((1, 1, 1, 2))))
        dtype = DType.INT32 if self.is_chosen(0.2) else DType.FLOAT64
        is_single = set(sizes) == {Affine(None, 1)}
        return Array(name, f"{name}_array", dtype, sizes, 0 if is_single else self.random.choice((0, 0, 1)))

    def allocate(self, array: Array, context: Context) -> Allocate:
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

    def scratch(self, context: Context) -> tuple[Step, ...]:
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

    def rest(self, context: Context) -> tuple[Step, ...]:
        """A loop over lanes, and one more for those that are left."""
        index = self.name("i")
        inner = context.of_lane(index)
        array = self.new_array(inner)
        step = self.lane_allocate(array, inner)
        own = (array.made(), *self.fill(array, inner), *self.block(inner.with_array(array)))
        steps = (*own, *self.read(array, inner))
        few = replace(step, lanes=1)
        first = Loop(index, ZERO, Least((Affine(None, 4), Affine("n"))), (step, *steps), LoopKind.LANES)
        return (first, Loop(index, Affine(None, 4), Affine("n"), (few, *steps), LoopKind.LANES))

    def strip(self, context: Context) -> tuple[Step, ...]:
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
            Loop(self.name("k"), ZERO, Affine("m"), (over_lanes(*self.block(inner.with_array(array))),)),
            over_lanes(*self.read(array, inner)),
        )
        return (Loop(strip, ZERO, Affine("n"), body, step=length),)

    def lane_allocate(self, array: Array, context: Context) -> LaneAllocate:
        lanes = self.random.choice((SIDE_BY_SIDE, 6, 8))
        must_be_heap = not context.is_kernel and self.is_chosen(0.05)
        return LaneAllocate(array.array, array.dtype, array.sizes, lanes, must_be_heap=must_be_heap)

    # Loops, conditions and calls.

    def serial(self, context: Context) -> tuple[Step, ...]:
        index = self.name("k")
        stop = self.random.choice((Affine(None, 2), Affine(None, 3 if context.is_kernel else 1), Affine("m")))
        inside = self.block(context.deeper(index))
        return (Loop(index, ZERO, stop, inside, descending=self.is_chosen(0.3)),)

    def lanes(self, context: Context) -> tuple[Step, ...]:
        index = self.name("i")
        starts = ZERO, Affine(None, 1), Affine("m"), *(() if context.is_kernel else (Affine("m", 4, -1),))
        start = self.random.choice(starts)
        end = replace(start, offset=start.offset + self.random.choice((4, 6)))
        stop = self.random.choice((Affine("n"), Affine("n", 3), Least((end, Affine("n", 3)))))
        return (Loop(index, start, stop, self.block(context.of_lane(index)), LoopKind.LANES),)

    def branch(self, context: Context) -> tuple[Step, ...]:
        inside = self.block(context.deeper())
        if self.is_chosen(0.3):
            return (Within(self.random.choice(context.numbers), Affine(None, 1), Affine("m"), inside),)
        orelse = self.block(context.deeper()) if self.is_chosen(0.5) else ()
        return (Branch(self.condition(context), inside, orelse),)

    def call(self, context: Context) -> tuple[Step, ...]:
        """Of a kernel that leaves its results where the caller would; it may loop over lanes itself."""
        name, coordinates = self.name("kernel"), tuple(self.name("c") for _ in context.coordinates)
        inner = Context(("n", "m"), coordinates, depth=context.depth + 1, is_kernel=True)
        parameters = (results_parameter(), *_indices("n", "m", *coordinates))
        self.kernels[name] = Function(name, parameters, (view_of_results(), *self.block(inner)))
        m = self.random.choice((Affine("m"), Affine(None, 2), Affine(self.random.choice(context.numbers), 1)))
        call = Invoke(name, (results_parameter().name, "n", m, *map(Affine, context.coordinates)))
        return (call, call) if self.is_chosen(0.3) else (call,)


def _indices(*names: str) -> tuple[Parameter, ...]:
    return tuple(map(IndexParameter, names))

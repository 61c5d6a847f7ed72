"""Runs functions of the loop program as they stand: each allocation is an array of its own.

Iterations of a loop over lanes may run side by side, each one step at a time. Memory that is used after
its end or outside of it, that was not set, or that grows on the stack, is an error.
"""

import operator
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, TypeAlias

from backends.loopnest.expressions import (
    Affine,
    BinaryOperation,
    Conversion,
    Greatest,
    Index,
    Least,
    Literal,
    Load,
    Position,
    Slot,
    Value,
    Variable,
    Whole,
)
from backends.loopnest.nodes import (
    Allocate,
    ArrayParameter,
    Branch,
    Comment,
    Free,
    Function,
    Invoke,
    LaneAllocate,
    Let,
    Loop,
    LoopKind,
    MakeView,
    Memory,
    RestoreStack,
    Return,
    SaveStack,
    Step,
    Store,
    Within,
)
from iir.dtypes import DType
from iir.expressions import Operator

Number: TypeAlias = int | float

_OPERATIONS: Final[Mapping[Operator, Callable[[Number, Number], Number]]] = MappingProxyType(
    {
        Operator.ADD: operator.add,
        Operator.SUB: operator.sub,
        Operator.MUL: operator.mul,
        Operator.MOD: operator.mod,
        Operator.LT: operator.lt,
    }
)


@dataclass(slots=True, eq=False)
class Block:
    """The elements of an array, those that were set."""

    name: str
    sizes: tuple[int, ...]
    elements: dict[tuple[int, ...], Number] = field(default_factory=dict)
    is_alive: bool = True

    def place(self, index: tuple[int, ...]) -> tuple[int, ...]:
        assert self.is_alive, f"'{self.name}' is used after its end"
        inside = all(0 <= at < size for at, size in zip(index, self.sizes, strict=True))
        assert inside, f"index {index} is outside of '{self.name}', which has {self.sizes}"
        return index


@dataclass(slots=True, eq=False)
class Blocks:
    """An array for each lane of the loops over lanes that follow, in so many as *depth* others.

    *first* is the index of the first one.
    """

    first: int
    lanes: tuple[Block, ...]
    depth: int


@dataclass(slots=True)
class _Scope:
    """What names stand for; *lanes* are the indices of the loops over lanes around, outermost first."""

    numbers: dict[str, Number]
    arrays: dict[str, Block | Blocks]
    views: dict[str, tuple[Block | Blocks, tuple[int, ...]]] = field(default_factory=dict)
    lanes: tuple[int, ...] = ()

    def of_lane(self, name: str, index: int) -> "_Scope":
        numbers = {**self.numbers, name: index}
        return _Scope(numbers, dict(self.arrays), dict(self.views), (*self.lanes, index))


class _Exit(Exception):
    """The function returns."""


class Interpreter:
    """Calls functions; so many iterations as *width* run side by side."""

    def __init__(self, kernels: Mapping[str, Function], width: int = 1) -> None:
        self.kernels = kernels
        self.width = width
        self.stack: list[Block] = []
        self.on_heap: list[Block] = []

    def call(self, function: Function, arguments: Mapping[str, Block | int]) -> frozenset[str]:
        """Run *function*; the result are the arrays that it has allocated on the heap and not freed."""
        for _ in self._call(function, arguments):
            pass
        return frozenset(block.name for block in self.on_heap if block.is_alive)

    def _call(self, function: Function, arguments: Mapping[str, Block | Blocks | Number]) -> Iterator[None]:
        names = {item.name for item in function.parameters if isinstance(item, ArrayParameter)}
        arrays = {name: block for name, block in arguments.items() if isinstance(block, Block | Blocks)}
        numbers = {name: number for name, number in arguments.items() if isinstance(number, int | float)}
        assert {*arrays} == names
        before = len(self.stack)
        try:
            yield from self._steps(function.body, _Scope(numbers, arrays))
        except _Exit:
            pass
        self._give_back(before)

    def _give_back(self, length: int) -> None:
        assert length <= len(self.stack), "the stack is restored to what it does not reach"
        for block in self.stack[length:]:
            block.is_alive = False
        del self.stack[length:]

    def _steps(self, steps: tuple[Step, ...], scope: _Scope) -> Iterator[None]:
        for step in steps:
            yield from self._step(step, scope)

    def _step(self, step: Step, scope: _Scope) -> Iterator[None]:
        match step:
            case Loop():
                yield from self._loop(step, scope)
            case Within(index, start, stop, body):
                if _position(start, scope) <= scope.numbers[index] < _position(stop, scope):
                    yield from self._steps(body, scope)
            case Branch(condition, then, orelse):
                yield from self._steps(then if _value(condition, scope) else orelse, scope)
            case Invoke(kernel, arguments):
                function = self.kernels[kernel]
                values = [_argument(item, scope) for item in arguments]
                names = [item.name for item in function.parameters]
                yield from self._call(function, dict(zip(names, values, strict=True)))
            case Return():
                raise _Exit
            case _:
                self._simple_step(step, scope)
                yield

    def _loop(self, loop: Loop, scope: _Scope) -> Iterator[None]:
        indices = range(_position(loop.start, scope), _position(loop.stop, scope), loop.step)
        if loop.kind is LoopKind.LANES:
            yield from self._lanes(loop, indices, scope)
            return
        for index in reversed(indices) if loop.descending else indices:
            scope.numbers[loop.index] = index
            yield from self._steps(loop.body, scope)

    def _lanes(self, loop: Loop, indices: range, scope: _Scope) -> Iterator[None]:
        for begin in range(0, len(indices), self.width):
            lanes = [
                self._steps(loop.body, scope.of_lane(loop.index, index))
                for index in indices[begin : begin + self.width]
            ]
            while lanes:
                lanes = [lane for lane in lanes if next(lane, self) is not self]
                yield

    def _simple_step(self, step: Step, scope: _Scope) -> None:
        match step:
            case Let(name, value):
                scope.numbers[name] = _value(value, scope)
            case Store(view, index, value):
                number = _value(value, scope)
                block, place = _element(view, index, scope)
                block.elements[place] = number
            case MakeView(name, array, origin):
                scope.views[name] = scope.arrays[array], tuple(_position(item, scope) for item in origin)
            case Comment():
                pass
            case _:
                self._memory_step(step, scope)

    def _memory_step(self, step: Step, scope: _Scope) -> None:
        match step:
            case Allocate(array):
                scope.arrays[array] = self._allocated(step, scope)
            case Free(array):
                block = scope.arrays[array]
                assert isinstance(block, Block) and block.is_alive, f"'{array}' is freed twice"
                block.is_alive = False
            case LaneAllocate(anchor, _, sizes, lanes, first=first):
                own = [Block(anchor, _sizes(sizes, scope)) for _ in range(lanes)]
                depth = len(scope.lanes)
                scope.arrays[anchor] = (
                    own[0] if first is None else Blocks(_position(first, scope), tuple(own), depth)
                )
            case SaveStack(token):
                scope.numbers[token] = len(self.stack)
            case RestoreStack(token):
                self._give_back(int(scope.numbers[token]))
            case _:
                raise AssertionError(step)

    def _allocated(self, step: Allocate, scope: _Scope) -> Block:
        block = Block(step.array, _sizes(step.sizes, scope))
        if step.memory is Memory.STACK:
            is_first = all(other.name != step.array for other in self.stack)
            assert is_first, f"'{step.array}' is put on the stack again and again"
            self.stack.append(block)
        else:
            self.on_heap.append(block)
        return block


def _sizes(sizes: tuple[Affine, ...], scope: _Scope) -> tuple[int, ...]:
    return tuple(_position(size, scope) for size in sizes)


def _position(position: Position, scope: _Scope) -> int:
    match position:
        case Affine(None, offset):
            return offset
        case Affine(str(name), offset, factor):
            return factor * int(scope.numbers[name]) + offset
        case Least(items):
            return min(_position(item, scope) for item in items)
        case Greatest(items):
            return max(_position(item, scope) for item in items)
        case Whole(bound, lanes):
            number = _position(bound, scope)
            assert number % lanes == 0, "the bound is what it is said to be"
            return number
        case _:
            raise AssertionError(position)


def _argument(argument: str | Position, scope: _Scope) -> Block | Blocks | Number:
    if not isinstance(argument, str):
        return _position(argument, scope)
    return scope.arrays[argument] if argument in scope.arrays else scope.numbers[argument]


def _element(view: str, index: tuple[Index, ...], scope: _Scope) -> tuple[Block, tuple[int, ...]]:
    block, origin = scope.views[view]
    if isinstance(block, Blocks):
        lane = scope.lanes[block.depth] - block.first
        assert 0 <= lane < len(block.lanes), f"{lane} is none of {len(block.lanes)} lanes"
        block = block.lanes[lane]
    own = (
        _position(item.index, scope) % item.slots if isinstance(item, Slot) else _position(item, scope)
        for item in index
    )
    return block, block.place(tuple(first + at for first, at in zip(origin, own, strict=True)))


def _value(value: Value, scope: _Scope) -> Number:
    match value:
        case Literal(number):
            return number
        case Variable(name):
            return scope.numbers[name]
        case Load(view, index):
            block, place = _element(view, index, scope)
            assert place in block.elements, f"{place} of '{block.name}' is read and was not set"
            return block.elements[place]
        case BinaryOperation(kind, left, right):
            return _OPERATIONS[kind](_value(left, scope), _value(right, scope))
        case Conversion(operand, dtype):
            number = _value(operand, scope)
            return float(number) if dtype is DType.FLOAT64 else int(number)
        case _:
            raise AssertionError(value)

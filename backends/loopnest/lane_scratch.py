"""Gives each lane of a loop the scratch memory that it has for itself.

One array that all lanes use would be wrong: those that run side by side would all read what the last of
them has left. So there is one buffer with room for all lanes, allocated once.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final, TypeVar, assert_never

from backends.loopnest.expressions import Affine, Load
from backends.loopnest.lane_index import block_of_lane, lane_index
from backends.loopnest.nodes import (
    Allocate,
    Branch,
    Comment,
    Free,
    Function,
    LaneAllocate,
    Let,
    Loop,
    LoopKind,
    MakeView,
    Return,
    Step,
    Store,
    Within,
)
from backends.loopnest.scalar_scratch import promotable, promoted
from backends.loopnest.steps import Path, all_steps, block_at, blocks, located, with_blocks
from backends.loopnest.uses import defined_names, fresh_name
from iir.base import Node
from iir.dtypes import numpy_dtype
from iir.traversal import rewrite

N = TypeVar("N", bound=Node)

_REMARK: Final = "Serial: only each lane can tell how large its '{}' is."


class Form(Enum):
    """REGISTER: a local variable. ORDINARY: an array where it stands, in loops that run in order.
    INTERLEAVED: ``[...][lane]``, so that lanes lie side by side. BLOCKED: all of a lane lies together."""

    REGISTER = "register"
    ORDINARY = "ordinary"
    INTERLEAVED = "interleaved"
    BLOCKED = "blocked"

    def __repr__(self) -> str:
        return f"Form.{self.name}"


@dataclass(frozen=True, slots=True)
class Buffer:
    """What all copies of one piece of lane scratch share: room for as many lanes as any of them has.

    In blocks, each of *block* elements.
    """

    form: Form
    lanes: int
    block: int


@dataclass(frozen=True, slots=True)
class _Copy:
    """A piece of lane scratch and the innermost loop over lanes around it, if any."""

    step: LaneAllocate
    loop: Loop | None


def privatise_lanes(function: Function) -> Function:
    """*function* without lane scratch: its lanes have parts of arrays, or variables.

    A loop over lanes whose scratch cannot be allocated before it becomes serial, and a remark says why.
    """
    copies = _copies(function)
    if not copies:
        return function
    scalars = promotable(function)
    known = frozenset(parameter.name for parameter in function.parameters)
    buffers = {
        anchor: _buffer(own, Form.REGISTER if anchor in scalars else _form(own, known))
        for anchor, own in copies.items()
    }
    function = promoted(function, scalars)
    body = _Rewriting(function, buffers).steps(function.body, None)
    whole = tuple(filter(None, (_whole(buffers[anchor], own) for anchor, own in copies.items())))
    return replace(function, body=(*whole, *freed_at_exits(body, [item.array for item in whole])))


def block_length(size: int, align: int, item: int) -> int:
    """How many elements of *item* bytes lie between the beginnings of blocks of *size* bytes."""
    align = max(align, item)
    return -(-size // align) * align // item


def _copies(function: Function) -> Mapping[str, list[_Copy]]:
    found: defaultdict[str, list[_Copy]] = defaultdict(list)
    for path, step in located(function.body):
        if isinstance(step, LaneAllocate):
            found[step.anchor].append(_Copy(step, _loop_around(path, function)))
    return found


def _loop_around(path: Path, function: Function) -> Loop | None:
    around = (block_at(function.body, path[: n - 1])[path[n - 1]] for n in range(1, len(path), 2))
    loops = [step for step in around if isinstance(step, Loop) and step.kind is LoopKind.LANES]
    return loops[-1] if loops else None


def _buffer(copies: list[_Copy], form: Form) -> Buffer:
    step = copies[0].step
    # A power of two, so that lanes can be used in turn.
    lanes = 1 << (max(copy.step.lanes for copy in copies) - 1).bit_length()
    item = numpy_dtype(step.dtype).itemsize
    block = block_length(step.sizes[0].offset * item, step.align, item) if step.is_handed_out else 0
    return Buffer(form, lanes, block)


def _form(copies: list[_Copy], known: frozenset[str]) -> Form:
    """*known* are the names that have a value before everything else."""
    step = copies[0].step
    names = {size.name for size in step.sizes if size.name}
    has_known_size = not names if step.is_handed_out else names <= known
    if not has_known_size or not any(copy.loop for copy in copies):
        return Form.ORDINARY
    return Form.BLOCKED if step.is_handed_out else Form.INTERLEAVED


def _whole(buffer: Buffer, copies: list[_Copy]) -> Allocate | None:
    """The array for all lanes."""
    step = copies[0].step
    lanes = Affine(None, buffer.lanes)
    match buffer.form:
        case Form.INTERLEAVED:
            return Allocate(step.anchor, step.dtype, (lanes, *step.sizes), fastest=0)
        case Form.BLOCKED:
            size = Affine(None, buffer.block * buffer.lanes)
            return Allocate(step.anchor, step.dtype, (size,), fastest=0)
        case Form.REGISTER | Form.ORDINARY:
            return None
        case _:
            assert_never(buffer.form)


class _Rewriting:
    """Goes over steps and the loops over lanes that they are in."""

    def __init__(self, function: Function, buffers: Mapping[str, Buffer]) -> None:
        self.taken = defined_names(function)
        self.buffers = buffers
        self.views = {
            step.name: buffers[step.array]
            for step in all_steps(function.body)
            if isinstance(step, MakeView) and step.array in buffers
        }

    def steps(self, steps: tuple[Step, ...], loop: Loop | None) -> tuple[Step, ...]:
        result: list[Step] = []
        arrays: dict[str, None] = {}
        for step in steps:
            for new in self._step(step, loop):
                is_copy = isinstance(new, Allocate) and new.array in arrays
                result += () if is_copy else (new,)
                if isinstance(new, Allocate) and new.array in self.buffers:
                    arrays[new.array] = None
        return freed_at_exits(tuple(result), [*arrays])

    def _step(self, step: Step, loop: Loop | None) -> Iterator[Step]:
        match step:
            case Loop(kind=LoopKind.LANES):
                yield from self._lanes(step)
            case LaneAllocate(anchor):
                if self.buffers[anchor].form is Form.ORDINARY:
                    yield Allocate(anchor, step.dtype, step.sizes, fastest=0)
            case MakeView(array=array) if array in self.buffers:
                yield from self._view(step, loop)
            case Branch(condition):
                inside = tuple(self.steps(block, loop) for block in blocks(step))
                yield with_blocks(replace(step, condition=self._indexed(condition, loop)), inside)
            case Loop() | Within():
                yield replace(step, body=self.steps(step.body, loop))
            case _:
                yield self._indexed(step, loop)

    def _lanes(self, loop: Loop) -> Iterator[Step]:
        inside = replace(loop, body=self.steps(loop.body, loop))
        anchors = dict.fromkeys(s.anchor for s in all_steps(loop.body) if isinstance(s, LaneAllocate))
        shared = [anchor for anchor in anchors if self.buffers[anchor].form is Form.ORDINARY]
        yield from (Comment(_REMARK.format(anchor)) for anchor in shared)
        yield replace(inside, kind=LoopKind.SERIAL) if shared else inside

    def _view(self, step: MakeView, loop: Loop | None) -> Iterator[Step]:
        buffer = self.buffers[step.array]
        match buffer.form:
            case Form.ORDINARY | Form.REGISTER:
                yield step
            case Form.INTERLEAVED:
                _, first = lane_index(loop, buffer.lanes)
                yield replace(step, origin=(first, *step.origin), unit=0)
            case Form.BLOCKED:
                name = fresh_name(f"{step.name}_block", self.taken)
                (origin,) = step.origin
                yield Let(name, block_of_lane(loop, buffer.lanes, buffer.block))
                yield replace(step, origin=(Affine(name, origin.offset),), unit=0)
            case _:
                assert_never(buffer.form)

    def _indexed(self, node: N, loop: Loop | None) -> N:
        """*node* with the lane in front of all indices of interleaved scratch."""

        def with_lane(inner: Node) -> Node:
            if not isinstance(inner, Load | Store) or inner.view not in self.views:
                return inner
            buffer = self.views[inner.view]
            if buffer.form is not Form.INTERLEAVED:
                return inner
            lane, _ = lane_index(loop, buffer.lanes)
            return replace(inner, index=(lane, *inner.index))

        return rewrite(node, with_lane)


def freed_at_exits(steps: tuple[Step, ...], arrays: list[str]) -> tuple[Step, ...]:
    """*steps* with *arrays* freed at their end and before each way out of the function, last ones first."""
    frees = tuple(Free(array) for array in reversed(arrays))
    if not frees:
        return steps
    freed = tuple(new for step in steps for new in _freed_before_return(step, frees))
    return freed if freed and isinstance(freed[-1], Return) else (*freed, *frees)


def _freed_before_return(step: Step, frees: tuple[Free, ...]) -> tuple[Step, ...]:
    if isinstance(step, Return):
        return (*frees, step)
    inside = (
        tuple(new for inner in block for new in _freed_before_return(inner, frees)) for block in blocks(step)
    )
    return (with_blocks(step, tuple(inside)),)

"""Gives each lane of a loop the scratch memory that it has for itself.

One array that all lanes use would be wrong: those that run side by side would all read what the last of
them has left. So there is one buffer with room for all lanes, allocated once.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final, TypeVar, assert_never

from backends.loopnest.expressions import Affine, Index, Load
from backends.loopnest.lane_index import block_of_lane, lane_index, origin_for
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

_OWN_SIZE: Final = "Serial: only each lane can tell how large its '{}' is."
_INNER: Final = "Serial: loops over lanes inside have one '{}' for all iterations."


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

    In blocks, each of *block* elements. If it *is_in_front* it is there from the beginning of the function.
    """

    form: Form
    lanes: int
    block: int
    is_in_front: bool


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
        anchor: _buffer(own, Form.REGISTER if anchor in scalars else _form(own, known), known)
        for anchor, own in copies.items()
    }
    function = promoted(function, scalars)
    body = _Rewriting(function, buffers).steps(function.body, None)
    whole = tuple(
        _whole(buffers[name], own[0].step) for name, own in copies.items() if buffers[name].is_in_front
    )
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


def _buffer(copies: list[_Copy], form: Form, known: frozenset[str]) -> Buffer:
    """*known* are the names that have a value before everything else."""
    step = copies[0].step
    lanes = max(copy.step.lanes for copy in copies)
    if step.first is None:
        # A power of two, so that lanes can be used in turn.
        lanes = 1 << (lanes - 1).bit_length()
    item = numpy_dtype(step.dtype).itemsize
    block = block_length(step.sizes[0].offset * item, step.align, item) if step.is_handed_out else 0
    is_whole = form in (Form.INTERLEAVED, Form.BLOCKED)
    return Buffer(form, lanes, block, is_whole and _operands(step) <= known)


def _form(copies: list[_Copy], known: frozenset[str]) -> Form:
    step = copies[0].step
    assert not (step.is_handed_out and step.first), "what is handed out is for a single loop"
    if step.first is not None:
        return Form.INTERLEAVED
    has_known_size = not _operands(step) if step.is_handed_out else _operands(step) <= known
    if not has_known_size or not any(copy.loop for copy in copies):
        return Form.ORDINARY
    return Form.BLOCKED if step.is_handed_out else Form.INTERLEAVED


def _operands(step: LaneAllocate) -> frozenset[str]:
    return frozenset(size.name for size in step.sizes if size.name)


def _whole(buffer: Buffer, step: LaneAllocate) -> Allocate:
    """The array for all lanes, or for the only one."""
    sizes = step.sizes
    if buffer.form is Form.INTERLEAVED:
        sizes = Affine(None, buffer.lanes), *step.sizes
    if buffer.form is Form.BLOCKED:
        sizes = (Affine(None, buffer.block * buffer.lanes),)
    return Allocate(step.anchor, step.dtype, sizes, fastest=0, must_be_heap=step.must_be_heap)


class _Rewriting:
    """Goes over steps and the loops over lanes that they are in."""

    def __init__(self, function: Function, buffers: Mapping[str, Buffer]) -> None:
        self.taken = defined_names(function)
        self.buffers = buffers
        self.current: dict[str, _Copy] = {}
        self.anchors = {
            step.name: step.array
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
                self.current[anchor] = _Copy(step, loop)
                if not self.buffers[anchor].is_in_front:
                    yield _whole(self.buffers[anchor], step)
            case MakeView(array=array) if array in self.buffers:
                yield from self._view(step)
            case Branch(condition):
                inside = tuple(self.steps(block, loop) for block in blocks(step))
                yield with_blocks(replace(step, condition=self._indexed(condition, loop)), inside)
            case Loop() | Within():
                yield replace(step, body=self.steps(step.body, loop))
            case _:
                yield self._indexed(step, loop)

    def _lanes(self, loop: Loop) -> Iterator[Step]:
        inside = replace(loop, body=self.steps(loop.body, loop))
        remarks = dict.fromkeys(self._remarks(loop))
        yield from map(Comment, remarks)
        yield replace(inside, kind=LoopKind.SERIAL) if remarks else inside

    def _remarks(self, loop: Loop) -> Iterator[str]:
        """For each piece of scratch in *loop* that its iterations would share, why."""
        for step in all_steps(loop.body):
            match step:
                case LaneAllocate(anchor) if self.buffers[anchor].form is Form.ORDINARY:
                    yield _OWN_SIZE.format(anchor)
                case LaneAllocate(anchor) if step.first is not None:
                    yield _INNER.format(anchor)
                case Loop(kind=LoopKind.LANES):
                    scratch = (inner for inner in all_steps(step.body) if isinstance(inner, LaneAllocate))
                    yield from (_INNER.format(inner.anchor) for inner in scratch)
                case _:
                    pass

    def _view(self, step: MakeView) -> Iterator[Step]:
        buffer, copy = self.buffers[step.array], self.current[step.array]
        match buffer.form:
            case Form.ORDINARY | Form.REGISTER:
                yield step
            case Form.INTERLEAVED:
                first = copy.step.first
                origin = lane_index(copy.loop, buffer.lanes)[1] if first is None else origin_for(first)
                yield replace(step, origin=(origin, *step.origin), unit=0)
            case Form.BLOCKED:
                name = fresh_name(f"{step.name}_block", self.taken)
                (origin,) = step.origin
                yield Let(name, block_of_lane(copy.loop, buffer.lanes, buffer.block))
                yield replace(step, origin=(Affine(name, origin.offset),), unit=0)
            case _:
                assert_never(buffer.form)

    def _indexed(self, node: N, loop: Loop | None) -> N:
        """*node* with the lane in front of all indices of interleaved scratch."""

        def with_lane(inner: Node) -> Node:
            if not isinstance(inner, Load | Store) or inner.view not in self.anchors:
                return inner
            anchor = self.anchors[inner.view]
            if self.buffers[anchor].form is not Form.INTERLEAVED:
                return inner
            return replace(inner, index=(self._lane(anchor, loop), *inner.index))

        return rewrite(node, with_lane)

    def _lane(self, anchor: str, loop: Loop | None) -> Index:
        """The index of the lane, for an access in *loop*."""
        copy = self.current[anchor]
        if copy.step.first is None:
            return lane_index(copy.loop, self.buffers[anchor].lanes)[0]
        assert loop is not None, f"'{anchor}' is used outside of loops over its lanes"
        return Affine(loop.index)


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

"""Gives each lane of a loop the scratch memory that it has for itself."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final, TypeVar, assert_never

from backends.loopnest.expressions import Affine, Index, Load
from backends.loopnest.lane_buffers import Buffer, Copy, Form, lane_buffers
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
from backends.loopnest.scalar_scratch import promoted
from backends.loopnest.steps import all_steps, blocks, with_blocks
from backends.loopnest.uses import defined_names, fresh_name
from iir.base import Node
from iir.traversal import rewrite

N = TypeVar("N", bound=Node)

_OWN_SIZE: Final = "Serial: only each lane can tell how large its '{}' is."
_INNER: Final = "Serial: loops over lanes inside have one '{}' for all iterations."


def privatise_lanes(function: Function) -> Function:
    """*function* without lane scratch: its lanes have parts of arrays, or variables.

    A loop over lanes whose iterations would share scratch becomes serial, and a remark says why.
    """
    buffers = lane_buffers(function)
    if not buffers:
        return function
    scalars = frozenset(name for name, buffer in buffers.items() if buffer.form is Form.REGISTER)
    function = promoted(function, scalars)
    whole = tuple(buffer.array for buffer in buffers.values() if buffer.is_in_front)
    frees = _frees(item.array for item in whole)
    body = tuple(
        new
        for step in _Rewriting(function, buffers).steps(function.body, ())
        for new in _freed_before_return(step, frees)
    )
    return replace(function, body=(*whole, *_freed_at_end(body, frees)))


class _Rewriting:
    """Goes over steps and the loops over lanes that they are in."""

    def __init__(self, function: Function, buffers: Mapping[str, Buffer]) -> None:
        self.taken = defined_names(function)
        self.buffers = buffers
        self.current: dict[str, Copy] = {}
        self.anchors = {
            step.name: step.array
            for step in all_steps(function.body)
            if isinstance(step, MakeView) and step.array in buffers
        }

    def steps(self, steps: tuple[Step, ...], loops: tuple[Loop, ...]) -> tuple[Step, ...]:
        result: list[Step] = []
        arrays: dict[str, None] = {}
        for step in steps:
            for new in self._step(step, loops):
                is_copy = isinstance(new, Allocate) and new.array in arrays
                result += () if is_copy else _freed_before_return(new, _frees(arrays))
                if isinstance(new, Allocate) and new.array in self.buffers:
                    arrays[new.array] = None
        return _freed_at_end(tuple(result), _frees(arrays))

    def _step(self, step: Step, loops: tuple[Loop, ...]) -> Iterator[Step]:
        match step:
            case Loop(kind=LoopKind.LANES):
                yield from self._lanes(step, loops)
            case LaneAllocate(anchor):
                self.current[anchor] = Copy(step, loops)
                buffer = self.buffers[anchor]
                yield from () if buffer.is_in_front else (buffer.array,)
            case MakeView(array=array) if array in self.buffers:
                yield from self._view(step)
            case Branch(condition):
                inside = tuple(self.steps(block, loops) for block in blocks(step))
                yield with_blocks(replace(step, condition=self._indexed(condition, loops)), inside)
            case Loop() | Within():
                yield replace(step, body=self.steps(step.body, loops))
            case _:
                yield self._indexed(step, loops)

    def _lanes(self, loop: Loop, loops: tuple[Loop, ...]) -> Iterator[Step]:
        inside = replace(loop, body=self.steps(loop.body, (*loops, loop)))
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
                origin = origin_for(first) if first else lane_index(copy.loop, buffer.lanes)[1]
                yield replace(step, origin=(origin, *step.origin), unit=0)
            case Form.BLOCKED:
                name = fresh_name(f"{step.name}_block", self.taken)
                (origin,) = step.origin
                yield Let(name, block_of_lane(copy.loop, buffer.lanes, buffer.block))
                yield replace(step, origin=(Affine(name, origin.offset),), unit=0)
            case _:
                assert_never(buffer.form)

    def _indexed(self, node: N, loops: tuple[Loop, ...]) -> N:
        """*node* with the lane in front of all indices of interleaved scratch."""

        def with_lane(inner: Node) -> Node:
            if not isinstance(inner, Load | Store) or inner.view not in self.anchors:
                return inner
            anchor = self.anchors[inner.view]
            if self.buffers[anchor].form is not Form.INTERLEAVED:
                return inner
            return replace(inner, index=(self._lane(anchor, loops), *inner.index))

        return rewrite(node, with_lane)

    def _lane(self, anchor: str, loops: tuple[Loop, ...]) -> Index:
        """The index of the lane, for an access in *loops*."""
        copy = self.current[anchor]
        if copy.step.first is None:
            return lane_index(copy.loop, self.buffers[anchor].lanes)[0]
        return Affine(loops[len(copy.loops)].index)


def _frees(arrays: Iterable[str]) -> tuple[Free, ...]:
    """What ends the life of *arrays*, the last one first."""
    return tuple(Free(array) for array in reversed([*arrays]))


def _freed_at_end(steps: tuple[Step, ...], frees: tuple[Free, ...]) -> tuple[Step, ...]:
    return steps if steps and isinstance(steps[-1], Return) else (*steps, *frees)


def _freed_before_return(step: Step, frees: tuple[Free, ...]) -> tuple[Step, ...]:
    if not frees:
        return (step,)
    if isinstance(step, Return):
        return (*frees, step)
    inside = (
        tuple(new for inner in block for new in _freed_before_return(inner, frees)) for block in blocks(step)
    )
    return (with_blocks(step, tuple(inside)),)

"""What the lanes of loops share to have scratch memory for themselves.

One array that all lanes use would be wrong: those that run side by side would all read what the last of
them has left. So there is one buffer with room for all lanes, allocated once.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType

from backends.loopnest.expressions import Affine
from backends.loopnest.nodes import Allocate, Function, LaneAllocate, Loop, LoopKind
from backends.loopnest.scalar_scratch import promotable
from backends.loopnest.steps import Path, block_at, located
from iir.dtypes import numpy_dtype


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
class Copy:
    """A piece of lane scratch and the loops over lanes around it, outermost first."""

    step: LaneAllocate
    loops: tuple[Loop, ...]

    @property
    def loop(self) -> Loop | None:
        return self.loops[-1] if self.loops else None


@dataclass(frozen=True, slots=True)
class Buffer:
    """The *array* of all copies of one piece of lane scratch: it has as many *lanes* as any of them.

    In blocks, each of *block* elements. If it *is_in_front* it is there from the beginning of the function.
    """

    form: Form
    lanes: int
    block: int
    array: Allocate
    is_in_front: bool


def lane_buffers(function: Function) -> Mapping[str, Buffer]:
    """By anchor, the buffer of each piece of lane scratch in *function*."""
    copies = _copies(function)
    scalars = promotable(function) if copies else frozenset[str]()
    known = frozenset(parameter.name for parameter in function.parameters)
    return MappingProxyType(
        {
            anchor: _buffer(own, Form.REGISTER if anchor in scalars else _form(own, known), known)
            for anchor, own in copies.items()
        }
    )


def block_length(size: int, align: int, item: int) -> int:
    """How many elements of *item* bytes lie between the beginnings of blocks of *size* bytes."""
    align = max(align, item)
    return -(-size // align) * align // item


def _copies(function: Function) -> Mapping[str, list[Copy]]:
    found: defaultdict[str, list[Copy]] = defaultdict(list)
    for path, step in located(function.body):
        if isinstance(step, Allocate | LaneAllocate):
            loops = _loops_around(path, function)
            if isinstance(step, LaneAllocate):
                found[step.anchor].append(Copy(step, loops))
            else:
                assert not loops, f"'{step.array}' would be one array for all lanes"
    return found


def _loops_around(path: Path, function: Function) -> tuple[Loop, ...]:
    around = (block_at(function.body, path[: n - 1])[path[n - 1]] for n in range(1, len(path), 2))
    return tuple(step for step in around if isinstance(step, Loop) and step.kind is LoopKind.LANES)


def _form(copies: list[Copy], known: frozenset[str]) -> Form:
    """*known* are the names that have a value before everything else."""
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


def _buffer(copies: list[Copy], form: Form, known: frozenset[str]) -> Buffer:
    step = copies[0].step
    lanes = max(copy.step.lanes for copy in copies)
    if step.first is None:
        # A power of two, so that lanes can be used in turn.
        lanes = 1 << (lanes - 1).bit_length()
    item = numpy_dtype(step.dtype).itemsize
    block = block_length(step.sizes[0].offset * item, step.align, item) if step.is_handed_out else 0
    sizes = step.sizes
    if form is Form.INTERLEAVED:
        sizes = (Affine(None, lanes), *step.sizes)
    elif form is Form.BLOCKED:
        sizes = (Affine(None, lanes * block),)
    array = Allocate(step.anchor, step.dtype, sizes, fastest=0, must_be_heap=step.must_be_heap)
    is_for_all = form in (Form.INTERLEAVED, Form.BLOCKED)
    return Buffer(form, lanes, block, array, is_for_all and _operands(step) <= known)

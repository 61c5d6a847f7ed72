"""The functions that call kernels in order."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from backends.loopnest.bounds import Range
from backends.loopnest.expressions import Affine, Conversion, Cut, Position, Variable
from backends.loopnest.names import CHUNK, CHUNKS, FIRST, LAST, SHARE
from backends.loopnest.nodes import (
    Allocate,
    ArrayParameter,
    Free,
    Function,
    IndexParameter,
    Invoke,
    Let,
    Loop,
    LoopKind,
    Step,
)
from iir.dtypes import DType


@dataclass(frozen=True, slots=True)
class KernelCall:
    """A kernel and the range of its outermost loop, None if the loop is not shared."""

    kernel: Function
    shared: Range | None


def call_kernels(
    calls: Sequence[KernelCall], workspaces: Iterable[Allocate], *, is_parallel: bool
) -> tuple[Step, ...]:
    """Calls in order; each workspace lives from the first kernel that uses it to the last."""
    steps: list[Step] = []
    waiting = list(workspaces)
    for number, call in enumerate(calls):
        uses = _arrays(call.kernel)
        steps += [item for item in waiting if item.array in uses]
        waiting = [item for item in waiting if item.array not in uses]
        steps.append(_call(call, is_parallel))
        later = {array for after in calls[number + 1 :] for array in _arrays(after.kernel)}
        live = [item.array for item in steps if isinstance(item, Allocate)]
        done = {item.array for item in steps if isinstance(item, Free)}
        steps += [Free(array) for array in live if array not in later and array not in done]
    return tuple(steps)


def _call(call: KernelCall, is_parallel: bool) -> Step:
    if call.shared is None or not is_parallel:
        return Invoke(call.kernel.name, _arguments(call.kernel, call.shared, Affine(None, 0)))
    chunk = Affine(CHUNK)
    start, stop = call.shared
    part = Cut(start, stop, chunk, CHUNKS), Cut(start, stop, Affine(CHUNK, 1), CHUNKS)
    # Loops that are shared may count in an unsigned type; a kernel is compiled for one type only.
    signed = Let(CHUNK, Conversion(Variable(SHARE, DType.INT64), DType.INT64))
    invoke = Invoke(call.kernel.name, _arguments(call.kernel, part, chunk))
    return Loop(SHARE, Affine(None, 0), Affine(CHUNKS), (signed, invoke), LoopKind.PARALLEL)


def _arguments(kernel: Function, shared: Range | None, chunk: Affine) -> tuple[str | Position, ...]:
    special: dict[str, Position] = {CHUNK: chunk}
    if shared is not None:
        special[FIRST], special[LAST] = shared
    return tuple(special.get(item.name, item.name) for item in kernel.parameters)


def _arrays(kernel: Function) -> frozenset[str]:
    return frozenset(item.name for item in kernel.parameters if isinstance(item, ArrayParameter))


def index_parameters(names: Iterable[str]) -> tuple[IndexParameter, ...]:
    return tuple(IndexParameter(name) for name in names)

"""What stays on the heap becomes an argument: a kernel never allocates memory itself."""

from dataclasses import replace

from backends.loopnest.expressions import Affine
from backends.loopnest.names import CHUNK
from backends.loopnest.nodes import (
    Allocate,
    ArrayParameter,
    Free,
    Function,
    IndexParameter,
    MakeView,
    Memory,
    Step,
)
from backends.loopnest.steps import all_steps, replaced


def heap_arguments(function: Function, *, is_shared: bool) -> tuple[Function, tuple[Allocate, ...]]:
    """*function* with an argument for each array that it has on the heap, and these arrays.

    They live as long as the call. Chunks of a shared loop have one each.
    """
    arrays = {
        step.array: replace(step, per_chunk=is_shared)
        for step in all_steps(function.body)
        if isinstance(step, Allocate) and step.memory is Memory.HEAP
    }
    if not arrays:
        return function, ()

    def without(step: Step) -> tuple[Step, ...]:
        match step:
            case Allocate(array) | Free(array) if array in arrays:
                return ()
            case MakeView(array=array) if array in arrays:
                return (replace(step, chunk=Affine(CHUNK) if is_shared else None),)
            case _:
                return (step,)

    body = replaced(function.body, without)
    before = [item for item in function.parameters if isinstance(item, ArrayParameter)]
    rest = [item for item in function.parameters if not isinstance(item, ArrayParameter)]
    chunk = IndexParameter(CHUNK)
    if is_shared and chunk not in rest:
        rest.append(chunk)
    parameters = (*before, *map(workspace_parameter, arrays.values()), *rest)
    return replace(function, parameters=parameters, body=body), tuple(arrays.values())


def workspace_parameter(workspace: Allocate) -> ArrayParameter:
    return ArrayParameter(workspace.array, workspace.dtype, len(workspace.sizes) + workspace.per_chunk)

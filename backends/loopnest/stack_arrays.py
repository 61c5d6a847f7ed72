"""Moves allocations from the heap to the stack of their kernel."""

from dataclasses import replace

from backends.loopnest.nodes import Allocate, Free, Function, MakeView, Memory, Step
from backends.loopnest.steps import all_steps, replaced

STACK_BUDGET = 256 * 1024
"""Bytes that the arrays of one kernel may take of the stack of a thread."""


def stack_arrays(function: Function) -> Function:
    found = {
        s.array: replace(s, memory=Memory.STACK) for s in all_steps(function.body) if isinstance(s, Allocate)
    }
    views: list[Step] = []

    def without(step: Step) -> tuple[Step, ...]:
        match step:
            case Allocate(array) | Free(array) if array in found:
                return ()
            case MakeView(array=array) if array in found:
                views.append(step)
                return ()
            case _:
                return (step,)

    body = replaced(function.body, without)
    return replace(function, body=(*found.values(), *views, *body))

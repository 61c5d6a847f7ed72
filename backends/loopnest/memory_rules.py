"""Rules of the loop program about memory."""

from collections.abc import Iterator

from backends.loopnest.nodes import (
    Allocate,
    Function,
    LaneAllocate,
    Loop,
    LoopKind,
    Memory,
    RestoreStack,
    SaveStack,
    Step,
)
from backends.loopnest.steps import all_steps, blocks


def broken_kernel_memory(kernel: Function) -> Iterator[str]:
    """A kernel has memory on its stack only, which neither grows nor is given back too early."""
    where = f"in '{kernel.name}'"
    for step in all_steps(kernel.body):
        match step:
            case Allocate(array, memory=Memory.HEAP):
                yield f"'{array}' is allocated on the heap {where}."
            case LaneAllocate(anchor):
                yield f"Lane scratch '{anchor}' has not been given to its lanes {where}."
            case Loop(index=index, kind=LoopKind.LANES | LoopKind.PARALLEL) if _has_array(step):
                yield f"Iterations over '{index}' may run side by side and share an array {where}."
            case _:
                pass
    yield from (f"{rule} {where}." for rule in _broken_scopes(kernel.body, grows=False))


def _has_array(loop: Loop) -> bool:
    return any(isinstance(step, Allocate) for step in all_steps(loop.body))


def _broken_scopes(steps: tuple[Step, ...], *, grows: bool) -> Iterator[str]:
    """*grows*: each iteration of a loop takes more of the stack."""
    saved: list[str] = []
    for step in steps:
        match step:
            case SaveStack(token):
                saved.append(token)
            case RestoreStack(token):
                if saved[-1:] != [token]:
                    yield f"The stack is restored to '{token}', which is not what was last saved"
                saved = saved[:-1]
            case Allocate(array) if grows and not saved and _is_dynamic(step):
                yield f"Each iteration of a loop puts '{array}' on the stack"
            case _:
                inside = (grows and not saved) or isinstance(step, Loop)
                for block in blocks(step):
                    yield from _broken_scopes(block, grows=inside)
    yield from (f"'{token}' is saved and not restored" for token in saved)


def _is_dynamic(step: Allocate) -> bool:
    return any(size.name for size in step.sizes)

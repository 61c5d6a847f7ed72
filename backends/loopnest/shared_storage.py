"""Temporaries that are not alive at the same time use the same memory."""

from collections import defaultdict
from collections.abc import Hashable, Mapping
from dataclasses import replace

from backends.loopnest.nodes import Allocate, ArrayParameter, Free, Function, Invoke, Program, Step
from backends.loopnest.steps import replaced


def share_storage(program: Program) -> Program:
    """*program* with one argument for several arrays of the same kind that live one after another.

    No kernel reads what it, or one before it, has not set; so what another temporary has left is never
    seen. A kernel that uses several arrays still gets several: they are alive together.
    """
    names = _first_of_each(program.serial)
    if all(name == first for name, first in names.items()):
        return program
    return replace(
        program,
        serial=_renamed(program.serial, names),
        parallel=None if program.parallel is None else _renamed(program.parallel, names),
        workspaces=tuple(item for item in program.workspaces if names[item.array] == item.array),
    )


def _first_of_each(driver: Function) -> Mapping[str, str]:
    """For each array of *driver* the one whose memory it can have: itself, or one that is freed before."""
    names: dict[str, str] = {}
    kinds: dict[str, Hashable] = {}
    unused: defaultdict[Hashable, list[str]] = defaultdict(list)
    for step in driver.body:
        match step:
            case Allocate(array):
                kind = kinds[array] = _kind(step)
                names[array] = unused[kind].pop() if unused[kind] else array
            case Free(array):
                unused[kinds[array]].append(names[array])
            case _:
                pass
    return names


def _kind(step: Allocate) -> Hashable:
    """Arrays of one kind may have the same memory; what others may see is of a kind of its own."""
    is_own = step.must_be_heap or step.escapes
    return step if is_own else replace(step, array="")


def _renamed(driver: Function, names: Mapping[str, str]) -> Function:
    def with_name(step: Step) -> tuple[Step, ...]:
        match step:
            case Allocate(array) | Free(array):
                return (replace(step, array=names[array]),)
            case Invoke(_, arguments):
                own = (names.get(item, item) if isinstance(item, str) else item for item in arguments)
                return (replace(step, arguments=tuple(own)),)
            case _:
                return (step,)

    parameters = tuple(
        item
        for item in driver.parameters
        if not isinstance(item, ArrayParameter) or names.get(item.name, item.name) == item.name
    )
    return replace(driver, parameters=parameters, body=replaced(driver.body, with_name))

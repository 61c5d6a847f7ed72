"""What some steps refer to."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from backends.loopnest.expressions import Affine, Load, Variable
from backends.loopnest.nodes import (
    Allocate,
    CallExternal,
    Function,
    LaneAllocate,
    Let,
    Loop,
    MakeView,
    Prefetch,
    Report,
    SaveStack,
    Step,
    Store,
    Stream,
)
from backends.loopnest.steps import all_steps
from iir.traversal import walk


@dataclass(frozen=True, slots=True)
class Uses:
    """The names that some steps refer to."""

    views: frozenset[str]
    names: frozenset[str]
    reports: bool


def defined_names(function: Function) -> frozenset[str]:
    """All names that stand for something in *function*."""
    names = {item.name for item in function.parameters}
    for step in all_steps(function.body):
        match step:
            case Loop(name) | Let(name) | MakeView(name) | Allocate(name) | LaneAllocate(name):
                names.add(name)
            case SaveStack(name):
                names.add(name)
            case CallExternal(targets):
                names.update(targets)
            case _:
                pass
    return frozenset(names)


def fresh_name(wanted: str, taken: Collection[str]) -> str:
    """*wanted*, with underscores if it is *taken*."""
    while wanted in taken:
        wanted = f"{wanted}_"
    return wanted


def uses(steps: Iterable[Step]) -> Uses:
    nodes = [node for step in steps for node in walk(step)]
    rows = (node.row for node in nodes if isinstance(node, Stream))
    return Uses(
        frozenset(
            (*rows, *(node.view for node in nodes if isinstance(node, Load | Store | Prefetch | Stream)))
        ),
        frozenset(node.name for node in nodes if isinstance(node, Affine | Variable) and node.name),
        any(isinstance(node, Report) for node in nodes),
    )

"""Puts the steps of a kernel in place of a call of it."""

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, Final

from backends.loopnest.expressions import Affine, Variable
from backends.loopnest.nodes import (
    Allocate,
    Free,
    Function,
    Invoke,
    LaneAllocate,
    Let,
    Loop,
    LoopKind,
    Return,
    Step,
    Within,
)
from backends.loopnest.position_values import position_value
from backends.loopnest.steps import all_steps, blocks, with_blocks
from backends.loopnest.uses import defined_names
from iir.base import Node
from iir.traversal import rewrite

_NAMES: Final = frozenset(("name", "index", "view", "row", "array", "anchor", "token", "chunks", "targets"))
"""Fields of nodes that hold names of the function that they are in."""


def inline_calls(function: Function, kernels: Mapping[str, Function], lanes: int) -> Function:
    """*function* with the steps of *kernels* where it called them.

    In a loop over lanes each of so many *lanes* has its own copy of the arrays that they allocate. Calls
    stay if the kernel has several ways out or needs memory that others may see, or if an argument is not
    just a name or a sum.
    """
    inlining = _Inlining(function, kernels, lanes)
    return replace(function, body=inlining.steps(function.body, in_lanes=False))


class _Inlining:
    def __init__(self, function: Function, kernels: Mapping[str, Function], lanes: int) -> None:
        self.kernels = kernels
        self.lanes = lanes
        self.taken = set(defined_names(function))

    def steps(self, steps: tuple[Step, ...], *, in_lanes: bool) -> tuple[Step, ...]:
        return tuple(new for step in steps for new in self._step(step, in_lanes))

    def _step(self, step: Step, in_lanes: bool) -> tuple[Step, ...]:
        if isinstance(step, Invoke) and step.kernel in self.kernels:
            kernel = self.kernels[step.kernel]
            return self._inlined(step, kernel, in_lanes) if _can_be_inlined(step, kernel) else (step,)
        in_lanes |= isinstance(step, Loop) and step.kind is LoopKind.LANES
        return (with_blocks(step, tuple(self.steps(block, in_lanes=in_lanes) for block in blocks(step))),)

    def _inlined(self, call: Invoke, kernel: Function, in_lanes: bool) -> tuple[Step, ...]:
        """The steps of *kernel* with the caller's names and positions for its parameters."""
        names: dict[str, str | Affine] = {name: self._fresh(name) for name in sorted(defined_names(kernel))}
        compared = {step.index for step in all_steps(kernel.body) if isinstance(step, Within)}
        lets: list[Step] = []
        for parameter, argument in zip(kernel.parameters, call.arguments, strict=True):
            assert isinstance(argument, str | Affine)
            if isinstance(argument, Affine) and parameter.name in compared:
                # Only what has a name can be compared with the ends of a range.
                lets.append(Let(str(names[parameter.name]), position_value(argument)))
            else:
                names[parameter.name] = argument
        body = tuple(rewrite(step, lambda node: _renamed(node, names)) for step in kernel.body)
        return (*lets, *(_for_lanes(body, self.lanes) if in_lanes else body))

    def _fresh(self, name: str) -> str:
        while name in self.taken:
            name = f"{name}_"
        self.taken.add(name)
        return name


def _can_be_inlined(call: Invoke, kernel: Function) -> bool:
    steps = tuple(all_steps(kernel.body))
    is_visible = any(
        (isinstance(step, Allocate) and (step.must_be_heap or step.escapes))
        or (isinstance(step, LaneAllocate) and step.must_be_heap)
        for step in steps
    )
    has_exits = any(isinstance(step, Return) for step in steps)
    return not is_visible and not has_exits and all(isinstance(item, str | Affine) for item in call.arguments)


def _renamed(node: Node, names: Mapping[str, str | Affine]) -> Node:
    if isinstance(node, Affine | Variable):
        return _substituted(node, names[node.name]) if node.name is not None else node
    changes: dict[str, Any] = {}
    for field in fields(node):
        if field.name in _NAMES:
            value = getattr(node, field.name)
            if isinstance(value, str):
                changes[field.name] = names.get(value, value)
            elif isinstance(value, tuple):
                changes[field.name] = tuple(names.get(item, item) for item in value)
    return replace(node, **changes)


def _substituted(node: Affine | Variable, by: str | Affine) -> Node:
    if isinstance(node, Variable):
        return replace(node, name=by) if isinstance(by, str) else position_value(by)
    own = Affine(by) if isinstance(by, str) else by
    factor = node.factor * own.factor if own.name else 1
    return Affine(own.name, node.offset + node.factor * own.offset, factor)


def _for_lanes(steps: tuple[Step, ...], lanes: int) -> tuple[Step, ...]:
    """*steps* with scratch for each lane where they allocate arrays of their own."""
    result: list[Step] = []
    for step in steps:
        match step:
            case Allocate(array, dtype, sizes):
                result.append(LaneAllocate(array, dtype, sizes, lanes))
            case Free():
                pass
            case _:
                inside = tuple(_for_lanes(block, lanes) for block in blocks(step))
                result.append(with_blocks(step, inside))
    return tuple(result)

"""Scratch of a single element can be a local variable."""

from dataclasses import replace

from backends.loopnest.expressions import Affine, Load, Variable
from backends.loopnest.nodes import Function, LaneAllocate, Let, MakeView, Step, Store
from backends.loopnest.steps import all_steps, replaced
from iir.base import Node
from iir.traversal import rewrite, walk

_FIRST = Affine(None, 0)


def is_promotable(scratch: LaneAllocate, function: Function) -> bool:
    """Whether *scratch* has one element that is only ever loaded and stored."""
    if scratch.is_handed_out or any(size != Affine(None, 1) for size in scratch.sizes):
        return False
    views = {step.name: step for step in all_steps(function.body) if isinstance(step, MakeView)}
    own = {name for name, view in views.items() if view.array == scratch.anchor}
    accesses = (node for node in walk(function) if isinstance(node, Load | Store) and node.view in own)
    is_first = (
        index == _FIRST and origin == _FIRST
        for access in accesses
        for index, origin in zip(access.index, views[access.view].origin, strict=True)
    )
    return all(is_first)


def promoted(function: Function, anchors: frozenset[str]) -> Function:
    """*function* with local variables in place of the only elements of *anchors*."""
    if not anchors:
        return function
    steps = tuple(all_steps(function.body))
    views = {step.name for step in steps if isinstance(step, MakeView) and step.array in anchors}

    def as_variable(node: Node) -> Node:
        match node:
            case Load(view) if view in views:
                return Variable(view, node.dtype)
            case Store(view) if view in views:
                return Let(view, node.value)
            case _:
                return node

    def without(step: Step) -> tuple[Step, ...]:
        is_made = isinstance(step, MakeView) and step.array in anchors
        return () if is_made or (isinstance(step, LaneAllocate) and step.anchor in anchors) else (step,)

    changed = rewrite(function, as_variable)
    return replace(changed, body=replaced(changed.body, without))

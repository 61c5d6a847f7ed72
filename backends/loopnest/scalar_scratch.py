"""Scratch of a single element can be a local variable."""

from dataclasses import replace

from backends.loopnest.expressions import Affine, Load, Variable
from backends.loopnest.nodes import Function, LaneAllocate, Let, MakeView, Step, Store
from backends.loopnest.steps import all_steps, replaced
from iir.base import Node
from iir.traversal import rewrite, walk

_FIRST = Affine(None, 0)
_ONE = Affine(None, 1)


def promotable(function: Function) -> frozenset[str]:
    """The scratch of one element for a single loop that is only ever loaded and stored."""
    steps = tuple(all_steps(function.body))
    scratch = [step for step in steps if isinstance(step, LaneAllocate)]
    views = {step.name: step for step in steps if isinstance(step, MakeView)}
    indexed = {
        views[node.view].array
        for node in walk(function)
        if isinstance(node, Load | Store)
        and node.view in views
        and any(index != _FIRST for index in (*node.index, *views[node.view].origin))
    }
    others = {item.anchor for item in scratch if _needs_memory(item)}
    return frozenset(item.anchor for item in scratch) - indexed - others


def _needs_memory(step: LaneAllocate) -> bool:
    """Whether it has several elements, or somebody besides its loop sees it."""
    is_seen = step.is_handed_out or step.must_be_heap or step.first is not None
    return is_seen or not set(step.sizes) <= {_ONE}


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

"""Two ways over a tree: `walk` looks at it, `rewrite` rebuilds it."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Final, TypeVar, cast

from iir.base import Node
from iir.node_fields import field_types, holds_nodes

N = TypeVar("N", bound=Node)

MAX_DEPTH: Final = 250
"""No tree is deeper, so that functions over trees may simply recurse."""

_CHILD_FIELDS: Final[dict[type[Any], tuple[str, ...]]] = {}


def children(node: Node) -> Iterator[Node]:
    """The nodes directly below *node*, in program order."""
    for name in _child_fields(type(node)):
        value = getattr(node, name)
        if isinstance(value, Node):
            yield value
        elif isinstance(value, tuple):
            yield from (item for item in value if isinstance(item, Node))


def walk(node: Node) -> Iterator[Node]:
    """*node* and all nodes below it, in program order."""
    rest = [node]
    while rest:
        node = rest.pop()
        yield node
        below = list(children(node))
        below.reverse()
        rest += below


def depth(node: Node) -> int:
    """How many nodes the longest way down from *node* passes, itself included."""
    deepest, rest = 0, [(node, 1)]
    while rest:
        node, level = rest.pop()
        deepest = max(deepest, level)
        rest.extend((child, level + 1) for child in children(node))
    return deepest


def rewrite(node: N, rule: Callable[[Node], Node]) -> N:
    """Apply *rule* to every node, bottom-up; what no rule changed is reused (``is``)."""
    changes: dict[str, Any] = {}
    for name in _child_fields(type(node)):
        before = getattr(node, name)
        after = _rewrite_value(before, rule)
        if after is not before:
            changes[name] = after
    return cast(N, rule(replace(node, **changes) if changes else node))


def _rewrite_value(value: object, rule: Callable[[Node], Node]) -> object:
    if isinstance(value, Node):
        return rewrite(value, rule)
    if isinstance(value, tuple):
        after = tuple(_rewrite_value(item, rule) for item in value)
        same = all(new is old for new, old in zip(after, value, strict=True))
        return value if same else after
    return value


def _child_fields(kind: type[Any]) -> tuple[str, ...]:
    """The fields of *kind* that may hold nodes."""
    names = _CHILD_FIELDS.get(kind)
    if names is None:
        names = tuple(name for name, hint in field_types(kind).items() if holds_nodes(hint))
        _CHILD_FIELDS[kind] = names
    return names

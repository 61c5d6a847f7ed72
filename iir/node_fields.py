"""What the fields of each kind of node may hold, read off their annotations."""

from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from types import UnionType
from typing import Any, Final, Union, get_args, get_origin, get_type_hints

from iir.base import Node

_FIELD_TYPES: Final[dict[type[Any], Mapping[str, Any]]] = {}


def field_types(kind: type[Any]) -> Mapping[str, Any]:
    """The annotations of the fields of *kind*, resolved; the span left out."""
    types = _FIELD_TYPES.get(kind)
    if types is None:
        hints = get_type_hints(kind)
        types = {item.name: hints[item.name] for item in fields(kind) if item.name != "span"}
        _FIELD_TYPES[kind] = types
    return types


@cache
def alternatives(hint: Any) -> tuple[Any, ...]:
    """The members of a union; anything else is its own only member."""
    return get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)


def holds_nodes(hint: Any) -> bool:
    """Whether something of the type *hint* can be or hold a node."""
    if get_origin(hint) is not None:
        return any(holds_nodes(item) for item in get_args(hint))
    return isinstance(hint, type) and issubclass(hint, Node)


def kinds_below(root: type[Node]) -> tuple[type[Node], ...]:
    """The kinds of nodes that a tree with a root of kind *root* may consist of, *root* first."""
    found: dict[type[Any], None] = {}
    rest: list[Any] = [root]
    while rest:
        hint = rest.pop()
        if get_origin(hint) is not None:
            rest += get_args(hint)
        elif holds_nodes(hint) and hint not in found:
            found[hint] = None
            rest += field_types(hint).values()
    return tuple(found)


def is_of(value: object, hint: Any) -> bool:
    """Whether *value* has exactly the type *hint*: a bool is no int, and a NumPy number nothing."""
    kinds = alternatives(hint)
    if type(value) in kinds:
        return True
    return type(value) is tuple and any(_is_tuple_of(value, kind) for kind in kinds)


def _is_tuple_of(value: tuple[object, ...], hint: Any) -> bool:
    if get_origin(hint) is not tuple:
        return False
    items = get_args(hint)
    if items[-1] is Ellipsis:
        return all(is_of(item, items[0]) for item in value)
    return len(value) == len(items) and all(map(is_of, value, items))


def type_text(hint: Any) -> str:
    """The type as a person would write it."""
    kinds = alternatives(hint)
    if len(kinds) > 1:
        return " | ".join(map(type_text, kinds))
    if get_origin(hint) is tuple:
        items = ("..." if item is Ellipsis else type_text(item) for item in get_args(hint))
        return f"tuple[{', '.join(items)}]"
    return "None" if hint is type(None) else str(hint.__name__)

"""Rules on the shape of a tree; all other rules take these for granted."""

from collections.abc import Iterator
from typing import Any, Final

from iir.base import Node
from iir.expressions import FieldAccess, Offset
from iir.node_fields import field_types, is_of, type_text
from iir.nodes import DoMethod, MultiStage, Stage, Stencil
from iir.statements import Assign, Check, ExternalCall, If
from iir.traversal import MAX_DEPTH, depth, walk
from iir.verification.fault import Fault

_ONCE: Final = (MultiStage, Stage, DoMethod, Assign, If, Check, ExternalCall)


def structure_faults(ir: Stencil) -> Iterator[Fault]:
    if type(ir) is not Stencil:
        yield Fault(f"The root is a {type(ir).__name__}, not a Stencil.", ir)
        return
    seen: set[int] = set()
    for node in walk(ir):
        yield from _field_faults(node)
        if isinstance(node, _ONCE):
            if id(node) in seen:
                yield Fault(f"The same {type(node).__name__} object occurs twice: {_start(node)}.", node)
            seen.add(id(node))
    if depth(ir) > MAX_DEPTH:
        yield Fault(f"The tree is more than {MAX_DEPTH} nodes deep.", ir)


def _field_faults(node: Node) -> Iterator[Fault]:
    kind: type[Any] = type(node)
    for name, hint in field_types(kind).items():
        value = getattr(node, name)
        if not is_of(value, hint):
            wanted = type_text(hint)
            yield Fault(f"'{name}' of a {kind.__name__} is {_start(value)}, not of type {wanted}.", node)
    match node:
        case FieldAccess(_, Offset() as offset) if any(type(number) is not int for number in offset):
            yield Fault(f"An offset holds something else than integers: {offset!r}.", node)
        case _:
            pass


def _start(value: object, width: int = 90) -> str:
    text = repr(value)
    return text if len(text) <= width else f"{text[: width - 3]}..."

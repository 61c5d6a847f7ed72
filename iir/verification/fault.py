"""One broken rule."""

from collections.abc import Mapping
from dataclasses import dataclass

from iir.base import Node
from iir.nodes import Declaration
from iir.printer import to_text


@dataclass(frozen=True, slots=True)
class Fault:
    """*sentence* says what is wrong with *node*."""

    sentence: str
    node: Node


def quote(node: Node, names: Mapping[str, Declaration], width: int = 90) -> str:
    """The first line of the text of *node*, in single quotes and not too long."""
    line = to_text(node, declarations=names).partition("\n")[0]
    return f"'{line}'" if len(line) <= width else f"'{line[: width - 3]}...'"

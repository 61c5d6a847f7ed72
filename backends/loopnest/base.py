"""What every node of the loop program has."""

from dataclasses import dataclass

from iir.base import Node


@dataclass(frozen=True, slots=True)
class LoopNode(Node):
    """A node of the IIR's kind: `walk` goes over it, equality is structure."""

    def __str__(self) -> str:
        """The textual form: ``print(f.loops)`` is for reading, ``repr`` for code."""
        from backends.loopnest.printer import node_text

        return node_text(self)

"""What every node of the IIR has."""

from dataclasses import dataclass, field

from iir.span import Span


@dataclass(frozen=True, slots=True)
class Node:
    """Equality is structure: where a node came from does not count."""

    span: Span | None = field(default=None, kw_only=True, compare=False, repr=False)

    def __str__(self) -> str:
        """The textual form: ``print(f.iir)`` is for reading, ``repr`` for code."""
        from iir.printer import to_text

        return to_text(self)

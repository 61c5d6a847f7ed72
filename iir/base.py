"""What every node of the IIR has."""

from dataclasses import dataclass, field

from iir.span import Span


@dataclass(frozen=True, slots=True)
class Node:
    """Equality is structure: where a node came from does not count."""

    span: Span | None = field(default=None, kw_only=True, compare=False, repr=False)

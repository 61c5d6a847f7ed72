"""What is measured side by side: a way to compute a case, on arrays of its own."""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias

from benchmarks.cases import Arguments, Layout

Call: TypeAlias = Callable[[], object]


class Group(Enum):
    """Who computes."""

    OURS = "ours"
    FORTRAN = "Fortran"
    HAND = "hand-written Numba"
    NAIVE = "naive Numba"
    NUMPY = "NumPy"
    GT4PY = "GT4Py"
    FLOOR = "streaming floor"


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """A call and its arguments; the streaming floor has none and computes nothing."""

    group: Group
    name: str
    layout: Layout | None
    call: Call = field(repr=False)
    arguments: Arguments | None = field(repr=False, default=None)

    def restore(self) -> None:
        """Fields that it changes in place hold again what they held at first."""
        if self.arguments is not None:
            self.arguments.restore()

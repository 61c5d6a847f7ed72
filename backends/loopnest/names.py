"""Names in the loop program: the user's where possible, never one that means something else there."""

import keyword
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from iir.nodes import Axes

INDEX: Final = ("i", "j", "k")
SIZE: Final = ("ni", "nj", "nk")
FIRST: Final = "first"
LAST: Final = "last"
CHUNK: Final = "chunk"
CHUNKS: Final = "chunks"
SHARE: Final = "share"
STRIP: Final = "strip"
BLOCK: Final = "block"
RECORDS: Final = "failures"
SERIAL_DRIVER: Final = "run"
PARALLEL_DRIVER: Final = "run_parallel"

_OWN: Final = frozenset(
    (
        *(*INDEX, *SIZE, FIRST, LAST, CHUNK, CHUNKS, SHARE, STRIP, BLOCK, RECORDS),
        *(SERIAL_DRIVER, PARALLEL_DRIVER),
        *("np", "range", "min", "max", "prange", "kernel", "parallel_driver"),
        *("inf", "nan", "bool_", "f32", "f64", "i8", "i16", "i32", "i64"),
    )
)


_LONGEST: Final = 60
"""Bytes of a stencil's name in names of files, where it may stand twice."""


def short(name: str) -> str:
    """The beginning of *name*, as much as may stand in a file's name."""
    return name.encode()[:_LONGEST].decode(errors="ignore")


@dataclass(frozen=True, slots=True)
class Named:
    """The names that stand for one field, temporary or scalar of the stencil."""

    name: str

    @property
    def array(self) -> str:
        return f"{self.name}_array"

    @property
    def level(self) -> str:
        """A scalar parameter as a bound."""
        return f"{self.name}_level"

    def origin(self, axes: Axes) -> tuple[str, ...]:
        return tuple(f"{self.name}_{axis.lower()}" for axis in axes.value)


@dataclass(slots=True)
class Names:
    """Gives out names; *reserved* are those that the emitter's language uses."""

    reserved: frozenset[str]
    taken: set[str] = field(default_factory=set)

    def name(self, wanted: str) -> Named:
        """A name, free together with all names derived from it; *wanted* plus underscores."""
        named = Named(wanted)
        while self.taken & set(derived := _family(named)) or self._is_reserved(named.name):
            named = Named(f"{named.name}_")
        self.taken.update(derived)
        return named

    def names(self, wanted: Iterable[str]) -> dict[str, Named]:
        return {name: self.name(name) for name in wanted}

    def _is_reserved(self, name: str) -> bool:
        return name in _OWN or name in self.reserved or keyword.iskeyword(name)


def _family(named: Named) -> tuple[str, ...]:
    return named.name, named.array, named.level, *named.origin(Axes.IJK)

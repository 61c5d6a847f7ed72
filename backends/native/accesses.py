"""The points of fields that a stencil touches, without those that others hold anyway."""

from collections.abc import Iterable, Mapping

from backends.native.description import NativeSource
from iir.analyses.reach import Reach, reaches
from iir.extent import contains
from iir.nodes import FieldDecl


def accesses(source: NativeSource) -> Mapping[str, tuple[Reach, ...]]:
    """The widest accesses by field: what the author's program touches, and what the kernels do.

    Passes keep kernels within the program; where one did not, the call still never leaves an array.
    """
    outer, inner = reaches(source.ir), reaches(source.optimized)
    names = [item.name for item in source.ir.parameters if isinstance(item, FieldDecl)]
    return {name: _widest((*outer[name], *inner[name])) for name in names}


def _widest(entries: Iterable[Reach]) -> tuple[Reach, ...]:
    """Those of *entries* that no other one holds on every domain."""
    kept: list[Reach] = []
    for entry in entries:
        if not any(_holds(other, entry) for other in kept):
            kept = [*(other for other in kept if not _holds(entry, other)), entry]
    return tuple(kept)


def _holds(outer: Reach, inner: Reach) -> bool:
    return outer.interval == inner.interval and contains(outer.extent, inner.extent)

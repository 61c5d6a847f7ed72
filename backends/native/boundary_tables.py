"""Tables in C of what a stencil asks of its arguments, whatever their values."""

from collections.abc import Mapping
from dataclasses import dataclass

from backends.native.accesses import accesses
from backends.native.c_text import c_string
from backends.native.description import NativeScalar, NativeStencil
from backends.writer import Writer
from iir.analyses.reach import Reach
from iir.analyses.required_levels import intervals
from iir.interval import Anchor, Bound


@dataclass(frozen=True, slots=True)
class BoundaryTables:
    """Name and length of two tables as arguments of a call: run-time *bounds*, and *accesses*.

    They count levels from one of several: the domain's start, its end, then each of *scalars*.
    """

    bounds: str
    accesses: str
    scalars: tuple[NativeScalar, ...]


def write_tables(w: Writer, stencil: NativeStencil) -> BoundaryTables:
    bounds = _run_time_bounds(stencil)
    scalars = tuple(item for item in stencil.scalars if item.name in {bound.anchor for bound in bounds})
    anchors: dict[Anchor | str, int] = {Anchor.START: 0, Anchor.END: 1}
    anchors |= {item.name: number for number, item in enumerate(scalars, start=len(anchors))}
    positions = {item.name: item.position for item in scalars}
    bound_lines = [
        f"{c_string(str(bound.anchor))}, {positions[str(bound.anchor)]}, {_level(bound, anchors)}"
        for bound in bounds
    ]
    points = accesses(stencil.source)
    access_lines = [
        f"{field.position}, {_box(reach, anchors)}"
        for field in stencil.fields
        for reach in points[field.name]
    ]
    return BoundaryTables(
        _table(w, "stencil_bound", f"{stencil.symbol}_bounds", bound_lines),
        _table(w, "stencil_access", f"{stencil.symbol}_accesses", access_lines),
        scalars,
    )


def _run_time_bounds(stencil: NativeStencil) -> tuple[Bound, ...]:
    found = (bound for item in intervals(stencil.source.ir) for bound in (item.start, item.end))
    return tuple(dict.fromkeys(bound for bound in found if isinstance(bound.anchor, str)))


def _table(w: Writer, kind: str, name: str, lines: list[str]) -> str:
    """The table as two arguments; C has no arrays without elements."""
    if not lines:
        return "NULL, 0"
    with w.block(f"static const {kind} {name}[] = {{"):
        for line in lines:
            w.line(f"{{{line}}},")
    w.line("};")
    w.line()
    return f"{name}, {len(lines)}"


def _box(reach: Reach, anchors: Mapping[Anchor | str, int]) -> str:
    (i_low, i_high), (j_low, j_high) = reach.extent.i, reach.extent.j
    start, end = _level(reach.interval.start, anchors), _level(reach.interval.end, anchors)
    return f"{{{i_low}, {j_low}}}, {{{i_high}, {j_high}}}, {start}, {end}"


def _level(bound: Bound, anchors: Mapping[Anchor | str, int]) -> str:
    return f"{{{anchors[bound.anchor]}, {bound.offset}}}"

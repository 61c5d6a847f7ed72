"""Which points of fields and temporaries a stencil touches."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeAlias

from iir.analyses.accesses import accesses
from iir.analyses.declarations import declarations
from iir.analyses.extents import extents
from iir.analyses.interval_order import LevelLimits, is_at_most, level_limits
from iir.extent import DOMAIN, Extent, displace
from iir.interval import Anchor, Bound, Interval, interval_levels, shift_interval
from iir.nodes import Axes, FieldDecl, ScalarDecl, Stencil

Range: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Reach:
    """The points of one access: already displaced columns and levels; *axes* are the field's."""

    extent: Extent
    interval: Interval
    is_store: bool
    axes: Axes = Axes.IJK


def reaches(ir: Stencil) -> Mapping[str, tuple[Reach, ...]]:
    """One entry for each distinct access, by name, declared names in order."""
    boxes = extents(ir)
    declared = declarations(ir)
    found: dict[str, dict[Reach, None]] = {
        name: {} for name, item in declared.items() if not isinstance(item, ScalarDecl)
    }
    for access in accesses(ir):
        declaration = declared[access.name]
        assert not isinstance(declaration, ScalarDecl)
        is_argument_store = access.is_store and isinstance(declaration, FieldDecl)
        box = DOMAIN if is_argument_store else boxes.box(access.statement)
        interval = shift_interval(access.do_method.interval, access.offset.k)
        reach = Reach(displace(box, access.offset), interval, access.is_store, declaration.axes)
        found[access.name][reach] = None
    return MappingProxyType({name: tuple(entries) for name, entries in found.items()})


def bounding_box(
    reaches: Iterable[Reach], domain: tuple[int, int, int], scalars: Mapping[str, int]
) -> tuple[Range, Range, Range] | None:
    """Half-open positions, relative to the domain's first point, of all that *reaches* touch.

    None where nothing is touched. An axis that the field does not have is (0, 1).
    """
    ni, nj, nk = domain
    boxes: list[tuple[Range, Range, Range]] = []
    for reach in reaches:
        levels = interval_levels(reach.interval, nk, scalars)
        box = (
            (reach.extent.i[0], ni + reach.extent.i[1]),
            (reach.extent.j[0], nj + reach.extent.j[1]),
            (levels.start, levels.stop),
        )
        if all(start < end for start, end in box):
            names = reach.axes.value
            boxes.append((_if(box[0], "I" in names), _if(box[1], "J" in names), _if(box[2], "K" in names)))
    if not boxes:
        return None
    return (
        _around([box[0] for box in boxes]),
        _around([box[1] for box in boxes]),
        _around([box[2] for box in boxes]),
    )


def halo(ir: Stencil) -> Mapping[str, tuple[Range, Range, Range]]:
    """The points outside the domain that each field argument needs, below and above on each axis.

    It holds for domains that are large enough for every interval; on smaller ones fewer may do.
    """
    limits = level_limits(ir)
    fields = {item.name for item in ir.parameters if isinstance(item, FieldDecl)}
    return MappingProxyType(
        {name: _halo_of(entries, limits) for name, entries in reaches(ir).items() if name in fields}
    )


def _halo_of(entries: tuple[Reach, ...], limits: LevelLimits) -> tuple[Range, Range, Range]:
    result = [[0, 0], [0, 0], [0, 0]]
    for reach in entries:
        if is_at_most(reach.interval.end, reach.interval.start, limits):
            continue
        names = reach.axes.value
        sides = (
            _if((-reach.extent.i[0], reach.extent.i[1]), "I" in names, (0, 0)),
            _if((-reach.extent.j[0], reach.extent.j[1]), "J" in names, (0, 0)),
            _if(
                (_below(reach.interval.start, limits), _above(reach.interval.end, limits)),
                "K" in names,
                (0, 0),
            ),
        )
        for known, (low, high) in zip(result, sides, strict=True):
            known[:] = [max(known[0], low), max(known[1], high)]
    (i, j, k) = ((known[0], known[1]) for known in result)
    return i, j, k


def _below(start: Bound, limits: LevelLimits) -> int:
    match start.anchor:
        case Anchor.START:
            return -start.offset
        case Anchor.END:
            return 0
        case name:
            return -(limits.lowest[name] + start.offset)


def _above(end: Bound, limits: LevelLimits) -> int:
    match end.anchor:
        case Anchor.START:
            return 0
        case Anchor.END:
            return end.offset
        case name:
            return end.offset - limits.highest[name]


def _around(ranges: list[Range]) -> Range:
    return min(start for start, _ in ranges), max(end for _, end in ranges)


def _if(range_: Range, has_axis: bool, otherwise: Range = (0, 1)) -> Range:
    return range_ if has_axis else otherwise

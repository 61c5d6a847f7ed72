"""The intent of one field at one node, and all that goes with it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final, TypeAlias

from iir.analyses.intents.case_text import condition_text
from iir.analyses.intents.cases import ALWAYS, Case, cases, is_about_levels
from iir.analyses.intents.conditions import Names
from iir.analyses.intents.field_analysis import FieldAnalysis
from iir.analyses.intents.modes import AccessMode, Intent, access_mode_of, intent_of
from iir.analyses.intents.printing import Choice, Printing
from iir.analyses.intents.shown import Cells, Shown, shown
from iir.analyses.intents.summaries import Summary
from iir.analyses.intents.universe import Points, Universe
from iir.boxes import BoxSet, Range, box_set
from iir.interval import Anchor, Bound
from iir.nodes import Axes
from iir.region import WHOLE, Region, RegionBox, Side, Size

Halo: TypeAlias = tuple[tuple[int, int], tuple[int, int], tuple[int, int]]


@dataclass(frozen=True, slots=True)
class FieldIntent:
    """What a node does to field *name*.

    *irbw* (read before written) are the points whose value on entry to the node may be seen,
    *reads* all points read, *may_write* and *must_write* the points perhaps and surely written.
    The *intent* joins what holds for all permitted sizes and conditions. With *partial* the field
    is `Intent.OUT`, but the points *missing* of the domain may keep their values on entry; where
    it is false *missing* is empty. The printed regions are exact from the size *generic_from* on.
    *halo* are the points outside the domain that are read. *show* finds what a table shows.
    """

    name: str
    axes: Axes
    intent: Intent
    partial: bool
    access: AccessMode
    irbw: Region
    reads: Region
    may_write: Region
    must_write: Region
    missing: Region
    generic_from: Size
    halo: Halo
    conditions: tuple[Case, ...] = field(repr=False)
    names: Names = field(compare=False, repr=False)
    show: Callable[[], Cells] = field(compare=False, repr=False)

    @property
    def cases(self) -> tuple[tuple[Any, Intent], ...]:
        """Exclusive and exhaustive conditions on scalars and ``nk``, as SymPy expressions over plain
        symbols, each with its intent; one ``(True, intent)`` where nothing decides at run time."""
        from iir.analyses.intents.case_expressions import condition_expression

        return tuple((condition_expression(terms, self.names), intent) for terms, intent in self.conditions)

    @property
    def case_texts(self) -> tuple[tuple[str, Intent], ...]:
        """The same with the conditions as text; empty where nothing decides at run time."""
        if len(self.conditions) == 1:
            return ()
        return tuple((condition_text(terms, self.names), intent) for terms, intent in self.conditions)

    @property
    def remarkable_cases(self) -> tuple[tuple[str, Intent], ...]:
        """`case_texts`, but nothing where all that matters is that some domains are too low to touch it."""
        touched = {intent for _, intent in self.conditions if intent is not Intent.NONE}
        literals = [literal for terms, _ in self.conditions for term in terms for literal in term]
        is_dull = len(touched) == 1 and all(is_about_levels(literal) for literal in literals)
        return () if is_dull else self.case_texts

    @property
    def label(self) -> str:
        """The intent, for ``out`` with whether it is partial."""
        if self.intent is not Intent.OUT:
            return str(self.intent)
        return "out_partial" if self.partial else "out_full"


def field_intent(analysis: FieldAnalysis) -> FieldIntent:
    """The intent over all permitted sizes and scalars."""
    explored = analysis.explored
    total, universe = explored.total, explored.universe
    printing = Printing(analysis)
    chosen = {name: printing.boxes(choice) for name, choice in _CHOICES.items()}
    intent = intent_of(bool(total.irbw), bool(total.may_write))
    partial = intent is Intent.OUT and bool(_missing(total, universe))

    def region(name: str) -> Region:
        is_empty = not _CHOICES[name].points(total, universe)
        return Region(analysis.axes, chosen[name], is_empty, exact=_exact(analysis, _CHOICES[name]))

    def levels_of(choice: Choice) -> Region:
        return Region(_levels_of(analysis.axes), printing.levels(choice), not choice.points(total, universe))

    def shown_of(name: str) -> Shown:
        choice = _CHOICES[name]
        return shown(choice, region(name), levels_of, printing.has_whole_columns(choice))

    printed = {_CHOICES[name]: boxes for name, boxes in chosen.items() if partial or name != "missing"}
    return FieldIntent(
        name=analysis.name,
        axes=analysis.axes,
        intent=intent,
        partial=partial,
        access=access_mode_of(bool(total.reads), bool(total.may_write)),
        irbw=region("irbw"),
        reads=region("reads"),
        may_write=region("may_write"),
        must_write=region("must_write"),
        missing=region("missing") if partial else Region(analysis.axes, is_empty=True),
        generic_from=printing.generic_from(printed),
        halo=_halo(analysis),
        conditions=cases(analysis),
        names=analysis.names,
        show=cache(lambda: Cells(levels_of(_CHOICES["reads"]), shown_of("irbw"), shown_of("may_write"))),
    )


def field_intent_for(analysis: FieldAnalysis, domain: Size, scalars: Mapping[str, Any]) -> FieldIntent:
    """The intent in a call on *domain* with *scalars*; what is not given joins all possibilities."""
    universe, total = analysis.at(domain, scalars)
    intent = intent_of(bool(total.irbw), bool(total.may_write))
    missing = universe.points_of(_missing(total, universe))
    partial = intent is Intent.OUT and bool(missing)

    def region(choice: Choice) -> Region:
        return fixed_region(analysis.axes, universe.points_of(choice.points(total, universe)), domain)

    def levels_of(choice: Choice) -> Region:
        return _fixed_levels(analysis.axes, universe.points_of(choice.points(total, universe)))

    def shown_of(name: str) -> Shown:
        choice = _CHOICES[name]
        is_plain = universe.has_whole_columns(choice.points(total, universe))
        return shown(choice, region(choice), levels_of, is_plain)

    return FieldIntent(
        name=analysis.name,
        axes=analysis.axes,
        intent=intent,
        partial=partial,
        access=access_mode_of(bool(total.reads), bool(total.may_write)),
        irbw=region(_CHOICES["irbw"]),
        reads=region(_CHOICES["reads"]),
        may_write=region(_CHOICES["may_write"]),
        must_write=region(_CHOICES["must_write"]),
        missing=fixed_region(analysis.axes, missing if partial else BoxSet(), domain),
        generic_from=domain,
        halo=_rim(universe.points_of(total.reads), domain, analysis.axes),
        conditions=((ALWAYS, intent),),
        names=analysis.names,
        show=cache(lambda: Cells(levels_of(_CHOICES["reads"]), shown_of("irbw"), shown_of("may_write"))),
    )


def _irbw(summary: Summary, universe: Universe) -> Points:
    return summary.irbw


def _reads(summary: Summary, universe: Universe) -> Points:
    return summary.reads


def _may_write(summary: Summary, universe: Universe) -> Points:
    return summary.may_write


def _must_write(summary: Summary, universe: Universe) -> Points:
    return summary.must_write


def _missing(summary: Summary, universe: Universe) -> Points:
    return universe.domain & ~summary.must_write


_CHOICES: Final[Mapping[str, Choice]] = {
    "irbw": Choice(_irbw),
    "reads": Choice(_reads),
    "may_write": Choice(_may_write),
    "must_write": Choice(_must_write, is_sure=True),
    "missing": Choice(_missing),
}


def _exact(analysis: FieldAnalysis, choice: Choice) -> Callable[[Size, Mapping[str, Any]], BoxSet]:
    def exact(domain: Size, scalars: Mapping[str, Any]) -> BoxSet:
        universe, total = analysis.at(domain, scalars)
        return universe.points_of(choice.points(total, universe))

    return exact


def _levels_of(axes: Axes) -> Axes:
    return Axes.K if "K" in axes.value else Axes.IJ


def fixed_region(axes: Axes, points: BoxSet, domain: Size) -> Region:
    """A region that consists of *points* on the one *domain* that it is about."""
    boxes = tuple(
        RegionBox(_columns(i, domain[0]), _columns(j, domain[1]), _levels(k)) for i, j, k in points.boxes
    )
    return Region(axes, boxes, not points, is_absolute=True, exact=lambda domain, scalars: points)


def _columns(side: Range, size: int) -> Side:
    return WHOLE if side == (0, size) else _levels(side)


def _levels(side: Range) -> Side:
    return Side((_at(side[0]),), (_at(side[1]),))


def _at(coordinate: int) -> Bound:
    return Bound(Anchor.START, coordinate)


def _fixed_levels(axes: Axes, points: BoxSet) -> Region:
    levels = box_set(((0, 1), (0, 1), levels) for _, _, levels in points.boxes)
    boxes = tuple(RegionBox(WHOLE, WHOLE, _levels(k)) for _, _, k in levels.boxes)
    return Region(_levels_of(axes), boxes, not points, is_absolute=True)


def _halo(analysis: FieldAnalysis) -> Halo:
    """How far reads reach out of the domain on large domains."""
    explored = analysis.explored
    plan, universe = explored.plan, explored.universe
    rims = [
        _rim(universe.points_of(explored.total.reads, number), plan.generic, analysis.axes)
        for number, setting in enumerate(plan.settings)
        if setting.domain == plan.generic
    ]
    low_high = [(max(rim[axis][0] for rim in rims), max(rim[axis][1] for rim in rims)) for axis in range(3)]
    return low_high[0], low_high[1], low_high[2]


def _rim(points: BoxSet, domain: Size, axes: Axes) -> Halo:
    sides = []
    for axis in range(3):
        if "IJK"[axis] in axes.value and points:
            low = min(box[axis][0] for box in points.boxes)
            high = max(box[axis][1] for box in points.boxes)
            sides.append((max(0, -low), max(0, high - domain[axis])))
        else:
            sides.append((0, 0))
    return sides[0], sides[1], sides[2]

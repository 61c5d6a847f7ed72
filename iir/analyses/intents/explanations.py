"""Why a field has its intent: which reads see entry values, and why no store covers them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from iir.analyses.intents.events import Branch, Event, Read, Store, Sweep
from iir.analyses.intents.field_analysis import FieldAnalysis
from iir.analyses.intents.field_intents import FieldIntent
from iir.analyses.intents.modes import Intent
from iir.analyses.intents.printing import Choice, Printing
from iir.analyses.intents.summaries import Summary
from iir.analyses.intents.universe import NOTHING, Points, Universe
from iir.analyses.intents.wrapping import wrapped
from iir.base import Node
from iir.diagnostics import Diagnostic, render
from iir.nodes import LoopOrder
from iir.printer import to_text
from iir.region import Region

_MOST_NOTES: Final = 4
_WIDTH: Final = 100


@dataclass(frozen=True, slots=True)
class _Found:
    """An event with its place in the program: sweep, number in the sweep, and the innermost condition
    with whether it holds there."""

    event: Read | Store
    sweep: int
    number: int
    order: LoopOrder
    guard: "_Guard | None"


@dataclass(frozen=True, slots=True)
class _Guard:
    branch: Branch
    holds: bool


def explain_field(analysis: FieldAnalysis, found: FieldIntent) -> str:
    """The intent in a sentence, then for each read that sees entry values which, and why."""
    parts = [_verdict(found)]
    parts += [f"It is {intent} if {text}." for text, intent in found.remarkable_cases]
    text = "\n".join(line for part in parts for line in wrapped(part, _WIDTH, "  "))
    explanations = (render(item) for item in _Explanation(analysis, found).diagnostics())
    return "\n\n".join([text, *explanations])


def _verdict(found: FieldIntent) -> str:
    name, irbw, written = found.name, found.irbw, found.may_write
    match found.intent:
        case Intent.IN:
            return f"'{name}' is in: its values on entry are seen on {irbw}, and nothing writes it."
        case Intent.INOUT:
            return f"'{name}' is inout: its values on entry are seen on {irbw}; it is written on {written}."
        case Intent.OUT if found.partial:
            kept = f"it keeps, or may keep, its values on {found.missing}"
            return f"'{name}' is out_partial: no value that it has on entry is seen; {kept}."
        case Intent.OUT:
            return f"'{name}' is out_full: all of it is written, and before anything reads it."
        case Intent.NONE:
            return f"'{name}' is neither read nor written."


class _Explanation:
    """What there is to say about the reads of one field."""

    def __init__(self, analysis: FieldAnalysis, found: FieldIntent) -> None:
        self.analysis = analysis
        self.found = found
        self.explored = analysis.explored
        self.printing = Printing(analysis)
        self.events = tuple(_positions(self.explored.history))

    def diagnostics(self) -> Iterator[Diagnostic]:
        seen = {id(item.read): item.points for item in self.explored.total.exposures}
        for item in self.events:
            if points := seen.get(id(item.event), NOTHING):
                yield self._diagnostic(item, points)

    def _diagnostic(self, read: _Found, points: Points) -> Diagnostic:
        text = self._text(read.event.access)
        region = self._region(Choice(lambda summary, universe: _exposed(summary, read.event)))
        return Diagnostic(
            message=f"The read '{text}' sees entry values on {region}.",
            code="read-before-written",
            span=read.event.access.span,
            label="read before it is written",
            notes=tuple(self._notes(read, points)),
        )

    def _notes(self, read: _Found, points: Points) -> Iterator[str]:
        """Why each store does not cover the read; those that never touch the points come last."""
        stores = [item for item in self.events if isinstance(item.event, Store)]
        touching = [item for item in stores if self._points(item) & points]
        for store in touching[:_MOST_NOTES]:
            yield f"{self._place(store)} {self._reason(read, store)}."
        if not stores:
            yield f"'{self.found.name}' is never written."
        elif not points & self.explored.universe.domain_columns:
            yield "They lie outside the domain, where no statement stores to an argument."
            return
        elif not touching:
            yield "No statement writes these points."
        for store in [item for item in stores if item not in touching][:_MOST_NOTES]:
            yield f"{self._place(store)} writes other points: {self._written(store)}."

    def _written(self, store: _Found) -> Region:
        return self._region(Choice(lambda summary, universe: self._points_in(store, universe)))

    def _reason(self, read: _Found, store: _Found) -> str:
        if store.event.statement is read.event.statement and store.event.offset.k == read.event.offset.k:
            return "writes them after it has read them"
        if not _is_before(store, read):
            return "writes them later"
        if store.guard is not None:
            return self._guarded(read, store.guard)
        return "may write them, and may not"

    def _guarded(self, read: _Found, guard: _Guard) -> str:
        text, holds = self._text(guard.branch.condition), "holds" if guard.holds else "does not hold"
        if guard.branch.uniform:
            return f"writes them only if '{text}' {holds}"
        if read.guard == guard:
            return f"writes them only where '{text}' {holds}, and that may differ at the point that is read"
        return f"writes them only where '{text}' {holds}"

    def _place(self, store: _Found) -> str:
        span = store.event.statement.span
        text = self._text(store.event.statement).partition("\n")[0].strip()
        return f"'{text}'" if span is None else f"'{text}' (line {span.line})"

    def _points(self, item: _Found) -> Points:
        return self._points_in(item, self.explored.universe)

    def _points_in(self, item: _Found, universe: Universe) -> Points:
        event = item.event
        return universe.whole(event.place) if event.whole else universe.box(event.place, event.offset)

    def _region(self, choice: Choice) -> Region:
        return Region(self.analysis.axes, self.printing.boxes(choice))

    def _text(self, node: Node) -> str:
        return to_text(node, declarations=self.analysis.names)


def _exposed(summary: Summary, read: Event) -> Points:
    points = NOTHING
    for item in summary.exposures:
        if item.read is read:
            points |= item.points
    return points


def _is_before(store: _Found, read: _Found) -> bool:
    """Whether *store* writes a point before *read* reads it, where both touch it."""
    if store.sweep != read.sweep:
        return store.sweep < read.sweep
    stored, seen = store.event.offset.k, read.event.offset.k
    if store.order is LoopOrder.FORWARD and stored != seen:
        return stored > seen
    if store.order is LoopOrder.BACKWARD and stored != seen:
        return stored < seen
    return store.number < read.number


def _positions(history: tuple[Sweep, ...]) -> Iterator[_Found]:
    for number, sweep in enumerate(history):
        for position, (event, guard) in enumerate(_flat(sweep.events, None)):
            yield _Found(event, number, position, sweep.order, guard)


def _flat(events: tuple[Event, ...], guard: _Guard | None) -> Iterator[tuple[Read | Store, _Guard | None]]:
    for event in events:
        if isinstance(event, Branch):
            yield from _flat(event.then, _Guard(event, True))
            yield from _flat(event.orelse, _Guard(event, False))
        else:
            yield event, guard

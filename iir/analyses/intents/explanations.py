"""Why a field has its intent: which reads see entry values, and why no store covers them."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from iir.analyses.intents.conditions import Names
from iir.analyses.intents.events import Branch, Event, Read, Store, Sweep
from iir.analyses.intents.field_analysis import Explored, FieldAnalysis
from iir.analyses.intents.field_intents import FieldIntent, field_intent, field_intent_for, fixed_region
from iir.analyses.intents.modes import Intent
from iir.analyses.intents.printing import Choice, Printing
from iir.analyses.intents.summaries import Summary
from iir.analyses.intents.universe import NOTHING, Points, Universe
from iir.analyses.intents.wrapping import wrapped
from iir.base import Node
from iir.diagnostics import Diagnostic, render
from iir.nodes import LoopOrder
from iir.printer import to_text
from iir.region import Region, Size

_MOST_NOTES: Final = 4
_WIDTH: Final = 100


@dataclass(frozen=True, slots=True)
class _Found:
    """An event with its place in the program: sweep, number in the sweep, and the conditions around it
    from the outside in, each with whether it holds there."""

    event: Read | Store
    sweep: int
    number: int
    order: LoopOrder
    guards: tuple["_Guard", ...]


@dataclass(frozen=True, slots=True)
class _Guard:
    branch: Branch
    holds: bool

    def is_same(self, other: "_Guard") -> bool:
        return self.branch is other.branch and self.holds == other.holds


@dataclass(frozen=True)
class Subject:
    """The field to explain: *found* on *explored*, whose sets *region_of* shows."""

    name: str
    is_temporary: bool
    found: FieldIntent
    explored: Explored
    region_of: Callable[[Choice], Region]
    names: Names


def subject(analysis: FieldAnalysis, is_temporary: bool) -> Subject:
    """The field over all permitted sizes and scalars."""
    printing = Printing(analysis)

    def region_of(choice: Choice) -> Region:
        boxes = printing.boxes(choice)
        return Region(analysis.axes, boxes, is_empty=not boxes)

    found, explored = field_intent(analysis), analysis.explored
    return Subject(analysis.name, is_temporary, found, explored, region_of, analysis.names)


def subject_for(
    analysis: FieldAnalysis, is_temporary: bool, domain: Size, scalars: Mapping[str, Any]
) -> Subject:
    """The field in one call."""
    explored = analysis.explored_at(domain, scalars)

    def region_of(choice: Choice) -> Region:
        points = choice.points(explored.total, explored.universe)
        return fixed_region(analysis.axes, explored.universe.points_of(points), domain)

    found = field_intent_for(analysis, domain, scalars)
    return Subject(analysis.name, is_temporary, found, explored, region_of, analysis.names)


def explain_field(item: Subject) -> str:
    """The intent in a sentence, then for each read that sees entry values which, and why."""
    found = item.found
    parts = [_verdict(found, item.is_temporary)]
    parts += [f"It is {intent} if {text}." for text, intent in found.remarkable_cases]
    text = "\n".join(line for part in parts for line in wrapped(part, _WIDTH, "  "))
    explanations = (render(each) for each in _Explanation(item).diagnostics())
    return "\n\n".join([text, *explanations])


def _verdict(found: FieldIntent, is_temporary: bool) -> str:
    name, irbw, written = found.name, found.irbw, found.may_write
    match found.intent:
        case Intent.IN:
            return f"'{name}' is in: its values on entry are seen on {irbw}, and nothing writes it."
        case Intent.INOUT:
            return f"'{name}' is inout: its values on entry are seen on {irbw}; it is written on {written}."
        case Intent.OUT if is_temporary:
            return f"'{name}' is out: all of it that is read is written before."
        case Intent.OUT if found.partial:
            kept = f"it keeps, or may keep, its values on {found.missing}"
            return f"'{name}' is out_partial: no value that it has on entry is seen; {kept}."
        case Intent.OUT:
            return f"'{name}' is out_full: all of it is written, and before anything reads it."
        case Intent.NONE:
            return f"'{name}' is neither read nor written."


class _Explanation:
    """What there is to say about the reads of one field."""

    def __init__(self, item: Subject) -> None:
        self.item = item
        self.explored = item.explored
        self.events = tuple(_positions(item.explored.history))
        self.is_written = any(isinstance(each.event, Store) for each in self.events)

    def diagnostics(self) -> Iterator[Diagnostic]:
        seen = {id(item.read): item.points for item in self.explored.total.exposures}
        for item in self.events:
            if points := seen.get(id(item.event), NOTHING):
                yield self._diagnostic(item, points)

    def _diagnostic(self, read: _Found, points: Points) -> Diagnostic:
        text = self._text(read.event.access)
        region = self.item.region_of(Choice(lambda summary, universe: _exposed(summary, read.event)))
        return Diagnostic(
            message=f"The read '{text}' sees entry values on {region}.",
            code="read-before-written",
            span=read.event.access.span,
            label="read before it is written" if self.is_written else "the value on entry",
            notes=tuple(self._notes(read, points)),
        )

    def _notes(self, read: _Found, points: Points) -> Iterator[str]:
        """Why each store does not cover the read; those that never touch the points come last."""
        stores = [item for item in self.events if isinstance(item.event, Store)]
        touching = [item for item in stores if self._points(item) & points]
        for store in touching[:_MOST_NOTES]:
            yield f"{self._place(store)} {self._reason(read, store)}."
        if not stores:
            yield f"'{self.item.name}' is never written."
        elif not points & self.explored.universe.domain_columns:
            yield "They lie outside the domain, where no statement stores to an argument."
            return
        elif not touching:
            yield "No statement writes these points."
        for store in [item for item in stores if item not in touching][:_MOST_NOTES]:
            yield f"{self._place(store)} writes {self._elsewhere(store)}."

    def _elsewhere(self, store: _Found) -> str:
        written = self.item.region_of(Choice(lambda _, universe: self._points_in(store, universe)))
        return f"other points: {written}" if written else "nothing"

    def _reason(self, read: _Found, store: _Found) -> str:
        if store.event.statement is read.event.statement and store.event.offset.k == read.event.offset.k:
            return "writes them after it has read them"
        if not _is_before(store, read):
            return "writes them later"
        return self._guarded(read, store.guards)

    def _guarded(self, read: _Found, guards: tuple[_Guard, ...]) -> str:
        """The conditions of the store that may fail where those of the read hold."""
        is_away = (read.event.offset.i, read.event.offset.j) != (0, 0)
        texts, may_differ = [], False
        for guard in guards:
            is_shared = any(guard.is_same(other) for other in read.guards)
            if not is_shared or (is_away and not guard.branch.uniform):
                texts.append(self._condition(guard))
                may_differ |= is_shared
        if not texts:
            return "may write them, and may not"
        reason = f"writes them only {' and '.join(texts)}"
        return f"{reason}, and that may differ at the point that is read" if may_differ else reason

    def _condition(self, guard: _Guard) -> str:
        word = "if" if guard.branch.uniform else "where"
        holds = "holds" if guard.holds else "does not hold"
        return f"{word} '{self._text(guard.branch.condition)}' {holds}"

    def _place(self, store: _Found) -> str:
        span = store.event.statement.span
        text = self._text(store.event.statement).partition("\n")[0].strip()
        return f"'{text}'" if span is None else f"'{text}' (line {span.line})"

    def _points(self, item: _Found) -> Points:
        return self._points_in(item, self.explored.universe)

    def _points_in(self, item: _Found, universe: Universe) -> Points:
        event = item.event
        return universe.whole(event.place) if event.whole else universe.box(event.place, event.offset)

    def _text(self, node: Node) -> str:
        return to_text(node, declarations=self.item.names)


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
        for position, (event, guards) in enumerate(_flat(sweep.events, ())):
            yield _Found(event, number, position, sweep.order, guards)


def _flat(
    events: tuple[Event, ...], guards: tuple[_Guard, ...]
) -> Iterator[tuple[Read | Store, tuple[_Guard, ...]]]:
    for event in events:
        if isinstance(event, Branch):
            yield from _flat(event.then, (*guards, _Guard(event, True)))
            yield from _flat(event.orelse, (*guards, _Guard(event, False)))
        else:
            yield event, guards

"""Which reads of temporaries may see a point that no statement has set."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, TypeAlias

from iir.analyses.accesses import Access, accesses, nested
from iir.analyses.call_site_effects import escapes
from iir.analyses.declarations import declarations
from iir.analyses.extents import extents
from iir.analyses.required_levels import required_levels
from iir.interval import FULL, Interval, shift_interval
from iir.nodes import LoopOrder, Stencil
from iir.statements import If, Stmt

if TYPE_CHECKING:
    # Most stencils need no look; they are spared the import.
    from iir.analyses.intents.events import Read
    from iir.analyses.intents.field_analysis import Explored, FieldAnalysis
    from iir.analyses.intents.universe import Points

Reason: TypeAlias = Literal["never-written-level", "loop-order", "maybe"]
ReadKey: TypeAlias = tuple[int, int]
"""The identities of a statement and of an access in it."""


@dataclass(frozen=True, slots=True)
class UnsetRead:
    """A read that may see an unset point.

    *certain*: whenever it reads anything on a large domain, it sees a point that no statement can
    have written before. *reason* then is ``loop-order`` if the same sweep writes such a point, only
    too late, else ``never-written-level``. With *whole* outside code may read the whole domain.
    """

    name: str
    access: Access
    statement: Stmt
    certain: bool
    reason: Reason
    whole: bool = False

    @property
    def levels(self) -> Interval:
        """Those that are read."""
        if self.whole:
            return FULL
        return shift_interval(self.access.do_method.interval, self.access.offset.k)


def unset_reads(ir: Stencil) -> tuple[UnsetRead, ...]:
    """The reads of temporaries that may see unset points, in program order.

    They are those that see values which the temporary has on entry, as the analysis of intents finds
    them: exact for every permitted size and for all values of the scalars, while conditions on
    fields count as free.
    """
    suspects = _suspects(ir)
    if not suspects:
        return ()
    found: dict[ReadKey, _Unset] = {}
    for analysis in _analyses(ir, suspects):
        found |= _unset_reads(analysis)
    return tuple(
        UnsetRead(access.name, access, access.statement, unset.reason != "maybe", unset.reason, unset.whole)
        for access in accesses(ir)
        if not access.is_store and (unset := found.get((id(access.statement), id(access.node))))
    )


@dataclass(frozen=True, slots=True)
class _Unset:
    reason: Reason = "maybe"
    whole: bool = False


def _suspects(ir: Stencil) -> tuple[str, ...]:
    """Temporaries with a read that no plain store in front of it, in its own do-method, covers, and
    those that outside code gets."""
    names = {item.name for item in ir.temporaries}
    conditional = _conditional_statements(ir)
    escaped = (item.operand.name for found in escapes(ir).values() for item in found)
    suspects: dict[str, None] = dict.fromkeys(name for name in escaped if name in names)
    covered: set[str] = set()
    here: object = None
    for access in accesses(ir):
        if access.do_method is not here:
            here, covered = access.do_method, set()
        if access.name not in names:
            continue
        if access.is_store:
            if id(access.statement) not in conditional:
                covered.add(access.name)
        elif access.offset.k != 0 or access.name not in covered:
            suspects[access.name] = None
    return tuple(suspects)


def _conditional_statements(ir: Stencil) -> frozenset[int]:
    return frozenset(
        id(inner)
        for multistage in ir.multistages
        for stage in multistage.stages
        for do_method in stage.do_methods
        for statement in do_method.body
        if isinstance(statement, If)
        for inner in nested((*statement.then, *statement.orelse))
    )


def _analyses(ir: Stencil, names: tuple[str, ...]) -> Iterator["FieldAnalysis"]:
    from iir.analyses.intents.events import histories
    from iir.analyses.intents.exploration import limits_of
    from iir.analyses.intents.field_analysis import FieldAnalysis

    found = histories(ir, ir, extents(ir).box)
    limits = limits_of(ir, required_levels(ir))
    declared = declarations(ir)
    axes = {item.name: item.axes for item in ir.temporaries}
    for name in names:
        yield FieldAnalysis(name, axes[name], found[name], limits, declared)


def _unset_reads(analysis: "FieldAnalysis") -> Mapping[ReadKey, _Unset]:
    seen = [item.read for item in analysis.explored.total.exposures]
    if not seen:
        return {}
    certain = _Certain(analysis)
    found: dict[ReadKey, _Unset] = {}
    for read in seen:
        key = (id(read.statement), id(read.access))
        known = found.get(key, _Unset())
        reason = "maybe" if read.whole else certain.reason(read)
        found[key] = _Unset(known.reason if reason == "maybe" else reason, known.whole or read.whole)
    return found


class _Certain:
    """Which reads of a temporary see, on large domains, a point that nothing can have set."""

    def __init__(self, analysis: "FieldAnalysis") -> None:
        from iir.analyses.intents.possible import all_stores, no_stores

        explored = analysis.explored
        plan = explored.plan
        large = replace(plan, settings=tuple(s for s in plan.settings if s.domain == plan.generic))
        self.is_vague = explored.history is not analysis.history
        self.possible = analysis.explore(large, all_stores(explored.history))
        self.happening = analysis.explore(large, no_stores(explored.history))

    def reason(self, read: "Read") -> Reason:
        unset = _seen_by(self.possible, read)
        happens = _seen_by(self.happening, read)
        universe = self.possible.universe
        pairs = [
            (universe.occupied(missing), universe.occupied(points))
            for missing, points in zip(unset, happens, strict=True)
        ]
        if not any(points.any() for _, points in pairs):
            return "maybe"
        if any((points & ~missing).any() for missing, points in pairs):
            return "maybe"
        if self.is_vague and unset != happens:  # then neither may be all that it seems
            return "maybe"
        return "loop-order" if self._is_set_later(read, unset) else "never-written-level"

    def _is_set_later(self, read: "Read", unset: list["Points"]) -> bool:
        """Whether the sweep of *read* writes some of the points that it reads *unset*."""
        from iir.analyses.intents.events import Store, reads_and_stores

        universe = self.possible.universe
        for sweep in self.possible.history:
            events = tuple(reads_and_stores(sweep.events))
            if sweep.order is not LoopOrder.PARALLEL and any(event is read for event in events):
                stored = (
                    universe.box(event.place, event.offset) for event in events if isinstance(event, Store)
                )
                return any(points & missing for points in stored for missing in unset)
        return False


def _seen_by(explored: "Explored", read: "Read") -> list["Points"]:
    """What *read* sees under each outcome of the conditions on scalars."""
    seen = []
    for summary in explored.summaries:
        points = 0
        for item in summary.exposures:
            if item.read is read:
                points |= item.points
        seen.append(points)
    return seen

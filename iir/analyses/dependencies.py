"""What may stand together: dependences between statements, and the groups that they allow.

All passes that move statements ask here. The unit is a top-level statement of a do-method; an `If`
is one unit with everything in it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum

from iir.analyses.accesses import nested, own_reads, own_stores
from iir.analyses.call_site_effects import call_site_effects
from iir.expressions import CENTER, Offset
from iir.interval import Interval
from iir.nodes import DoMethod, LoopOrder, MultiStage, ScalarDecl, Stage, Stencil
from iir.statements import Check, ExternalCall, If, Stmt


@dataclass(frozen=True, slots=True)
class Footprint:
    """What a unit touches: distinct reads and names it stores.

    *has_effects*: the world outside sees it run. *has_checks*: it must keep its loop order, because
    that decides which of several failures counts as the first.
    """

    reads: tuple[tuple[str, Offset], ...]
    stores: tuple[str, ...]
    has_effects: bool = False
    has_checks: bool = False


class DependenceKind(Enum):
    """FLOW: store then read. ANTI: read then store. OUTPUT: store then store. EFFECT: outside world."""

    FLOW = "flow"
    ANTI = "anti"
    OUTPUT = "output"
    EFFECT = "effect"


@dataclass(frozen=True, slots=True)
class Dependence:
    """The second unit must follow the first: *offset* is that of the read (zero without one)."""

    kind: DependenceKind
    name: str
    offset: Offset = CENTER


def footprint(statement: Stmt) -> Footprint:
    """The footprint of *statement* with all statements inside it."""
    return union(_own_footprint(item) for item in nested((statement,)))


def _own_footprint(statement: Stmt) -> Footprint:
    reads = tuple((access.name, access.offset) for access in own_reads(statement))
    stores = tuple(target.name for target in own_stores(statement))
    if isinstance(statement, ExternalCall):
        effects = call_site_effects(statement)
        injected = (access.name for access in effects.may_store)
        return Footprint(reads, (*stores, *injected), effects.is_effectful)
    return Footprint(reads, stores, has_checks=isinstance(statement, Check))


def union(footprints: Iterable[Footprint]) -> Footprint:
    """What several units touch together."""
    reads: dict[tuple[str, Offset], None] = {}
    stores: dict[str, None] = {}
    has_effects = has_checks = False
    for item in footprints:
        reads |= dict.fromkeys(item.reads)
        stores |= dict.fromkeys(item.stores)
        has_effects |= item.has_effects
        has_checks |= item.has_checks
    return Footprint(tuple(reads), tuple(stores), has_effects, has_checks)


@dataclass(slots=True)
class Summary:
    """What several units touch, indexed by name, so that one more unit is looked at in its own size."""

    reads: dict[str, dict[Offset, None]] = field(default_factory=dict)
    stores: set[str] = field(default_factory=set)
    has_effects: bool = False
    has_checks: bool = False

    def add(self, unit: Footprint) -> None:
        for name, offset in unit.reads:
            self.reads.setdefault(name, {})[offset] = None
        self.stores |= set(unit.stores)
        self.has_effects |= unit.has_effects
        self.has_checks |= unit.has_checks


def dependences(first: Summary, second: Footprint) -> Iterator[Dependence]:
    """Why *second* has to stay behind *first*; nothing where they may change places."""
    for name, offset in second.reads:
        if name in first.stores:
            yield Dependence(DependenceKind.FLOW, name, offset)
    for name in second.stores:
        for offset in first.reads.get(name, ()):
            yield Dependence(DependenceKind.ANTI, name, offset)
        if name in first.stores:
            yield Dependence(DependenceKind.OUTPUT, name)
    if first.has_effects and second.has_effects:
        yield Dependence(DependenceKind.EFFECT, "")


def is_kept_by_sweep(dependence: Dependence, order: LoopOrder) -> bool:
    """Whether a dependence between two multistages holds when both run in one sweep, level by level.

    A read of stored values must not look ahead of the sweep, a read of values to be replaced not
    behind it; at one level the first still runs before the second.
    """
    k = dependence.offset.k if order is LoopOrder.FORWARD else -dependence.offset.k
    match dependence.kind:
        case DependenceKind.FLOW:
            return k <= 0
        case DependenceKind.ANTI:
            return k >= 0
        case DependenceKind.OUTPUT:
            return True
        case DependenceKind.EFFECT:
            return False


def is_horizontal(offset: Offset) -> bool:
    return (offset.i, offset.j) != (0, 0)


def self_reads(unit: Footprint) -> tuple[Offset, ...]:
    """The offsets, centre included, at which *unit* reads what it stores."""
    stores = set(unit.stores)
    return tuple(offset for name, offset in unit.reads if name in stores)


def is_single(statement: Stmt) -> bool:
    """Whether *statement* is one store, or one under a condition, as flattening leaves it."""
    match statement:
        case If(_, (inner,), ()):
            return not isinstance(inner, If)
        case If():
            return False
        case _:
            return True


def is_self_dependent(offset: Offset, order: LoopOrder) -> bool:
    """Whether a unit that reads what it stores at *offset* cannot run point by point in place.

    In a sweep other levels are either final or untouched, which is what the unit must see.
    """
    return offset != CENTER if order is LoopOrder.PARALLEL else is_horizontal(offset)


def sweep_in_place(statement: Stmt) -> LoopOrder | None:
    """The sweep in which a parallel *statement* that reads other levels of what it stores needs no copy.

    It must be one store, guarded at most, that reads no neighbouring columns; all its reads must look
    ahead, at levels that the sweep has not stored yet.
    """
    unit = footprint(statement)
    if unit.has_effects or unit.has_checks or not is_single(statement):
        return None
    offsets = self_reads(unit)
    levels = {offset.k for offset in offsets} - {0}
    if not levels or any(is_horizontal(offset) for offset in offsets):
        return None
    if min(levels) > 0:
        return LoopOrder.FORWARD
    return LoopOrder.BACKWARD if max(levels) < 0 else None


@dataclass(slots=True)
class StageRule:
    """Units of one stage: nothing stored in it is read at a horizontal offset in it."""

    stored: set[str] = field(default_factory=set)
    read_sideways: set[str] = field(default_factory=set)

    def admits(self, unit: Footprint) -> bool:
        """Whether *unit*, which itself keeps the rule, keeps it together with the others."""
        sideways = {name for name, offset in unit.reads if is_horizontal(offset)}
        return self.stored.isdisjoint(sideways) and self.read_sideways.isdisjoint(unit.stores)

    def add(self, unit: Footprint) -> None:
        self.stored |= set(unit.stores)
        self.read_sideways |= {name for name, offset in unit.reads if is_horizontal(offset)}


@dataclass(slots=True)
class LevelRule:
    """Units of one parallel multistage: its levels are independent of each other.

    Nothing stored in it is read at a vertical offset in it, and a stored field without K belongs
    to one interval alone.
    """

    planes: frozenset[str]
    stored: set[str] = field(default_factory=set)
    read_vertically: set[str] = field(default_factory=set)
    plane_intervals: dict[str, set[Interval]] = field(default_factory=dict)

    def admits(self, unit: Footprint, interval: Interval) -> bool:
        """Whether *unit*, which itself keeps the rule, keeps it together with the others."""
        vertical = {name for name, offset in unit.reads if offset.k != 0}
        if not self.stored.isdisjoint(vertical) or not self.read_vertically.isdisjoint(unit.stores):
            return False
        return all(
            self.plane_intervals.get(name, {interval}) == {interval}
            for name in self._planes_of(unit)
            if name in self.stored or name in unit.stores
        )

    def add(self, unit: Footprint, interval: Interval) -> None:
        self.stored |= set(unit.stores)
        self.read_vertically |= {name for name, offset in unit.reads if offset.k != 0}
        for name in self._planes_of(unit):
            self.plane_intervals.setdefault(name, set()).add(interval)

    def _planes_of(self, unit: Footprint) -> Iterator[str]:
        touched = dict.fromkeys((*(name for name, _ in unit.reads), *unit.stores))
        return (name for name in touched if name in self.planes)


def planes_of(ir: Stencil) -> frozenset[str]:
    """The fields and temporaries without K."""
    fields = [item for item in (*ir.parameters, *ir.temporaries) if not isinstance(item, ScalarDecl)]
    return frozenset(item.name for item in fields if "K" not in item.axes.value)


@dataclass(frozen=True, slots=True)
class Unit:
    """A top-level statement with its footprint and its place."""

    statement: Stmt
    footprint: Footprint
    do_method: DoMethod
    stage: Stage


def units(multistage: MultiStage) -> tuple[Unit, ...]:
    """The units of *multistage* in program order."""
    return tuple(
        Unit(statement, footprint(statement), do_method, stage)
        for stage in multistage.stages
        for do_method in stage.do_methods
        for statement in do_method.body
    )


def is_level_independent(items: Iterable[Unit], planes: frozenset[str]) -> bool:
    """Whether *items* may share a parallel multistage."""
    rule = LevelRule(planes)
    for unit in items:
        has_levels = any(offset.k != 0 for offset in self_reads(unit.footprint))
        if has_levels or not rule.admits(unit.footprint, unit.do_method.interval):
            return False
        rule.add(unit.footprint, unit.do_method.interval)
    return True


def is_column_independent(whole: Footprint) -> bool:
    """Whether no column of what *whole* touches depends on another: it may run column by column."""
    return not any(is_horizontal(offset) for offset in self_reads(whole))

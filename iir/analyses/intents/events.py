"""What happens to one field, in program order: reads, stores and the conditions around them."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias, assert_never

from iir.analyses.accesses import field_reads, own_stores
from iir.analyses.call_site_effects import Escape, call_site_effects, escapes
from iir.base import Node
from iir.expressions import CENTER, Expr, FieldAccess, Offset
from iir.extent import Extent
from iir.interval import Interval
from iir.nodes import DoMethod, LoopOrder, MultiStage, Stage, Stencil
from iir.statements import Assign, Check, ExternalCall, If, Stmt


@dataclass(frozen=True, slots=True)
class Place:
    """The levels and columns on which a statement runs."""

    interval: Interval
    box: Extent


@dataclass(frozen=True, slots=True)
class Read:
    """The statement's points, displaced by *offset*, are read; with *whole* the domain, wherever there
    is a point in *place*: then *statement* is the call through which the field has escaped."""

    place: Place
    offset: Offset
    access: FieldAccess
    statement: Stmt
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Store:
    """The statement's points, displaced by *offset*, are stored; certainly unless *may* is set, and
    with *whole* (which implies *may*) as for a `Read`."""

    place: Place
    offset: Offset
    access: FieldAccess
    statement: Stmt
    may: bool = False
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Branch:
    """*then* where *condition* holds, afterwards *orelse* elsewhere.

    One condition for all points if it is *uniform* (reads scalars only), else one for each point.
    """

    condition: Expr
    uniform: bool
    then: tuple["Event", ...]
    orelse: tuple["Event", ...]


Event: TypeAlias = Read | Store | Branch


@dataclass(frozen=True, slots=True)
class Sweep:
    """What one multistage does to a field; the events of a level are in program order."""

    order: LoopOrder
    events: tuple[Event, ...]
    multistage: MultiStage


History: TypeAlias = tuple[Sweep, ...]
BoxOf: TypeAlias = Callable[[Stmt], Extent]


@dataclass(frozen=True, slots=True)
class _Facts:
    """What is known of statements: their boxes, and by ``id`` of a call how fields have escaped."""

    box_of: BoxOf
    escapes: Mapping[int, tuple[Escape, ...]]


def histories(ir: Stencil, node: Node, box_of: BoxOf) -> Mapping[str, History]:
    """For each field and temporary that *node* (*ir* or a node in it) accesses, its events there."""
    result: dict[str, list[Sweep]] = {}
    facts = _Facts(box_of, escapes(ir))
    for multistage, do_methods in _selected(ir, node):
        for name, events in _events(do_methods, facts).items():
            result.setdefault(name, []).append(Sweep(multistage.order, tuple(events), multistage))
    return {name: tuple(sweeps) for name, sweeps in result.items()}


def reads_and_stores(events: Iterable[Event]) -> Iterator[Read | Store]:
    """*events*, those in branches included."""
    for event in events:
        if isinstance(event, Branch):
            yield from reads_and_stores((*event.then, *event.orelse))
        else:
            yield event


def accesses_of(events: Iterable[Event]) -> Iterator[tuple[Place, Offset]]:
    """Where *events* read and store, those in branches included."""
    return ((event.place, event.offset) for event in reads_and_stores(events))


def places(events: Iterable[Event]) -> Iterator[Place]:
    """Where the statements of *events* run."""
    return (place for place, _ in accesses_of(events))


def nodes_of(ir: Stencil) -> Iterator[Stencil | MultiStage | Stage | DoMethod]:
    """The nodes of which intents can be asked, in program order."""
    yield ir
    for multistage in ir.multistages:
        yield multistage
        for stage in multistage.stages:
            yield stage
            yield from stage.do_methods


def _selected(ir: Stencil, node: Node) -> Iterator[tuple[MultiStage, list[DoMethod]]]:
    for multistage in ir.multistages:
        is_inside = node is ir or node is multistage
        chosen = [
            do_method
            for stage in multistage.stages
            for do_method in stage.do_methods
            if is_inside or node is stage or node is do_method
        ]
        if chosen:
            yield multistage, chosen


_ByField: TypeAlias = dict[str, list[Event]]


def _events(do_methods: Iterable[DoMethod], facts: _Facts) -> _ByField:
    result: _ByField = {}
    for do_method in do_methods:
        _add_body(result, do_method.body, do_method.interval, facts)
    return result


def _add_body(result: _ByField, body: Iterable[Stmt], interval: Interval, facts: _Facts) -> None:
    for statement in body:
        place = Place(interval, facts.box_of(statement))
        match statement:
            case Assign(_, value):
                _add_reads(result, (value,), place, statement)
                _add_stores(result, place, statement)
            case Check(condition, _, _, values, guards):
                guarded = (guard.value for guard in guards)
                _add_reads(result, (condition, *values, *guarded), place, statement)
                _add_stores(result, place, statement)
            case ExternalCall():
                _add_call(result, statement, place, facts.escapes[id(statement)])
            case If():
                _add_branch(result, statement, place, facts)
            case _:
                assert_never(statement)


def _add_reads(result: _ByField, exprs: Iterable[Expr], place: Place, statement: Stmt) -> None:
    for expr in exprs:
        for access in field_reads(expr):
            event = Read(place, access.offset, access, statement)
            result.setdefault(access.name, []).append(event)


def _add_stores(result: _ByField, place: Place, statement: Stmt) -> None:
    for target in own_stores(statement):
        event = Store(place, target.offset, target, statement)
        result.setdefault(target.name, []).append(event)


def _add_call(result: _ByField, call: ExternalCall, place: Place, escaped: Iterable[Escape]) -> None:
    """What *call* reads and stores at its points, and of *escaped* fields as a whole."""
    effects = call_site_effects(call)
    for access in effects.reads:
        result.setdefault(access.name, []).append(Read(place, access.offset, access, call))
    for item in escaped if effects.sees else ():
        read = Read(place, CENTER, item.operand, item.call, whole=True)
        result.setdefault(item.operand.name, []).append(read)
    for access in effects.may_store:
        result.setdefault(access.name, []).append(Store(place, access.offset, access, call, may=True))
    for item in escaped if effects.changes else ():
        store = Store(place, CENTER, item.operand, item.call, may=True, whole=True)
        result.setdefault(item.operand.name, []).append(store)
    _add_stores(result, place, call)


def _add_branch(result: _ByField, statement: If, place: Place, facts: _Facts) -> None:
    _add_reads(result, (statement.condition,), place, statement)
    then: _ByField = {}
    orelse: _ByField = {}
    _add_body(then, statement.then, place.interval, facts)
    _add_body(orelse, statement.orelse, place.interval, facts)
    uniform = next(field_reads(statement.condition), None) is None
    for name in dict.fromkeys((*then, *orelse)):
        branch = Branch(statement.condition, uniform, tuple(then.get(name, ())), tuple(orelse.get(name, ())))
        result.setdefault(name, []).append(branch)

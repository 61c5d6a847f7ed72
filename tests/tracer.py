"""Which entry values a program sees, by brute force: point by point, for every outcome of every mask.

It follows the meaning of the language and shares nothing with the analysis of intents but the boxes
of statements. A condition on fields may hold or not at each point, whatever else holds: a point's
outcomes are tried one after the other, and its stores and reads noted with the time at which they
happen.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Final, TypeAlias, assert_never

from iir.base import Node
from iir.dtypes import DType
from iir.expressions import (
    Binary,
    Cast,
    Constant,
    Expr,
    FieldAccess,
    Offset,
    Operator,
    ScalarRef,
    Unary,
    UnaryOperator,
)
from iir.extent import Extent
from iir.interval import Anchor, Bound, Interval
from iir.nodes import Axes, DoMethod, FieldDecl, LoopOrder, ScalarDecl, Stencil, TemporaryDecl
from iir.statements import Assign, Check, ExternalCall, If, Stmt
from iir.traversal import walk
from tests.scalar_rules import Value, binary, cast, unary

Point: TypeAlias = tuple[int, int, int]
Target: TypeAlias = tuple[str, Point]
Time: TypeAlias = int
BoxOf: TypeAlias = Callable[[Stmt], Extent]

NEVER: Final[Time] = 1 << 60
MOST_CONDITIONS: Final = 9
"""A point with more conditions than this has too many outcomes to try."""


class TooManyOutcomesError(Exception):
    """The program is too large for brute force."""


@dataclass(slots=True)
class Traced:
    """Points of a field: read before written, read and written in some outcome; written in all."""

    irbw: set[Point] = field(default_factory=set)
    reads: set[Point] = field(default_factory=set)
    may_write: set[Point] = field(default_factory=set)
    must_write: set[Point] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class _Step:
    """One statement (or the evaluation of one condition) on its levels, at one time."""

    time: Time
    reads: tuple[tuple[str, Offset], ...]
    stores: tuple[tuple[str, Offset], ...]
    box: Extent
    levels: range
    guards: tuple[tuple[int, bool], ...]
    decides: int | None = None


def trace(
    ir: Stencil,
    box_of: BoxOf,
    domain: Point,
    scalars: Mapping[str, Value],
    node: Node | None = None,
) -> Mapping[str, Traced]:
    """What *node* does to each field and temporary on *domain*; the whole of *ir* by default."""
    axes = {
        item.name: item.axes
        for item in (*ir.parameters, *ir.temporaries)
        if isinstance(item, FieldDecl | TemporaryDecl)
    }
    steps = list(_Unroll(ir, box_of, domain, scalars, node or ir).steps())
    columns = _columns_of(steps, domain)
    return _judge(columns, _histories(steps), axes)


class _Unroll:
    """The steps of a program in the order in which they run; conditions on scalars are decided."""

    def __init__(
        self, ir: Stencil, box_of: BoxOf, domain: Point, scalars: Mapping[str, Value], node: Node
    ) -> None:
        self.ir = ir
        self.box_of = box_of
        self.levels = domain[2]
        self.scalars = scalars
        self.node = node
        self.dtypes = {item.name: item.dtype for item in ir.parameters if isinstance(item, ScalarDecl)}
        self.time: Time = 0
        self.conditions = 0

    def steps(self) -> Iterator[_Step]:
        for multistage in self.ir.multistages:
            is_inside = self.node is self.ir or self.node is multistage
            chosen = [
                (do_method, self.range_of(do_method.interval))
                for stage in multistage.stages
                for do_method in stage.do_methods
                if is_inside or self.node is stage or self.node is do_method
            ]
            if multistage.order is LoopOrder.PARALLEL:
                for do_method, levels in chosen:
                    yield from self.body(do_method.body, levels, ())
            else:
                yield from self.sweep(chosen, multistage.order is LoopOrder.FORWARD)

    def sweep(self, chosen: list[tuple[DoMethod, range]], upwards: bool) -> Iterator[_Step]:
        visited = sorted({k for _, levels in chosen for k in levels}, reverse=not upwards)
        for k in visited:
            for do_method, levels in chosen:
                if k in levels:
                    yield from self.body(do_method.body, range(k, k + 1), ())

    def body(
        self, statements: Iterable[Stmt], levels: range, guards: tuple[tuple[int, bool], ...]
    ) -> Iterator[_Step]:
        for statement in statements:
            match statement:
                case Assign(target, value):
                    yield self.step(statement, (value,), (target,), levels, guards)
                case Check(condition, _, _, values, guarded):
                    results = (guard.value for guard in guarded)
                    targets = tuple(guard.target for guard in guarded)
                    yield self.step(statement, (condition, *values, *results), targets, levels, guards)
                case ExternalCall(targets, _, arguments):
                    yield self.step(statement, arguments, targets, levels, guards)
                case If():
                    yield from self.branches(statement, levels, guards)
                case _:
                    assert_never(statement)

    def branches(self, statement: If, levels: range, guards: tuple[tuple[int, bool], ...]) -> Iterator[_Step]:
        holds = self.decided(statement.condition)
        if any(isinstance(node, FieldAccess) for node in walk(statement.condition)):
            self.conditions += 1
            step = self.step(statement, (statement.condition,), (), levels, guards)
            decides = self.conditions if holds is None else None
            yield _Step(step.time, step.reads, (), step.box, levels, guards, decides)
        if holds is not None:
            yield from self.body(statement.then if holds else statement.orelse, levels, guards)
            return
        number = self.conditions
        yield from self.body(statement.then, levels, (*guards, (number, True)))
        yield from self.body(statement.orelse, levels, (*guards, (number, False)))

    def decided(self, condition: Expr) -> bool | None:
        """Whether *condition* holds, as far as its scalars alone decide that."""
        if not any(isinstance(node, FieldAccess) for node in walk(condition)):
            return bool(self.value(condition)[1])
        match condition:
            case Unary(UnaryOperator.NOT, operand):
                holds = self.decided(operand)
                return None if holds is None else not holds
            case Binary(Operator.AND | Operator.OR as operator, left, right):
                deciding = operator is Operator.OR
                sides = (self.decided(left), self.decided(right))
                if deciding in sides:
                    return deciding
                return None if None in sides else not deciding
            case _:
                return None

    def step(
        self,
        statement: Stmt,
        values: tuple[Expr, ...],
        targets: tuple[FieldAccess, ...],
        levels: range,
        guards: tuple[tuple[int, bool], ...],
    ) -> _Step:
        self.time += 1
        reads = tuple(
            (node.name, node.offset)
            for value in values
            for node in walk(value)
            if isinstance(node, FieldAccess)
        )
        stores = tuple((target.name, target.offset) for target in targets)
        return _Step(self.time, reads, stores, self.box_of(statement), levels, guards)

    def range_of(self, interval: Interval) -> range:
        return range(self.level(interval.start), self.level(interval.end))

    def level(self, bound: Bound) -> int:
        match bound.anchor:
            case Anchor.START:
                return bound.offset
            case Anchor.END:
                return self.levels + bound.offset
            case name:
                return int(self.scalars[name]) + bound.offset

    def value(self, expr: Expr) -> tuple[DType, Value]:
        """The dtype and value of an expression of scalars, of the kinds that random conditions have."""
        match expr:
            case Constant(value, dtype):
                return dtype, value
            case ScalarRef(name):
                return self.dtypes[name], self.scalars[name]
            case Unary(operator, operand):
                dtype, value = self.value(operand)
                return dtype, unary(operator, dtype, value)
            case Binary(binary_operator, left, right):
                dtype, value = self.value(left)
                result = binary(binary_operator, dtype, value, self.value(right)[1])
                return (DType.BOOL if isinstance(result, bool) else dtype), result
            case Cast(dtype, operand):
                source, value = self.value(operand)
                return dtype, cast(dtype, source, value)
            case _:
                raise TooManyOutcomesError


@dataclass(slots=True)
class _History:
    """What a point does, over all outcomes of its conditions.

    *latest* is for each target (by offset) the latest time of its first store, `NEVER` if an
    outcome has none; *reads* holds all reads, *unstored* those that some outcome of the point does
    not precede by a store of its own. An offset is cut to the axes of its field by whoever looks.
    """

    reads: set[tuple[Time, str, Offset]]
    outcomes: list[tuple[list[tuple[Time, str, Offset]], list[tuple[Time, str, Offset]]]]


def _histories(steps: list[_Step]) -> Callable[[tuple[int, ...]], _History]:
    """What a point does on which the numbered steps run; points with the same steps do the same."""
    known: dict[tuple[int, ...], _History] = {}

    def history(numbers: tuple[int, ...]) -> _History:
        if numbers not in known:
            known[numbers] = _history([steps[number] for number in numbers])
        return known[numbers]

    return history


def _history(steps: list[_Step]) -> _History:
    conditions = [step.decides for step in steps if step.decides is not None]
    if len(conditions) > MOST_CONDITIONS:
        raise TooManyOutcomesError
    result = _History(set(), [])
    for values in product((False, True), repeat=len(conditions)):
        holds = dict(zip(conditions, values, strict=True))
        active = [step for step in steps if all(holds.get(n) == value for n, value in step.guards)]
        reads = [(step.time, *read) for step in active for read in step.reads]
        stores = [(step.time, *store) for step in active for store in step.stores]
        result.reads.update(reads)
        result.outcomes.append((reads, stores))
    return result


def _columns_of(steps: list[_Step], domain: Point) -> Mapping[Point, tuple[int, ...]]:
    """For each point the numbers of the steps that run there."""
    result: defaultdict[Point, list[int]] = defaultdict(list)
    for number, step in enumerate(steps):
        (i0, i1), (j0, j1) = step.box.i, step.box.j
        for point in product(range(i0, domain[0] + i1), range(j0, domain[1] + j1), step.levels):
            result[point].append(number)
    return {point: tuple(numbers) for point, numbers in result.items()}


def _judge(
    columns: Mapping[Point, tuple[int, ...]],
    history: Callable[[tuple[int, ...]], _History],
    axes: Mapping[str, Axes],
) -> Mapping[str, Traced]:
    result = {name: Traced() for name in axes}
    latest: defaultdict[Target, dict[Point, Time]] = defaultdict(dict)
    for point, numbers in columns.items():
        for target, time in _latest_first_stores(history(numbers), point, axes).items():
            latest[target][point] = time
    for (name, place), by_point in latest.items():
        result[name].may_write.add(place)
        if any(time != NEVER for time in by_point.values()):
            result[name].must_write.add(place)
    for point, numbers in columns.items():
        told = history(numbers)
        result_reads = ((name, _at(axes[name], point, offset)) for _, name, offset in told.reads)
        for name, place in result_reads:
            result[name].reads.add(place)
        for time, name, place in _not_stored_by_itself(told, point, axes):
            others = (first for other, first in latest[name, place].items() if other != point)
            if all(first >= time for first in others):
                result[name].irbw.add(place)
    return result


def _latest_first_stores(told: _History, point: Point, axes: Mapping[str, Axes]) -> dict[Target, Time]:
    """For each target of *point* the latest that it may be stored for the first time."""
    firsts: list[dict[Target, Time]] = []
    for _, stores in told.outcomes:
        first: dict[Target, Time] = {}
        for time, name, offset in stores:
            first.setdefault((name, _at(axes[name], point, offset)), time)
        firsts.append(first)
    targets = {target for first in firsts for target in first}
    return {target: max(first.get(target, NEVER) for first in firsts) for target in targets}


def _not_stored_by_itself(
    told: _History, point: Point, axes: Mapping[str, Axes]
) -> set[tuple[Time, str, Point]]:
    """The reads that in some outcome of *point* it has not itself stored before."""
    result: set[tuple[Time, str, Point]] = set()
    for reads, stores in told.outcomes:
        own = [(time, name, _at(axes[name], point, offset)) for time, name, offset in stores]
        for time, name, offset in reads:
            place = _at(axes[name], point, offset)
            if not any(before < time and (name, place) == (n, p) for before, n, p in own):
                result.add((time, name, place))
    return result


def _at(axes: Axes, point: Point, offset: Offset) -> Point:
    i, j, k = (
        position + moved if axis in axes.value else 0
        for axis, position, moved in zip("IJK", point, offset, strict=True)
    )
    return i, j, k

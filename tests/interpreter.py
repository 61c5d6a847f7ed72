"""A second definition of the language: point by point, in plain Python.

It shares no code with the back ends, passes or analyses. Horizontal planes have no edge here: a
statement that stores a temporary runs on exactly those points whose values somebody reads later,
found by going backwards through the unrolled program. So there are no extents that could be wrong.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import reduce
from importlib import import_module
from typing import Any, Final, TypeAlias, assert_never

import numpy as np
import numpy.typing as npt

from iir.dtypes import DType
from iir.expressions import Binary, Call, Cast, Constant, Expr, FieldAccess, ScalarRef, Select, Unary
from iir.interval import Anchor, Bound, Interval
from iir.nodes import Axes, DoMethod, FieldDecl, LoopOrder, ScalarDecl, Stencil
from iir.statements import Assign, Check, ExternalCall, If, Stmt
from iir.traversal import walk
from tests.scalar_rules import Value, binary, cast, fit, native, unary

Array: TypeAlias = npt.NDArray[Any]
Point: TypeAlias = tuple[int, int, int]
Name: TypeAlias = str | int
Cell: TypeAlias = tuple[Name, Point]
Typed: TypeAlias = tuple[DType, Value]

_COMPARISON_VALUES: Final = frozenset({"<", "<=", ">", ">=", "==", "!=", "and", "or"})
_PREDICATE_VALUES: Final = frozenset({"isnan", "isinf", "isfinite"})


@dataclass(frozen=True, slots=True)
class Failure:
    """The first failed check: its place in the canonical order, its point and its values."""

    key: tuple[int, int, int, int, int]
    index: Point
    values: tuple[Value, ...]


def interpret(
    ir: Stencil,
    domain: tuple[int, int, int],
    arrays: Mapping[str, Array],
    origins: Mapping[str, tuple[int, ...]],
    scalars: Mapping[str, Value],
) -> Failure | None:
    """Run *ir* on *arrays*, in place. An origin is the index of the domain's first point in an array."""
    if 0 in domain:
        return None
    memory = _Memory(ir, arrays, origins, scalars)
    steps = list(_unroll(ir, domain, memory))
    _find_points(steps, domain, memory)
    failures = [failure for step in steps for failure in _run(step, domain, memory)]
    return min(failures, key=lambda failure: failure.key, default=None)


@dataclass(slots=True)
class _Step:
    """One statement on its levels, or one evaluation of a condition; *points* is where it runs.

    *guards* are the conditions around it, with the value that each must have.
    """

    targets: tuple[Name, ...]
    values: tuple[Expr, ...]
    levels: range
    guards: tuple[tuple[int, bool], ...]
    order: LoopOrder
    statement: Stmt
    points: list[Point] = field(default_factory=list)


class _Memory:
    """All values by name and point. Conditions are kept under numbers, like temporaries."""

    def __init__(
        self,
        ir: Stencil,
        arrays: Mapping[str, Array],
        origins: Mapping[str, tuple[int, ...]],
        scalars: Mapping[str, Value],
    ) -> None:
        fields = [item for item in ir.parameters if isinstance(item, FieldDecl)]
        self.dtypes: dict[Name, DType] = {item.name: item.dtype for item in ir.parameters}
        self.dtypes |= {item.name: item.dtype for item in ir.temporaries}
        self.axes: dict[Name, Axes] = {item.name: item.axes for item in fields}
        self.axes |= {item.name: item.axes for item in ir.temporaries}
        self.arrays = {item.name: arrays[item.name] for item in fields}
        self.origins = origins
        self.scalars = {
            item.name: np.array(scalars[item.name]).item()
            for item in ir.parameters
            if isinstance(item, ScalarDecl)
        }
        self.cells: dict[Cell, Value] = {}
        self.conditions = 0

    def new_condition(self) -> int:
        self.conditions += 1
        self.dtypes[self.conditions] = DType.BOOL
        self.axes[self.conditions] = Axes.IJK
        return self.conditions

    def cell(self, name: Name, point: Point) -> Cell:
        """Where *name* keeps its value for *point*: axes that it does not have are zero."""
        axes = self.axes[name].value
        i, j, k = point
        return name, (i if "I" in axes else 0, j if "J" in axes else 0, k if "K" in axes else 0)

    def read(self, name: Name, point: Point) -> Value:
        if isinstance(name, str) and name in self.arrays:
            value: Value = self.arrays[name][self._index(name, point)].item()
            return value
        return self.cells.get(self.cell(name, point), fit(self.dtypes[name], 0))

    def write(self, name: Name, point: Point, value: Value) -> None:
        if isinstance(name, str) and name in self.arrays:
            self.arrays[name][self._index(name, point)] = value
        else:
            self.cells[self.cell(name, point)] = value

    def _index(self, name: str, point: Point) -> tuple[int, ...]:
        own = [position for axis, position in zip("IJK", point, strict=True) if axis in self.axes[name].value]
        index = tuple(position + first for position, first in zip(own, self.origins[name], strict=True))
        inside = all(0 <= n < length for n, length in zip(index, self.arrays[name].shape, strict=True))
        assert inside, f"'{name}' is accessed outside its array at {point}"
        return index


def _unroll(ir: Stencil, domain: tuple[int, int, int], memory: _Memory) -> Iterator[_Step]:
    """The steps of the whole program, in the order in which they run."""
    for multistage in ir.multistages:
        do_methods = [do_method for stage in multistage.stages for do_method in stage.do_methods]
        ranges = [(item, _levels(item.interval, domain[2], memory.scalars)) for item in do_methods]
        if multistage.order is LoopOrder.PARALLEL:
            for do_method, levels in ranges:
                yield from _unroll_body(do_method, levels, multistage.order, memory)
            continue
        visited = sorted({k for _, levels in ranges for k in levels})
        for k in visited if multistage.order is LoopOrder.FORWARD else reversed(visited):
            for do_method, levels in ranges:
                if k in levels:
                    yield from _unroll_body(do_method, range(k, k + 1), multistage.order, memory)


def _levels(interval: Interval, nk: int, scalars: Mapping[str, Value]) -> range:
    def level(bound: Bound) -> int:
        base = {Anchor.START: 0, Anchor.END: nk}
        anchor = bound.anchor
        return (base[anchor] if isinstance(anchor, Anchor) else int(scalars[anchor])) + bound.offset

    return range(level(interval.start), level(interval.end))


def _unroll_body(do_method: DoMethod, levels: range, order: LoopOrder, memory: _Memory) -> Iterator[_Step]:
    for statement in do_method.body:
        yield from _unroll_statement(statement, levels, order, memory, ())


def _unroll_statement(
    statement: Stmt, levels: range, order: LoopOrder, memory: _Memory, guards: tuple[tuple[int, bool], ...]
) -> Iterator[_Step]:
    def step(targets: tuple[Name, ...], values: tuple[Expr, ...]) -> _Step:
        return _Step(targets, values, levels, guards, order, statement)

    match statement:
        case Assign(target, value):
            yield step((target.name,), (value,))
        case If(condition, then, orelse):
            number = memory.new_condition()
            yield step((number,), (condition,))
            for part, holds in ((then, True), (orelse, False)):
                for item in part:
                    yield from _unroll_statement(item, levels, order, memory, (*guards, (number, holds)))
        case Check(condition, _, _, values, guarded):
            targets = tuple(guard.target.name for guard in guarded)
            yield step(targets, (*(guard.value for guard in guarded), condition, *values))
        case ExternalCall(targets, _, arguments):
            yield step(tuple(target.name for target in targets), arguments)
        case _:
            assert_never(statement)


def _find_points(steps: list[_Step], domain: tuple[int, int, int], memory: _Memory) -> None:
    """Give every step the points on which it runs, going backwards from the arguments."""
    wanted: defaultdict[Name, set[Point]] = defaultdict(set)
    for step in reversed(steps):
        points = _own_points(step, domain, memory) | _wanted_points(step, wanted, memory)
        step.points = sorted(points)
        if not step.guards:
            for target in step.targets:
                wanted[target] -= {memory.cell(target, point)[1] for point in points}
        accesses = [node for value in step.values for node in walk(value) if isinstance(node, FieldAccess)]
        for point in points:
            for name, cell in _reads(step, accesses, point, memory):
                wanted[name].add(cell)


def _own_points(step: _Step, domain: tuple[int, int, int], memory: _Memory) -> set[Point]:
    if isinstance(step.statement, Check) or any(target in memory.arrays for target in step.targets):
        return {(i, j, k) for i in range(domain[0]) for j in range(domain[1]) for k in step.levels}
    return set()


def _wanted_points(step: _Step, wanted: Mapping[Name, set[Point]], memory: _Memory) -> set[Point]:
    points: set[Point] = set()
    for target in step.targets:
        for i, j, k in wanted.get(target, ()):
            levels = range(k, k + 1) if "K" in memory.axes[target].value else step.levels
            points |= {(i, j, level) for level in levels if level in step.levels}
    return points


def _reads(step: _Step, accesses: list[FieldAccess], point: Point, memory: _Memory) -> Iterator[Cell]:
    """The temporaries and conditions that *step* reads at *point*."""
    for access in accesses:
        if access.name not in memory.arrays:
            yield memory.cell(access.name, _displaced(point, access))
    for number, _ in step.guards:
        yield memory.cell(number, point)


def _displaced(point: Point, access: FieldAccess) -> Point:
    i, j, k = point
    return i + access.offset.i, j + access.offset.j, k + access.offset.k


def _run(step: _Step, domain: tuple[int, int, int], memory: _Memory) -> list[Failure]:
    """Evaluate everywhere, then store."""
    stores: list[tuple[Name, Point, Value]] = []
    failures: list[Failure] = []
    for point in step.points:
        if any(memory.read(number, point) is not holds for number, holds in step.guards):
            continue
        values = [_evaluate(value, point, memory) for value in step.values]
        results = _results(step, values, memory)
        for target, result in zip(step.targets, results, strict=True):
            if target not in memory.arrays or _is_inside(point, domain):
                stores.append((target, point, result))
        if isinstance(step.statement, Check) and _is_inside(point, domain):
            failures += _failures(step.statement, step.order, point, [v for _, v in values])
    for store in stores:
        memory.write(*store)
    return failures


def _results(step: _Step, values: list[Typed], memory: _Memory) -> tuple[Value, ...]:
    """What a step stores in each of its targets at one point."""
    if not isinstance(step.statement, ExternalCall):
        return tuple(value for _, value in values[: len(step.targets)])
    module, name = step.statement.function.split(":")
    home: Any = import_module(module)
    function = reduce(getattr, name.split("."), home)
    results = function(*(value for _, value in values))
    results = results if len(step.targets) > 1 else (results,)
    return tuple(fit(memory.dtypes[t], result) for t, result in zip(step.targets, results, strict=True))


def _failures(check: Check, order: LoopOrder, point: Point, values: list[Value]) -> list[Failure]:
    holds, *shown = values[len(check.guards) :]
    if holds:
        return []
    computation, statement = check.key
    i, j, k = point
    if order is LoopOrder.PARALLEL:
        return [Failure((computation, statement, k, j, i), point, tuple(shown))]
    level = k if order is LoopOrder.FORWARD else -k
    return [Failure((computation, level, statement, j, i), point, tuple(shown))]


def _is_inside(point: Point, domain: tuple[int, int, int]) -> bool:
    return 0 <= point[0] < domain[0] and 0 <= point[1] < domain[1]


def _evaluate(expr: Expr, point: Point, memory: _Memory) -> Typed:
    match expr:
        case Constant(value, dtype):
            return dtype, value
        case ScalarRef(name):
            return memory.dtypes[name], memory.scalars[name]
        case FieldAccess(name):
            return memory.dtypes[name], memory.read(name, _displaced(point, expr))
        case Unary(operator, operand):
            dtype, value = _evaluate(operand, point, memory)
            return dtype, unary(operator, dtype, value)
        case Binary(binary_operator, left, right):
            dtype, value = _evaluate(left, point, memory)
            is_comparison = binary_operator.value in _COMPARISON_VALUES
            result = binary(binary_operator, dtype, value, _evaluate(right, point, memory)[1])
            return (DType.BOOL if is_comparison else dtype), result
        case Select(condition, if_true, if_false):
            holds = _evaluate(condition, point, memory)[1]
            return _evaluate(if_true if holds else if_false, point, memory)
        case Call(function, arguments):
            values = [_evaluate(argument, point, memory) for argument in arguments]
            dtype = values[0][0]
            result = native(function, dtype, tuple(value for _, value in values))
            return (DType.BOOL if function.value in _PREDICATE_VALUES else dtype), result
        case Cast(dtype, operand):
            source, value = _evaluate(operand, point, memory)
            return dtype, cast(dtype, source, value)
        case _:
            assert_never(expr)

"""Random stencils, as the front end would emit them: typed, one stage a computation."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from typing import Final

from iir.analyses.extents import extents
from iir.analyses.unset_reads import unset_reads
from iir.diagnostics import StencilError
from iir.dtypes import DType, is_integer
from iir.expressions import Binary, Constant, Expr, FieldAccess, Offset, Operator
from iir.interval import FULL, Anchor, Bound, Interval
from iir.nodes import (
    Axes,
    DoMethod,
    FieldDecl,
    LoopOrder,
    MultiStage,
    Parameter,
    ScalarDecl,
    Stage,
    Stencil,
    TemporaryDecl,
)
from iir.statements import Assign, Check, CheckKind, ExternalCall, Guard, If, Stmt
from iir.traversal import walk
from tests.random_expressions import Names, random_expression

NAMES: Final = tuple(
    "u v w phi lap flux out mask area dt alpha i j k ni nj nk np I J K domain origin range float32 view "
    "self math stage temporary start end parallel f64 call data idx t0 _ φ True_ lambda_ __x".split()
)
"""Names of parameters and temporaries: ordinary ones, and ones that generated code might trip over."""

_NUMBERS: Final = (
    DType.FLOAT64,
    DType.FLOAT32,
    DType.INT64,
    DType.INT32,
    DType.INT16,
    DType.INT8,
)
_NUMBER_WEIGHTS: Final = (8, 5, 2, 2, 1, 1)


@dataclass(frozen=True, slots=True)
class Features:
    """What random stencils may hold besides the ordinary."""

    checks: bool = False
    external_calls: bool = False
    runtime_bounds: bool = True
    max_extent: int = 5


@dataclass(slots=True)
class Rejections:
    """How many candidates were not stencils that the front end accepts, by reason."""

    unbounded: int = 0
    wide: int = 0
    unset: int = 0


def random_stencil(random: Random, features: Features, rejections: Rejections | None = None) -> Stencil:
    """A stencil that the front end could have made: bounded extents, no read of surely unset points."""
    counts = rejections or Rejections()
    while True:
        ir = _Stencils(random, features).stencil()
        try:
            boxes = extents(ir)
        except StencilError as error:
            assert error.kind == "unbounded-extent"
            counts.unbounded += 1
            continue
        sides = [abs(side) for box in boxes.boxes.values() for side in (*box.i, *box.j)]
        if max(sides, default=0) > features.max_extent:
            counts.wide += 1
        elif any(read.certain for read in unset_reads(ir)):
            counts.unset += 1
        else:
            return ir


class _Stencils:
    """Makes one stencil."""

    def __init__(self, random: Random, features: Features) -> None:
        self.random = random
        self.features = features
        self.names = iter(random.sample(NAMES, len(NAMES)))
        self.dtypes = self._dtypes()
        self.fields = list(self._fields())
        self.scalars = [self._scalar() for _ in range(random.randrange(3))]
        self.bounds = [ScalarDecl(next(self.names), random.choice((DType.INT64, DType.INT32)))]
        self.bounds *= features.runtime_bounds and random.random() < 0.25
        self.temporaries = [self._temporary() for _ in range(random.choice((0, 1, 2, 2, 3, 3, 4, 4)))]
        self.horizontal = random.choice((0.0, 0.2, 0.3, 0.3, 0.4, 0.4))
        self.stored: dict[str, None] = {}
        self.computation = 0
        self.statements = 0
        self.order = LoopOrder.PARALLEL
        self.interval = FULL

    def stencil(self) -> Stencil:
        multistages = [self._multistage() for _ in range(self.random.choice((1, 2, 2, 3, 3, 4)))]
        if self.random.random() < 0.15:
            multistages.append(self._recurrence())
        used = {node.name for item in multistages for node in walk(item) if isinstance(node, FieldAccess)}
        parameters: list[Parameter] = [*self.fields, *self.scalars, *self.bounds]
        self.random.shuffle(parameters)
        temporaries = tuple(item for item in self.temporaries if item.name in used)
        return Stencil("random", tuple(parameters), temporaries, tuple(multistages))

    def _dtypes(self) -> list[DType]:
        count = self.random.choice((1, 2, 2, 3))
        numbers = dict.fromkeys(self.random.choices(_NUMBERS, _NUMBER_WEIGHTS, k=count))
        return [*numbers, *([DType.BOOL] if self.random.random() < 0.35 else [])]

    def _dtype(self) -> DType:
        """Often the same, so that names meet in expressions without casts."""
        return self.dtypes[0] if self.random.random() < 0.4 else self.random.choice(self.dtypes)

    def _fields(self) -> Iterator[FieldDecl]:
        """The first is written for sure, so it has all axes."""
        yield FieldDecl(next(self.names), self.dtypes[0])
        for _ in range(self.random.randrange(1, 5)):
            axes = self.random.choices(tuple(Axes), (1, 1, 1, 2, 1, 1, 9))[0]
            yield FieldDecl(next(self.names), self._dtype(), axes)

    def _scalar(self) -> ScalarDecl:
        return ScalarDecl(next(self.names), self._dtype())

    def _temporary(self) -> TemporaryDecl:
        axes = Axes.IJ if self.random.random() < 0.2 else Axes.IJK
        return TemporaryDecl(next(self.names), self._dtype(), axes)

    def _multistage(self) -> MultiStage:
        self.order = self.random.choice(tuple(LoopOrder))
        self.statements = 0
        blocks = self.random.choice((1, 1, 2, 3))
        left = self.random.choice((1, 2, 3, 4, 5, 6, 8))
        do_methods = []
        for block in range(blocks):
            self.interval = self._interval(is_only=blocks == 1)
            count = max(1, left // (blocks - block))
            left -= count
            do_methods.append(DoMethod(self.interval, tuple(self._body(count))))
        self.computation += 1
        if not self._has_argument_store(do_methods):
            do_methods.append(DoMethod(FULL, (self._assign(self.fields[0]),)))
        return MultiStage(self.order, (Stage(tuple(do_methods)),))

    def _recurrence(self) -> MultiStage:
        """A sweep that sets all of an argument, each level from the one before."""
        target = FieldAccess(self.fields[0].name)
        is_upward = self.random.random() < 0.5
        first = Bound(Anchor.START) if is_upward else Bound(Anchor.END, -1)
        rest = (
            Interval(replace(first, offset=1), FULL.end)
            if is_upward
            else Interval(FULL.start, replace(first))
        )
        before = replace(target, offset=Offset(0, 0, -1 if is_upward else 1))
        inputs = [item for item in self.fields[1:] if item.dtype is self.fields[0].dtype]
        added = FieldAccess(self.random.choice(inputs).name) if inputs else replace(before)
        begin = Assign(target, Constant(1 if is_integer(self.fields[0].dtype) else 1.0, self.fields[0].dtype))
        step = Assign(
            replace(target), Binary(self.random.choice((Operator.ADD, Operator.MUL)), before, added)
        )
        level = Interval(first, replace(first, offset=first.offset + 1))
        do_methods = DoMethod(level, (begin,)), DoMethod(rest, (step,))
        order = LoopOrder.FORWARD if is_upward else LoopOrder.BACKWARD
        return MultiStage(order, (Stage(do_methods),))

    def _has_argument_store(self, do_methods: Sequence[DoMethod]) -> bool:
        if self.computation < 2 and self.random.random() < 0.5:
            return True
        arguments = {item.name for item in self.fields}
        statements = [node for item in do_methods for node in walk(item) if isinstance(node, Assign)]
        return any(item.target.name in arguments for item in statements)

    def _interval(self, is_only: bool) -> Interval:
        """Half of them all levels; the others anywhere, so that several overlap or leave gaps."""
        if self.random.random() < (0.7 if is_only else 0.3):
            return FULL
        start = self.random.choice((0, 0, 1, 1, 2))
        length = self.random.choice((1, 1, 2))
        low, high = Bound(Anchor.START, start), Bound(Anchor.END, -start)
        choices = [
            Interval(low, Bound(Anchor.END, -self.random.choice((0, 0, 1, 2)))),
            Interval(low, Bound(Anchor.START, start + length)),
            Interval(Bound(Anchor.END, -start - length), high),
        ]
        for bound in self.bounds:
            middle = Bound(bound.name, self.random.choice((0, 0, 1, -1)))
            choices += [Interval(low, middle), Interval(middle, high)] * 2
            choices += [Interval(middle, replace(middle, offset=middle.offset + length))]
        return self.random.choice(choices)

    def _body(self, count: int, depth: int = 0) -> Iterator[Stmt]:
        while count > 0:
            chance = self.random.random()
            if chance < 0.2 and depth < 3:
                size = min(count, self.random.choice((1, 1, 2, 3)))
                yield self._if(size, depth)
                count -= size
            elif chance < 0.27 and self.features.checks:
                yield self._check()
                count -= 1
            elif chance < 0.34 and self.features.external_calls:
                yield self._external_call()
                count -= 1
            else:
                yield self._assign(self.random.choice(self._writable()))
                count -= 1

    def _if(self, size: int, depth: int) -> Stmt:
        condition = self._expression(DType.BOOL, 2)
        then = tuple(self._body(size, depth + 1))
        has_else = self.random.random() < 0.5
        orelse = tuple(self._body(self.random.choice((1, 2)), depth + 1)) if has_else else ()
        return If(condition, then, orelse)

    def _assign(self, target: FieldDecl | TemporaryDecl) -> Stmt:
        value = self._expression(target.dtype, self.random.choice((1, 2, 2, 3)))
        return Assign(self._store(target), value)

    def _store(self, target: FieldDecl | TemporaryDecl) -> FieldAccess:
        self.stored[target.name] = None
        return FieldAccess(target.name)

    def _check(self) -> Stmt:
        self.statements += 1
        condition = self._expression(DType.BOOL, 2)
        dtypes = [self._number() for _ in range(self.random.randrange(4))]
        values = tuple(self._expression(dtype, 1) for dtype in dtypes)
        text = " ".join(
            ["100%%", *("%g" if dtype in (DType.FLOAT32, DType.FLOAT64) else "%d" for dtype in dtypes)]
        )
        targets = [item for item in self._writable() if isinstance(item, TemporaryDecl)]
        guards: tuple[Guard, ...] = ()
        if targets and self.random.random() < 0.5:
            target = self.random.choice(targets)
            value = self._expression(target.dtype, 1)
            guards = (Guard(self._store(target), value),)
        key = self.computation, self.statements
        return Check(condition, CheckKind.USER, text, values, guards, key)

    def _number(self) -> DType:
        return self.random.choice([dtype for dtype in self.dtypes if dtype is not DType.BOOL])

    def _external_call(self) -> Stmt:
        targets = [item for item in self._writable() if item.dtype is DType.FLOAT64]
        if not targets:
            return self._assign(self.random.choice(self._writable()))
        count = min(len(targets), self.random.choice((1, 2)))
        name = "mix" if count == 1 else "split"
        arguments = tuple(self._expression(DType.FLOAT64, 2) for _ in range(2))
        stores = tuple(self._store(item) for item in self.random.choices(targets, k=count))
        return ExternalCall(stores, f"tests.external_functions:{name}", arguments)

    def _writable(self) -> list[FieldDecl | TemporaryDecl]:
        """Fields that a statement on the current interval may store."""
        is_plane = self.order is not LoopOrder.PARALLEL or _is_one_level(self.interval)
        axes = (Axes.IJK, Axes.IJ) if is_plane else (Axes.IJK,)
        arguments = [item for item in self.fields[:3] if item.axes in axes]
        return [*arguments, *(item for item in self.temporaries for _ in range(2) if item.axes in axes)]

    def _expression(self, dtype: DType, depth: int) -> Expr:
        scalars: dict[DType, list[str]] = {}
        for scalar in (*self.scalars, *self.bounds):
            scalars.setdefault(scalar.dtype, []).append(scalar.name)
        accesses: dict[DType, list[partial[FieldAccess]]] = {}
        for item in self._readable():
            accesses.setdefault(item.dtype, []).append(partial(self._access, item))
        return random_expression(self.random, Names(scalars, accesses, self.dtypes), dtype, depth)

    def _readable(self) -> list[FieldDecl | TemporaryDecl]:
        """Arguments, and temporaries that the text has stored; rarely, in a sweep, any temporary."""
        is_sweep = self.order is not LoopOrder.PARALLEL
        early = is_sweep and self.random.random() < 0.05
        known = [item for item in self.temporaries if early or item.name in self.stored]
        return [*self.fields, *known, *known, *known]

    def _access(self, item: FieldDecl | TemporaryDecl) -> FieldAccess:
        i, j = self._horizontal(), self._horizontal()
        k = self._vertical(isinstance(item, TemporaryDecl))
        if isinstance(item, TemporaryDecl) and self.order is not LoopOrder.PARALLEL and k != 0:
            i = j = 0 if self.random.random() < 0.9 else 1
        names = item.axes.value
        offset = Offset(i if "I" in names else 0, j if "J" in names else 0, k if "K" in names else 0)
        return FieldAccess(item.name, offset)

    def _horizontal(self) -> int:
        if self.random.random() >= self.horizontal:
            return 0
        return self.random.choice((-1, -1, 1, 1, 2, -2))

    def _vertical(self, is_temporary: bool) -> int:
        """Of a temporary only levels that its stores have a chance to reach."""
        if self.random.random() < 0.7:
            return 0
        k = self.random.choice((-1, -1, 1, 1, 2, -2))
        return k if not is_temporary or _leaves_room(self.interval, k) else 0


def _leaves_room(interval: Interval, k: int) -> bool:
    start, end = interval.start, interval.end
    below = start.offset if start.anchor is Anchor.START else 2
    above = -end.offset if end.anchor is Anchor.END else 2
    return -below <= k <= above


def _is_one_level(interval: Interval) -> bool:
    start, end = interval.start, interval.end
    return isinstance(start.anchor, Anchor) and start.anchor is end.anchor and end.offset - start.offset == 1

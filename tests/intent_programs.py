"""Random programs in which a few fields are read and written in each other's way."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Final

from iir.analyses.extents import extents
from iir.diagnostics import StencilError
from iir.dtypes import DType
from iir.expressions import (
    CENTER,
    Binary,
    Constant,
    Expr,
    FieldAccess,
    Offset,
    Operator,
    ScalarRef,
    Unary,
    UnaryOperator,
)
from iir.interval import Anchor, Bound, Interval
from iir.nodes import (
    Axes,
    DoMethod,
    FieldDecl,
    LoopOrder,
    MultiStage,
    ScalarDecl,
    Stage,
    Stencil,
    TemporaryDecl,
)
from iir.statements import Assign, If, Stmt

FIELDS: Final = (
    FieldDecl("a", DType.FLOAT64),
    FieldDecl("b", DType.FLOAT64),
    FieldDecl("m", DType.FLOAT64),
    FieldDecl("z", DType.FLOAT64, Axes.IJ),
    FieldDecl("w", DType.FLOAT64, Axes.K),
)
SCALARS: Final = (
    ScalarDecl("c", DType.BOOL),
    ScalarDecl("d", DType.BOOL),
    ScalarDecl("p", DType.INT64),
    ScalarDecl("x", DType.INT64),
    ScalarDecl("y", DType.INT64),
    ScalarDecl("v", DType.INT64),
    ScalarDecl("q", DType.FLOAT64),
    ScalarDecl("r", DType.FLOAT64),
)
TEMPORARIES: Final = (TemporaryDecl("t", DType.FLOAT64), TemporaryDecl("s", DType.FLOAT64, Axes.IJ))
_WIDEST: Final = 3
_START: Final = Bound(Anchor.START)
_END: Final = Bound(Anchor.END)


@dataclass(frozen=True, slots=True)
class Kinds:
    """What random programs may hold; *bounds* are scalars that may bound intervals.

    With *numbers* conditions compare floating-point scalars, with constants and each other.
    """

    masks: bool = True
    conditions: bool = True
    bounds: tuple[str, ...] = ("x",)
    stores_at_offsets: bool = False
    numbers: bool = False


def intent_program(random: Random, kinds: Kinds) -> Stencil:
    """A program with bounded extents."""
    while True:
        ir = _Programs(random, kinds).program()
        try:
            boxes = extents(ir).boxes.values()
        except StencilError:
            continue
        if all(abs(side) <= _WIDEST for box in boxes for side in (*box.i, *box.j)):
            return ir


class _Programs:
    """Makes one program."""

    def __init__(self, random: Random, kinds: Kinds) -> None:
        self.random = random
        self.kinds = kinds
        self.order = LoopOrder.PARALLEL
        self.interval = Interval(_START, _END)
        self.targets = random.sample(("a", "a", "a", "b", "t", "z", "s"), 3)
        self.horizontal = random.choice((0.0, 0.3, 0.5))
        self.vertical = random.choice((0.0, 0.3, 0.6))

    def program(self) -> Stencil:
        multistages = tuple(self.multistage() for _ in range(self.random.choice((1, 1, 2))))
        return Stencil("random", (*FIELDS, *SCALARS), TEMPORARIES, multistages)

    def multistage(self) -> MultiStage:
        self.order = self.random.choice(tuple(LoopOrder))
        stages = tuple(self.stage() for _ in range(self.random.choice((1, 1, 2))))
        return MultiStage(self.order, stages)

    def stage(self) -> Stage:
        return Stage(tuple(self.do_method() for _ in range(self.random.choice((1, 1, 2)))))

    def do_method(self) -> DoMethod:
        self.interval = self.random_interval()
        return DoMethod(self.interval, tuple(self.body(self.random.choice((1, 1, 2)), depth=0)))

    def random_interval(self) -> Interval:
        offset = self.random.choice((0, 0, 0, 1, 2))
        start, end = Bound(Anchor.START, offset), Bound(Anchor.END, -self.random.choice((0, 0, 0, 1, 2)))
        choices = [
            (start, end),
            (start, end),
            (start, Bound(Anchor.START, offset + self.random.choice((1, 2)))),
            (Bound(Anchor.END, end.offset - self.random.choice((1, 2))), end),
        ]
        if self.kinds.bounds and self.random.random() < 0.2 * len(self.kinds.bounds):
            bound, other = (
                Bound(self.random.choice(self.kinds.bounds), self.random.choice((0, 0, 1, -1)))
                for _ in range(2)
            )
            choices = [(start, bound), (bound, end), (bound, other)]
        return Interval(*self.random.choice(choices))

    def body(self, count: int, depth: int) -> Iterator[Stmt]:
        for _ in range(count):
            kind = self.random.random()
            if depth < 2 and kind < 0.3 and self.kinds.masks:
                yield self.branch(self.mask(), depth)
            elif depth < 2 and kind < 0.45 and self.kinds.conditions:
                yield self.branch(self.condition(), depth)
            else:
                yield self.assign()

    def branch(self, condition: Expr, depth: int) -> If:
        then = tuple(self.body(self.random.choice((1, 1, 2)), depth + 1))
        orelse = tuple(self.body(self.random.choice((0, 0, 1, 2)), depth + 1))
        return If(condition, then, orelse)

    def assign(self) -> Assign:
        choices = [name for name in self.targets if self.order is not LoopOrder.PARALLEL or name not in "zs"]
        target = self.random.choice(choices or ["a"])
        value: Expr = self.read()
        for _ in range(self.random.choice((0, 0, 1, 2))):
            value = Binary(Operator.ADD, value, self.read())
        return Assign(FieldAccess(target, self.store_offset(target)), value)

    def store_offset(self, target: str) -> Offset:
        """No surface syntax stores at another level yet; the analysis knows what it would mean."""
        is_allowed = self.kinds.stores_at_offsets and self.order is not LoopOrder.PARALLEL and target in "ab"
        return Offset(0, 0, self.shift(0.4)) if is_allowed else CENTER

    def read(self) -> Expr:
        name = self.random.choice((*self.targets, *self.targets, "a", "b", "m", "w"))
        return FieldAccess(name, self.offset(name))

    def offset(self, name: str) -> Offset:
        axes = next(item.axes for item in (*FIELDS, *TEMPORARIES) if item.name == name)
        i = self.shift(self.horizontal) if "I" in axes.value else 0
        j = self.shift(self.horizontal / 2) if "J" in axes.value else 0
        k = self.shift(self.vertical) if "K" in axes.value else 0
        return Offset(i, j, k)

    def shift(self, chance: float) -> int:
        return self.random.choice((-2, -1, -1, 1, 1, 2)) if self.random.random() < chance else 0

    def mask(self) -> Expr:
        name = self.random.choice(("m", "m", "a"))
        access = FieldAccess(name, self.offset(name) if self.random.random() < 0.3 else CENTER)
        mask = Binary(Operator.GT, access, Constant(0.0, DType.FLOAT64))
        if not self.kinds.conditions or self.random.random() < 0.6:
            return mask
        operator = self.random.choice((Operator.AND, Operator.OR))
        return Binary(operator, *self.random.choice(((mask, self.condition()), (self.condition(), mask))))

    def condition(self) -> Expr:
        left, right = self.atom(), self.atom()
        return self.random.choice(
            (
                left,
                left,
                Unary(UnaryOperator.NOT, left),
                Binary(Operator.AND, left, right),
                Binary(Operator.OR, left, Unary(UnaryOperator.NOT, right)),
            )
        )

    def atom(self) -> Expr:
        if self.kinds.numbers:
            return self.comparison_of_numbers()
        if self.random.random() < 0.6:
            return ScalarRef(self.random.choice("cd"))
        operator = self.random.choice((Operator.LT, Operator.LE, Operator.GT, Operator.EQ, Operator.NE))
        constant = Constant(self.random.choice((0, 1, 2)), DType.INT64)
        return Binary(operator, ScalarRef(self.random.choice("pppx")), constant)

    def comparison_of_numbers(self) -> Expr:
        operators = (Operator.LT, Operator.LE, Operator.GT, Operator.GE, Operator.EQ, Operator.NE)
        constants = (Constant(value, DType.FLOAT64) for value in (0.0, 1.0, -0.5))
        others: tuple[Expr, ...] = (*constants, ScalarRef("q"))
        right = self.random.choice(others)
        return Binary(self.random.choice(operators), ScalarRef("r"), right)

"""Random typed expressions over the names that a statement may read."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final, TypeAlias

from iir.dtypes import FLOATS, DType, is_float, is_integer, numpy_dtype
from iir.expressions import (
    ANY_NUMBER,
    COMPARISONS,
    LOGICAL,
    PREDICATES,
    TWO_ARGUMENTS,
    Binary,
    Call,
    Cast,
    Constant,
    Expr,
    FieldAccess,
    NativeFunction,
    Operator,
    ScalarRef,
    Select,
    Unary,
    UnaryOperator,
)

Access: TypeAlias = Callable[[], FieldAccess]

FLOAT_FUNCTIONS: Final = tuple(f for f in NativeFunction if f not in PREDICATES)
INTEGER_FUNCTIONS: Final = tuple(f for f in FLOAT_FUNCTIONS if f in ANY_NUMBER)
ARITHMETIC: Final = (Operator.ADD, Operator.SUB, Operator.MUL)

_FLOAT_CONSTANTS: Final = (0.0, -0.0, 0.5, -0.25, 1.0, 2.0, -3.0, 1.5)
_RARE_FLOATS: Final = (float("inf"), float("-inf"), float("nan"), 2.0**-149, 2.0**127, 0.1)
_INTEGER_CONSTANTS: Final = (0, 1, -1, 2, 3, -4, 7)


@dataclass(frozen=True, slots=True)
class Names:
    """What may be read: for each dtype, scalars and ways to make an access; and the dtypes in use."""

    scalars: Mapping[DType, Sequence[str]]
    accesses: Mapping[DType, Sequence[Access]]
    dtypes: Sequence[DType]


def random_expression(random: Random, names: Names, dtype: DType, depth: int) -> Expr:
    """An expression of *dtype* with at most *depth* levels of operations."""
    return _Expressions(random, names).expression(dtype, depth)


def random_constant(random: Random, dtype: DType) -> Constant:
    if dtype is DType.BOOL:
        return Constant(random.random() < 0.5, dtype)
    if is_integer(dtype):
        limits = _limits(dtype)
        rare = random.random() < 0.05
        return Constant(random.choice(limits if rare else _INTEGER_CONSTANTS), dtype)
    value = random.choice(_RARE_FLOATS if random.random() < 0.04 else _FLOAT_CONSTANTS)
    return Constant(float(numpy_dtype(dtype).type(value)), dtype)


def _limits(dtype: DType) -> tuple[int, int]:
    bits = 8 * numpy_dtype(dtype).itemsize
    return -(1 << (bits - 1)), (1 << (bits - 1)) - 1


@dataclass(frozen=True, slots=True)
class _Expressions:
    random: Random
    names: Names

    def expression(self, dtype: DType, depth: int) -> Expr:
        if depth <= 0 or self.random.random() < 0.2:
            return self.leaf(dtype)
        if dtype is DType.BOOL:
            make = self.pick((self.comparison, 6), (self.logical, 3), (self.predicate, 1), (self.select, 0.5))
            return make(dtype, depth - 1)
        functions = 1.5 if is_float(dtype) else 1.0
        make = self.pick(
            (self.arithmetic, 6),
            (self.call, functions),
            (self.select, 1),
            (self.cast, 1),
            (self.negation, 0.7),
        )
        return make(dtype, depth - 1)

    def pick(self, *choices: tuple[Callable[[DType, int], Expr], float]) -> Callable[[DType, int], Expr]:
        makers, weights = zip(*choices, strict=True)
        maker: Callable[[DType, int], Expr] = self.random.choices(makers, weights)[0]
        return maker

    def leaf(self, dtype: DType) -> Expr:
        chance = self.random.random()
        accesses, scalars = self.names.accesses.get(dtype), self.names.scalars.get(dtype)
        if accesses and chance < 0.75:
            return self.random.choice(accesses)()
        if scalars and chance < 0.85:
            return ScalarRef(self.random.choice(scalars))
        others = [
            other for other in self.names.dtypes if other is not dtype and self.names.accesses.get(other)
        ]
        if others and not accesses and chance < 0.75:
            return Cast(dtype, self.random.choice(self.names.accesses[self.random.choice(others)])())
        return random_constant(self.random, dtype)

    def arithmetic(self, dtype: DType, depth: int) -> Expr:
        rare = (Operator.FLOORDIV, Operator.MOD, Operator.POW)
        chance = self.random.random()
        operators = rare if chance < 0.12 else (*ARITHMETIC, Operator.DIV) if is_float(dtype) else ARITHMETIC
        operator = self.random.choice(operators)
        return Binary(operator, self.expression(dtype, depth), self.expression(dtype, depth))

    def negation(self, dtype: DType, depth: int) -> Expr:
        return Unary(UnaryOperator.NEG, self.expression(dtype, depth))

    def call(self, dtype: DType, depth: int) -> Expr:
        function = self.random.choice(FLOAT_FUNCTIONS if is_float(dtype) else INTEGER_FUNCTIONS)
        count = 2 if function in TWO_ARGUMENTS else 1
        return Call(function, tuple(self.expression(dtype, depth) for _ in range(count)))

    def select(self, dtype: DType, depth: int) -> Expr:
        condition = self.expression(DType.BOOL, min(depth, 1))
        return Select(condition, self.expression(dtype, depth), self.expression(dtype, depth))

    def cast(self, dtype: DType, depth: int) -> Expr:
        return Cast(dtype, self.expression(self.random.choice(self.names.dtypes), depth))

    def comparison(self, _: DType, depth: int) -> Expr:
        dtype = self.random.choice(self.names.dtypes)
        equality = [Operator.EQ, Operator.NE]
        operators = equality if dtype is DType.BOOL else sorted(COMPARISONS, key=lambda item: item.name)
        operator = self.random.choice(operators)
        return Binary(operator, self.expression(dtype, depth), self.expression(dtype, depth))

    def logical(self, dtype: DType, depth: int) -> Expr:
        if self.random.random() < 0.3:
            return Unary(UnaryOperator.NOT, self.expression(dtype, depth))
        operator = self.random.choice(sorted(LOGICAL, key=lambda item: item.name))
        return Binary(operator, self.expression(dtype, depth), self.expression(dtype, depth))

    def predicate(self, dtype: DType, depth: int) -> Expr:
        floats = [item for item in self.names.dtypes if item in FLOATS]
        if not floats:
            return self.comparison(dtype, depth)
        function = self.random.choice(sorted(PREDICATES, key=lambda item: item.name))
        return Call(function, (self.expression(self.random.choice(floats), depth),))

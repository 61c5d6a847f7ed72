"""Short constructors for trees built by hand, in tests and tools.

An operand may be given as a tree, as the name of a field (read at offset zero), or as a number (a
bool, an i64 or an f64): ``assign("out", mul(0.5, add("u", at("u", i=1))))``.
"""

import re
from functools import reduce
from typing import Final, TypeAlias

from iir.dtypes import DType
from iir.expressions import (
    Binary,
    Call,
    Cast,
    Constant,
    Expr,
    FieldAccess,
    NativeFunction,
    Offset,
    Operator,
    ScalarRef,
    Select,
    Unary,
    UnaryOperator,
)
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
from iir.statements import Assign, If, Stmt

Operand: TypeAlias = Expr | str | bool | int | float

_ANCHORS: Final = {anchor.value: anchor for anchor in Anchor}
_BOUND: Final = re.compile(r"([^\W\d]\w*)([+-][0-9]+)?")


def field(name: str, dtype: str = "f64", axes: str = "IJK") -> FieldDecl:
    """A field argument."""
    return FieldDecl(name, DType(dtype), Axes(axes))


def scalar(name: str, dtype: str = "f64") -> ScalarDecl:
    """A scalar argument."""
    return ScalarDecl(name, DType(dtype))


def temporary(name: str, dtype: str = "f64", axes: str = "IJK", *, on_heap: bool = False) -> TemporaryDecl:
    """A field inside the stencil."""
    return TemporaryDecl(name, DType(dtype), Axes(axes), on_heap=on_heap)


def at(name: str, i: int = 0, j: int = 0, k: int = 0) -> FieldAccess:
    """The field *name* at an offset."""
    return FieldAccess(name, Offset(i, j, k))


def value_of(name: str) -> ScalarRef:
    """The scalar *name*."""
    return ScalarRef(name)


def constant(value: bool | int | float, dtype: str | None = None) -> Constant:
    """A number; without *dtype* a bool, an i64 or an f64."""
    if dtype is None:
        dtype = {bool: "bool", int: "i64", float: "f64"}[type(value)]
    return Constant(value, DType(dtype))


def expression(operand: Operand) -> Expr:
    """The tree that an operand stands for."""
    match operand:
        case str():
            return at(operand)
        case bool() | int() | float():
            return constant(operand)
        case _:
            return operand


def binary(operator: str, left: Operand, right: Operand) -> Binary:
    """Any binary operator by its text."""
    return Binary(Operator(operator), expression(left), expression(right))


def add(first: Operand, *others: Operand) -> Expr:
    """A sum, added from the left."""
    return reduce(lambda left, right: binary("+", left, right), others, expression(first))


def sub(left: Operand, right: Operand) -> Binary:
    return binary("-", left, right)


def mul(first: Operand, *others: Operand) -> Expr:
    """A product, multiplied from the left."""
    return reduce(lambda left, right: binary("*", left, right), others, expression(first))


def div(left: Operand, right: Operand) -> Binary:
    return binary("/", left, right)


def negate(operand: Operand) -> Unary:
    return Unary(UnaryOperator.NEG, expression(operand))


def invert(condition: Operand) -> Unary:
    """The opposite of a condition."""
    return Unary(UnaryOperator.NOT, expression(condition))


def select(condition: Operand, if_true: Operand, if_false: Operand) -> Select:
    return Select(expression(condition), expression(if_true), expression(if_false))


def call(function: str, *arguments: Operand) -> Call:
    """A native function by its name."""
    return Call(NativeFunction(function), tuple(map(expression, arguments)))


def cast(dtype: str, operand: Operand) -> Cast:
    return Cast(DType(dtype), expression(operand))


def assign(target: str, value: Operand) -> Assign:
    return Assign(at(target), expression(value))


def when(condition: Operand, *then: Stmt, orelse: tuple[Stmt, ...] = ()) -> If:
    return If(expression(condition), then, orelse)


def interval(start: str, end: str) -> Interval:
    """The interval between two bounds as the textual form writes them: ``start+1``, ``end``, ``n-2``."""
    return Interval(_bound(start), _bound(end))


def _bound(text: str) -> Bound:
    match = _BOUND.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is not the text of a bound")
    anchor, offset = match.groups(default="0")
    return Bound(_ANCHORS.get(anchor, anchor), int(offset))


def do(*body: Stmt, on: Interval = FULL) -> DoMethod:
    """A do-method, on all levels unless *on* says otherwise."""
    return DoMethod(on, body)


def stage(*do_methods: DoMethod) -> Stage:
    return Stage(do_methods)


def parallel(*stages: Stage) -> MultiStage:
    return MultiStage(LoopOrder.PARALLEL, stages)


def forward(*stages: Stage) -> MultiStage:
    return MultiStage(LoopOrder.FORWARD, stages)


def backward(*stages: Stage) -> MultiStage:
    return MultiStage(LoopOrder.BACKWARD, stages)


def stencil(
    name: str,
    parameters: tuple[Parameter, ...],
    *multistages: MultiStage,
    temporaries: tuple[TemporaryDecl, ...] = (),
) -> Stencil:
    return Stencil(name, parameters, temporaries, multistages)

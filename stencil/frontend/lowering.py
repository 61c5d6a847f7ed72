"""Drafts to IIR: every literal takes its dtype, every conversion becomes a cast."""

from functools import reduce
from typing import assert_never

from iir import expressions as ir
from iir.dtypes import DType, is_integer
from iir.expressions import COMPARISONS, NativeFunction, Operator, UnaryOperator
from iir.nodes import DoMethod, MultiStage, Stage
from iir.span import Span
from iir.statements import Assign, If, Stmt
from stencil.frontend.constants import convert, fits
from stencil.frontend.drafts import (
    Action,
    Apply,
    Branch,
    Choose,
    Computation,
    Convert,
    Draft,
    Literal,
    Read,
    Scalar,
    Store,
)
from stencil.frontend.errors import error
from stencil.frontend.kinds import (
    WHOLE,
    Kind,
    Kinds,
    Weak,
    check_operands,
    common,
    operand_kind,
    strong,
)
from stencil.wording import shown

_POWERS = frozenset({NativeFunction.POW2, NativeFunction.POW3, NativeFunction.POW4})


def multistage(computation: Computation, kinds: Kinds) -> MultiStage | None:
    """The multistage of a computation, one stage with its intervals; None if it has no statements."""
    methods = tuple(
        DoMethod(block.interval, _body(block.body, kinds), span=block.span)
        for block in computation.blocks
        if block.body
    )
    if not methods:
        return None
    return MultiStage(computation.order, (Stage(methods, span=computation.span),), span=computation.span)


def _body(actions: tuple[Action, ...], kinds: Kinds) -> tuple[Stmt, ...]:
    return tuple(_statement(action, kinds) for action in actions)


def _statement(action: Action, kinds: Kinds) -> Stmt:
    match action:
        case Store(name, value, span, target_span):
            target = ir.FieldAccess(name, span=target_span)
            return Assign(target, lower(value, _dtype(name, kinds), kinds), span=span)
        case Branch(condition, then, orelse, span):
            return If(truth(condition, kinds), _body(then, kinds), _body(orelse, kinds), span=span)
        case _:
            assert_never(action)


def truth(draft: Draft, kinds: Kinds) -> ir.Expr:
    """A draft as a condition: a number holds if it is not zero."""
    kind = strong(_kind(draft, kinds))
    value = lower(draft, kind, kinds)
    if kind is DType.BOOL:
        return value
    zero = ir.Constant(0 if is_integer(kind) else 0.0, kind, span=draft.span)
    return ir.Binary(Operator.NE, value, zero, span=draft.span)


def lower(draft: Draft, want: DType, kinds: Kinds) -> ir.Expr:
    """The value of a draft in the dtype *want*."""
    if isinstance(draft, Literal):
        return _constant(draft, want)
    kind = _kind(draft, kinds)
    if isinstance(kind, DType):
        own = kind
    else:
        # A weak value is computed in the dtype that is wanted, unless that would lose its fraction.
        own = DType.FLOAT64 if kind is Weak.FLOAT and want not in (DType.FLOAT32, DType.FLOAT64) else want
        own = DType.INT64 if own is DType.BOOL else own
    return _cast(_lower(draft, own, kinds), own, want, draft.span)


def _lower(draft: Draft, own: DType, kinds: Kinds) -> ir.Expr:
    match draft:
        case Literal():
            return _constant(draft, own)
        case Scalar(name, span):
            return ir.ScalarRef(name, span=span)
        case Read(name, offset, span):
            return ir.FieldAccess(name, offset, span=span)
        case Convert(dtype, operand, span):
            if dtype is DType.BOOL:
                return truth(operand, kinds)
            return _cast_explicitly(operand, dtype, kinds, span)
        case Choose(condition, if_true, if_false, span):
            arms = lower(if_true, own, kinds), lower(if_false, own, kinds)
            return ir.Select(truth(condition, kinds), *arms, span=span)
        case Apply():
            return _apply(draft, own, kinds)
        case _:
            assert_never(draft)


def _apply(draft: Apply, own: DType, kinds: Kinds) -> ir.Expr:
    operation, span = draft.operation, draft.span
    together = common(_kind(item, kinds) for item in draft.operands)
    assert together is not None
    check_operands(draft, together)
    kind = operand_kind(operation, together)
    operand = kind if isinstance(kind, DType) else own
    if operation in COMPARISONS and is_integer(operand):
        operand = _wide_enough(draft, operand)
    if operand is DType.BOOL and operation not in COMPARISONS:
        values = [truth(item, kinds) for item in draft.operands]
    else:
        values = [lower(item, operand, kinds) for item in _computed(draft)]
    match operation:
        case UnaryOperator():
            return ir.Unary(operation, values[0], span=span)
        case Operator():
            return ir.Binary(operation, values[0], values[1], span=span)
        case NativeFunction():
            return _native(operation, values, operand, span)
        case _:
            assert_never(operation)


def _computed(draft: Apply) -> tuple[Draft, ...]:
    """The operands without the exponent that a power by multiplication or a square root came from."""
    by_exponent = draft.operation in _POWERS or draft.operation is NativeFunction.SQRT
    return draft.operands[:1] if by_exponent else draft.operands


def _native(function: NativeFunction, values: list[ir.Expr], operand: DType, span: Span) -> ir.Expr:
    if function in WHOLE and is_integer(operand):
        return values[0]
    if function in (NativeFunction.MIN, NativeFunction.MAX):
        return reduce(lambda left, right: ir.Call(function, (left, right), span=span), values)
    return ir.Call(function, tuple(values), span=span)


def _wide_enough(draft: Apply, operand: DType) -> DType:
    """Comparisons with an integer beyond the dtype's range are made in the widest integer."""
    numbers = [item.value for item in draft.operands if isinstance(item, Literal) and item.dtype is None]
    inside = all(fits(value, operand) for value in numbers if isinstance(value, int))
    return operand if inside else DType.INT64


def _cast_explicitly(operand: Draft, dtype: DType, kinds: Kinds, span: Span) -> ir.Expr:
    own = strong(_kind(operand, kinds))
    return _cast(lower(operand, own, kinds), own, dtype, span)


def _cast(value: ir.Expr, own: DType, want: DType, span: Span) -> ir.Expr:
    if own is want:
        return value
    if want is DType.BOOL:
        zero = ir.Constant(0 if is_integer(own) else 0.0, own, span=span)
        return ir.Binary(Operator.NE, value, zero, span=span)
    return ir.Cast(want, value, span=span)


def _constant(literal: Literal, want: DType) -> ir.Constant:
    value = convert(literal.value, want)
    if value is None:
        message = f"The number {shown(literal.value)} does not fit into '{_NAMES[want]}'."
        raise error(message, "literal-overflow", literal.span, f"must be {_NAMES[want]} here")
    return ir.Constant(value, want, span=literal.span)


def _kind(draft: Draft, kinds: Kinds) -> Kind:
    kind = kinds.of(draft)
    assert kind is not None
    return kind


def _dtype(name: str, kinds: Kinds) -> DType:
    dtype = kinds.names[name]
    assert dtype is not None
    return dtype


_NAMES = {dtype: "bool" if dtype is DType.BOOL else dtype.name.lower() for dtype in DType}

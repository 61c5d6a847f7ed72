"""Python expressions to drafts: names resolved, offsets applied, calls inlined."""

import ast
from functools import reduce
from typing import Final

from iir.expressions import NativeFunction, Operator, UnaryOperator
from iir.nodes import Axes
from iir.span import Span
from stencil.frontend import calls, offsets
from stencil.frontend.constants import fold, literal
from stencil.frontend.drafts import Apply, Choose, Draft, Literal, Operation, Scalar, Temporary
from stencil.frontend.errors import error, written
from stencil.frontend.frame import (
    MAX_DEPTH,
    MAX_NESTING,
    Bound,
    Frame,
    Meaning,
    Object,
    Variable,
    center,
    too_deep,
)
from stencil.frontend.names import MISSING, resolve, visible_names
from stencil.frontend.unsupported import STRING, later, outside, unsupported
from stencil.language import AxesName, Word
from stencil.wording import clipped, did_you_mean

_BINARY: Final[dict[type[ast.operator], Operator]] = {
    ast.Add: Operator.ADD,
    ast.Sub: Operator.SUB,
    ast.Mult: Operator.MUL,
    ast.Div: Operator.DIV,
    ast.FloorDiv: Operator.FLOORDIV,
    ast.Mod: Operator.MOD,
    ast.Pow: Operator.POW,
}
_COMPARISONS: Final[dict[type[ast.cmpop], Operator]] = {
    ast.Lt: Operator.LT,
    ast.LtE: Operator.LE,
    ast.Gt: Operator.GT,
    ast.GtE: Operator.GE,
    ast.Eq: Operator.EQ,
    ast.NotEq: Operator.NE,
}
_POWERS: Final = {
    2: NativeFunction.POW2,
    3: NativeFunction.POW3,
    4: NativeFunction.POW4,
    0.5: NativeFunction.SQRT,
}

_MODULES: Final = {"np": "numpy as np", "numpy": "numpy", "math": "math"}


def expression(node: ast.expr, frame: Frame) -> Draft:
    """The value of one expression; functions that it calls are inlined before."""
    frame.program.depth += 1
    try:
        if frame.program.depth > min(MAX_DEPTH, MAX_NESTING - frame.branches):
            raise too_deep(frame.span(node))
        return _expression(node, frame)
    finally:
        frame.program.depth -= 1


def _expression(node: ast.expr, frame: Frame) -> Draft:
    match node:
        case ast.Constant() | ast.Name() | ast.Attribute() | ast.Subscript():
            return number(meaning(node, frame), node, frame)
        case ast.UnaryOp():
            return _unary(node, frame)
        case ast.BinOp():
            return _binary(node, frame)
        case ast.BoolOp(operator, values):
            logical = Operator.AND if isinstance(operator, ast.And) else Operator.OR
            return _join(logical, [expression(value, frame) for value in values], frame.span(node))
        case ast.Compare():
            return _compare(node, frame)
        case ast.IfExp():
            return _choose(node, frame)
        case ast.Call():
            return single(calls.call(node, frame), node, frame)
        case ast.Tuple():
            raise _not_one_value(frame.span(node))
        case _:
            raise unsupported(node, frame.span(node))


def meaning(node: ast.expr, frame: Frame) -> Meaning:
    """What a name, an attribute, an entry or a constant stands for."""
    match node:
        case ast.Name(name):
            return _name(name, frame.span(node), frame)
        case ast.Attribute(base, attribute):
            return _attribute(base, attribute, frame.span(node), frame)
        case ast.Subscript():
            return offsets.subscript(node, frame)
        case ast.Constant(value):
            return of_object(value, frame.span(node))
        case _:
            return Bound(expression(node, frame))


def of_object(value: object, span: Span) -> Meaning:
    """What a Python object means in a stencil."""
    constant = literal(value, span)
    return Object(value) if constant is None else Bound(constant)


def number(meant: Meaning, node: ast.expr, frame: Frame) -> Draft:
    """The value of a name at the point itself."""
    span = frame.span(node)
    match meant:
        case Variable(name):
            return center(name, span)
        case Bound(_, str() as saved):
            return center(saved, span)
        case Bound(Literal(value, dtype)):
            return Literal(value, dtype, span)
        case Bound(Scalar(name)):
            return Scalar(name, span)
        case Bound(value):
            return value
        case Object(value):
            raise _not_a_number(value, node, span)


def single(values: tuple[Draft, ...], node: ast.expr, frame: Frame) -> Draft:
    """The only value, or the error that there are several."""
    if len(values) != 1:
        raise _not_one_value(frame.span(node))
    return values[0]


def apply(operation: Operation, operands: tuple[Draft, ...], span: Span) -> Draft:
    """*operation* on *operands*, computed at once where all are known."""
    if all(isinstance(operand, Literal) for operand in operands):
        folded = fold(operation, tuple(item for item in operands if isinstance(item, Literal)), span)
        if folded is not None:
            return folded
    return Apply(operation, operands, span)


def power(base: Draft, exponent: Draft, span: Span) -> Draft:
    """``base ** exponent``: small known exponents multiply, one half is a square root."""
    folded = apply(Operator.POW, (base, exponent), span)
    if isinstance(folded, Literal) or not isinstance(exponent, Literal):
        return folded
    function = None if isinstance(exponent.value, bool) else _POWERS.get(exponent.value)
    # The exponent still has a say in the dtype: an integer to the power 2.0 is a float.
    return folded if function is None else Apply(function, (base, exponent), span)


def augmented(node: ast.AugAssign, frame: Frame) -> Draft:
    """The value of an augmented assignment."""
    span = frame.span(node)
    _check_operator(node.op, span)
    operands = expression(node.target, frame), expression(node.value, frame)
    return _combined(node.op, *operands, span)


def _binary(node: ast.BinOp, frame: Frame) -> Draft:
    """A sum nests to the left as deeply as it has terms, so that side is followed in a loop."""
    chain = [node]
    while isinstance(chain[-1].left, ast.BinOp):
        chain.append(chain[-1].left)
    for item in chain:
        _check_operator(item.op, frame.span(item))
    value = expression(chain[-1].left, frame)
    for item in reversed(chain):
        value = _combined(item.op, value, expression(item.right, frame), frame.span(item))
    return value


def _check_operator(sign: ast.operator, span: Span) -> None:
    if isinstance(sign, ast.MatMult):
        raise later("matrix", span)
    if type(sign) not in _BINARY:
        raise unsupported(sign, span)


def _combined(sign: ast.operator, left: Draft, right: Draft, span: Span) -> Draft:
    operator = _BINARY[type(sign)]
    return power(left, right, span) if operator is Operator.POW else apply(operator, (left, right), span)


def _name(name: str, span: Span, frame: Frame) -> Meaning:
    if name in frame.names:
        return _declared(name, frame)
    if name in frame.imports:
        return of_object(frame.imports[name], span)
    value = MISSING if name in frame.assigned else resolve(frame.definition, name)
    if value is MISSING:
        raise undefined(name, span, frame)
    return of_object(value, span)


def _declared(name: str, frame: Frame) -> Meaning:
    meant = frame.names[name]
    program = frame.program
    if isinstance(meant, Variable) and name not in program.fields and meant.name not in program.temporaries:
        program.temporaries[name] = Temporary(name, None, Axes.IJK, None)
    return meant


def undefined(name: str, span: Span, frame: Frame) -> Exception:
    """The error for a name that nothing defines."""
    if name in _MODULES:
        hints: tuple[str, ...] = (f"Write 'import {_MODULES[name]}' above the function.",)
    elif name in frame.program.externals:
        hints = (f"Write 'from __externals__ import {name}' at the top of the function.",)
    else:
        known = {*frame.names, *frame.imports, *visible_names(frame.definition)}
        hints = did_you_mean(name, frame.names) or did_you_mean(name, known)
    return error(f"'{clipped(name)}' is not defined.", "undefined-name", span, hints=hints)


def _attribute(base: ast.expr, attribute: str, span: Span, frame: Frame) -> Meaning:
    inner = meaning(base, frame)
    if not isinstance(inner, Object):
        if attribute in {"at", "T"}:
            raise later("absolute-index" if attribute == "at" else "transpose", span)
        raise error(f"A field or number has no attribute '{attribute}'.", "bad-attribute", span)
    try:
        return of_object(getattr(inner.value, attribute), span)
    except Exception:  # the user's object may raise anything
        hints = did_you_mean(attribute, _attributes(inner.value))
        message = f"'{written(base)}' has no attribute '{attribute}'."
        raise error(message, "bad-attribute", span, hints=hints) from None


def _attributes(value: object) -> list[str]:
    try:
        return list(dir(value))
    except Exception:  # as above
        return []


def _not_a_number(value: object, node: ast.expr, span: Span) -> Exception:
    if isinstance(value, AxesName):
        return later("index-value", span)
    if isinstance(value, str | bytes):
        return outside(STRING, span)
    if value is None or value is ...:
        return error(f"'{'...' if value is ... else 'None'}' is not a number.", "not-a-number", span)
    if isinstance(node, ast.Constant):
        return error("This is not a number of the language.", "not-a-number", span)
    if isinstance(value, Word):
        return later("horizontal", span)
    if callable(value):
        message = f"'{written(node)}' is a function, not a number."
        return error(message, "not-a-number", span, hints=("Call it.",))
    message = f"'{written(node)}' is a '{type(value).__name__}', not a number of the language."
    return error(message, "not-a-number", span)


def _not_one_value(span: Span) -> Exception:
    message = "Several values stand where one is needed."
    hint = "Assign them first: 'a, b = ...'."
    return error(message, "several-values", span, hints=(hint,))


def _unary(node: ast.UnaryOp, frame: Frame) -> Draft:
    span = frame.span(node)
    match node.op:
        case ast.Not():
            return apply(UnaryOperator.NOT, (expression(node.operand, frame),), span)
        case ast.USub():
            return apply(UnaryOperator.NEG, (expression(node.operand, frame),), span)
        case ast.UAdd():
            return expression(node.operand, frame)
        case _:
            raise unsupported(node.op, span)


def _compare(node: ast.Compare, frame: Frame) -> Draft:
    for operator in node.ops:
        if type(operator) not in _COMPARISONS:
            raise unsupported(operator, frame.span(node))
    values = [expression(value, frame) for value in (node.left, *node.comparators)]
    span = frame.span(node)
    links = [
        apply(_COMPARISONS[type(operator)], (left, right), span)
        for operator, left, right in zip(node.ops, values[:-1], values[1:], strict=True)
    ]
    return _join(Operator.AND, links, span)


def _join(operator: Operator, values: list[Draft], span: Span) -> Draft:
    return reduce(lambda left, right: apply(operator, (left, right), span), values)


def _choose(node: ast.IfExp, frame: Frame) -> Draft:
    condition = expression(node.test, frame)
    if isinstance(condition, Literal):
        return expression(node.body if condition.value else node.orelse, frame)
    if_true, if_false = expression(node.body, frame), expression(node.orelse, frame)
    return Choose(condition, if_true, if_false, frame.span(node))

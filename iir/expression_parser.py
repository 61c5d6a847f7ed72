"""Expressions of the textual form: precedence climbing over tokens."""

import math
import re
from collections.abc import Callable, Mapping
from typing import Final, TypeVar

import numpy as np

from iir import notation
from iir.dtypes import DType, is_float
from iir.expressions import (
    CENTER,
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
from iir.lexer import Token, TokenKind, syntax_error
from iir.nodes import Declaration, FieldDecl, ScalarDecl, TemporaryDecl
from iir.span import Span
from iir.tokens import Tokens, closest, join

T = TypeVar("T")

DTYPES: Final = {dtype.value: dtype for dtype in DType}
_FUNCTIONS: Final = {function.value: function for function in NativeFunction}
_OPERATORS: Final = {operator.value: operator for operator in Operator}
_NUMBER: Final = re.compile(r"(?P<digits>\$inf|\$nan|[0-9.]+(?:[eE][+-]?[0-9]+)?)(?P<dtype>\w*)")


class ExpressionParser:
    """Reads expressions over the names in *declarations*, which may still grow."""

    def __init__(self, tokens: Tokens, declarations: Mapping[str, Declaration]) -> None:
        self.tokens = tokens
        self.declarations = declarations

    def expr(self) -> Expr:
        """Any expression, a ternary included."""
        start = self.tokens.next.span
        expr = self.binary(notation.TERNARY + 1)
        if not self.tokens.accept("if"):
            return expr
        condition = self.binary(notation.TERNARY + 1)
        self.tokens.expect("else")
        other = self.expr()
        return Select(condition, expr, other, span=self.since(start))

    def binary(self, lowest: int) -> Expr:
        """Operands and operators that bind at least as tightly as *lowest*."""
        start = self.tokens.next.span
        left, tightness = self.prefixed(lowest), notation.ATOM
        while operator := self.operator():
            inner, left_needs, right_needs = notation.BINDING[operator]
            if inner < lowest:
                break
            if tightness < left_needs:
                raise syntax_error(
                    "Comparisons do not chain.",
                    self.tokens.next.span,
                    "a second comparison",
                    "Write '(a < b) and (b < c)', or put one of them in parentheses.",
                )
            self.tokens.advance()
            right = self.binary(right_needs)
            left, tightness = Binary(operator, left, right, span=self.since(start)), inner
        return left

    def operator(self) -> Operator | None:
        """The operator that comes next; it is not taken."""
        is_word = self.tokens.next.kind in (TokenKind.SYMBOL, TokenKind.NAME)
        return _OPERATORS.get(self.tokens.next.text) if is_word else None

    def prefixed(self, lowest: int) -> Expr:
        """One operand with the operators before it. A minus directly before a literal is its sign."""
        start = self.tokens.next.span
        if lowest <= notation.NOT and self.tokens.accept("not"):
            operand = self.binary(notation.NOT)
            return Unary(UnaryOperator.NOT, operand, span=self.since(start))
        if not self.tokens.accept("-"):
            return self.atom()
        if self.tokens.next.kind is TokenKind.NUMBER and self.tokens.following.text != "**":
            return constant(self.tokens.advance(), minus=start)
        operand = self.binary(notation.NEGATION)
        return Unary(UnaryOperator.NEG, operand, span=self.since(start))

    def atom(self) -> Expr:
        token = self.tokens.next
        if token.kind is TokenKind.NUMBER:
            return constant(self.tokens.advance())
        if truth := self.tokens.accept("True", "False"):
            return Constant(truth.text == "True", DType.BOOL, span=truth.span)
        if self.tokens.accept("("):
            expr = self.expr()
            self.tokens.expect(")")
            return expr
        if token.kind is TokenKind.NAME and self.tokens.following.text == "(":
            return self.call()
        return self.reference()

    def call(self) -> Expr:
        """A native function or a cast."""
        name = self.tokens.advance()
        if name.text not in _FUNCTIONS and name.text not in DTYPES:
            hint = closest(name.text, {**_FUNCTIONS, **DTYPES})
            raise syntax_error(f"'{name.text}' is no function and no dtype.", name.span, "", hint)
        arguments = self.bracketed(self.expr)
        span = self.since(name.span)
        if name.text in _FUNCTIONS:
            return Call(_FUNCTIONS[name.text], arguments, span=span)
        if len(arguments) != 1:
            raise syntax_error(f"A cast takes one operand, not {len(arguments)}.", span)
        return Cast(DTYPES[name.text], arguments[0], span=span)

    def reference(self, what: str = "an expression") -> ScalarRef | FieldAccess:
        """A scalar, or a field with its offset."""
        name, start = self.name(what), self.tokens.last
        match self.declarations.get(name):
            case ScalarDecl():
                return ScalarRef(name, span=start)
            case FieldDecl(axes=axes) | TemporaryDecl(axes=axes):
                offset = self.offset(name, axes.value)
                return FieldAccess(name, offset, span=self.since(start))
            case None:
                hint = closest(name, self.declarations)
                raise syntax_error(f"'{name}' is not declared.", start, "", hint)

    def access(self) -> FieldAccess:
        """A field or temporary, to be stored to."""
        reference = self.reference("a field to store to")
        if isinstance(reference, ScalarRef):
            raise syntax_error(f"'{reference.name}' is a scalar and cannot be stored to.", reference.span)
        return reference

    def offset(self, name: str, axes: str) -> Offset:
        """The offset of an access to the field *name*, one number for each of its *axes*."""
        start = self.tokens.next.span
        if not self.tokens.accept("["):
            return CENTER
        given = self.separated(self.integer, "]")
        if len(given) != len(axes):
            message = f"'{name}' is a field on {axes}: its offset has {len(axes)} numbers, not {len(given)}."
            raise syntax_error(message, self.since(start))
        by_axis = dict(zip(axes, given, strict=True))
        return Offset(*(by_axis.get(axis, 0) for axis in "IJK"))

    def name(self, what: str = "a name") -> str:
        """Any name; a reserved word only in backticks."""
        token = self.tokens.next
        if token.kind is TokenKind.NAME and token.text in notation.RESERVED:
            raise self.tokens.error(what, f"A field or scalar of that name is written `{token.text}`.")
        if token.kind not in (TokenKind.NAME, TokenKind.QUOTED):
            raise self.tokens.error(what)
        return self.tokens.advance().text

    def integer(self) -> int:
        """A whole number with an optional sign."""
        sign = self.tokens.accept("+", "-")
        token = self.tokens.next
        if token.kind is not TokenKind.NUMBER or not token.text.isdecimal():
            raise self.tokens.error("a whole number")
        value = whole(self.tokens.advance())
        return -value if sign and sign.text == "-" else value

    def bracketed(self, item: Callable[[], T]) -> tuple[T, ...]:
        """Any number of items between parentheses."""
        self.tokens.expect("(")
        return () if self.tokens.accept(")") else self.separated(item, ")")

    def separated(self, item: Callable[[], T], closing: str) -> tuple[T, ...]:
        """One item or more, with commas between them, up to and including *closing*."""
        items = [item()]
        while self.tokens.accept(","):
            items.append(item())
        self.tokens.expect(closing)
        return tuple(items)

    def since(self, start: Span) -> Span:
        """From *start* to the last token taken."""
        return join(start, self.tokens.last)


def constant(token: Token, minus: Span | None = None) -> Constant:
    """The constant of a literal, of the opposite sign if there is a *minus* before it."""
    match = _NUMBER.fullmatch(token.text)
    assert match is not None, "the lexer only passes numbers"
    digits, suffix = match["digits"], match["dtype"]
    is_whole = digits.isdecimal()
    dtype = DTYPES.get(suffix or ("i64" if is_whole else "f64"))
    span = token.span if minus is None else join(minus, token.span)
    if dtype is None or is_float(dtype) is is_whole:
        wanted = f"'{digits}.0{suffix}'" if dtype and is_whole else "a whole number or another dtype"
        raise syntax_error(f"'{token.text}' is not a number of the language.", span, "", f"Write {wanted}.")
    if is_whole:
        return Constant(-whole(token, digits) if minus else whole(token, digits), dtype, span=span)
    value = _float(token, digits, dtype)
    return Constant(-value if minus else value, dtype, span=span)


def whole(token: Token, digits: str | None = None) -> int:
    """The value of digits; far more than fit any dtype are refused."""
    digits = token.text if digits is None else digits
    if len(digits) > 100:
        raise syntax_error("This number fits no dtype.", token.span)
    return int(digits)


def _float(token: Token, digits: str, dtype: DType) -> float:
    if digits.startswith("$"):
        return float(digits[1:])
    value = float(digits)
    if dtype is DType.FLOAT32:
        with np.errstate(over="ignore"):
            value = float(np.float32(value))
    if math.isinf(value):
        raise syntax_error(f"'{token.text}' is out of range.", token.span, "", "Infinity is written '$inf'.")
    return value

"""Statements of the textual form."""

import json

from iir.expression_parser import ExpressionParser
from iir.expressions import Expr, FieldAccess
from iir.lexer import TokenKind, syntax_error
from iir.notation import CHECK_KINDS, EFFECTS
from iir.span import Span
from iir.statements import Assign, Bundle, Check, Effects, ExternalCall, Guard, If, Stmt
from iir.tokens import Tokens


class StatementParser:
    """One method for each kind of statement; each reads its whole line, or lines."""

    def __init__(self, tokens: Tokens, expressions: ExpressionParser) -> None:
        self.tokens = tokens
        self.expressions = expressions

    def statement(self) -> Stmt:
        if self.tokens.is_at("if"):
            return self.conditional()
        statement = self.simple()
        self.tokens.take(TokenKind.NEWLINE)
        return statement

    def conditional(self) -> If:
        """From 'if' or 'elif' to the end of the last branch."""
        start = self.tokens.advance().span
        condition = self.expressions.expr()
        self.tokens.take(TokenKind.NEWLINE)
        then = self.tokens.block(self.statement)
        orelse: tuple[Stmt, ...] = ()
        if self.tokens.is_at("elif"):
            orelse = (self.conditional(),)
        elif self.tokens.accept("else"):
            self.tokens.take(TokenKind.NEWLINE)
            orelse = self.tokens.block(self.statement)
        return If(condition, then, orelse, span=self.expressions.since(start))

    def simple(self) -> Stmt:
        """A statement on one line."""
        start = self.tokens.next.span
        if self.tokens.is_at("check"):
            return self.check()
        if self.tokens.is_at("call"):
            return self.external_call(start, ())
        targets = self.expressions.separated(self.expressions.access, "=")
        if self.tokens.is_at("call") or len(targets) > 1:
            return self.external_call(start, targets)
        return Assign(targets[0], self.expressions.expr(), span=self.expressions.since(start))

    def check(self) -> Check:
        start = self.tokens.expect("check").span
        kind = self.tokens.one_of(CHECK_KINDS, "the kind of the check")
        self.tokens.expect("(")
        condition = self.expressions.expr()
        self.tokens.expect(",")
        message = self.string()
        values = self.more_values()
        guards = self.expressions.bracketed(self.guard) if self.tokens.accept("guard") else ()
        key = self.key() if self.tokens.accept("key") else (0, 0)
        return Check(condition, kind, message, values, guards, key, span=self.expressions.since(start))

    def more_values(self) -> tuple[Expr, ...]:
        """Values, each after a comma, up to and including the closing parenthesis."""
        values: list[Expr] = []
        while self.tokens.accept(","):
            values.append(self.expressions.expr())
        self.tokens.expect(")")
        return tuple(values)

    def guard(self) -> Guard:
        start = self.tokens.next.span
        target = self.expressions.access()
        self.tokens.expect("=")
        value = self.expressions.expr()
        return Guard(target, value, span=self.expressions.since(start))

    def key(self) -> tuple[int, int]:
        self.tokens.expect("(")
        computation = self.expressions.integer()
        self.tokens.expect(",")
        statement = self.expressions.integer()
        self.tokens.expect(")")
        return computation, statement

    def external_call(self, start: Span, targets: tuple[FieldAccess, ...]) -> ExternalCall:
        self.tokens.expect("call")
        function = self.string()
        arguments = self.expressions.bracketed(self.expressions.expr)
        effects = self.effects() if self.tokens.accept("effects") else Effects.NONE
        bundles: list[Bundle] = []
        while self.tokens.accept("bundle"):
            bundles.append(self.bundle())
        span = self.expressions.since(start)
        return ExternalCall(targets, function, arguments, effects, tuple(bundles), span=span)

    def effects(self) -> Effects:
        self.tokens.expect("(")
        effects = self.tokens.one_of(EFFECTS, "the effects of the function")
        self.tokens.expect(")")
        return effects

    def bundle(self) -> Bundle:
        start = self.tokens.next.span
        tag = self.string()
        operands = self.expressions.bracketed(self.expressions.expr)
        return Bundle(tag, operands, span=self.expressions.since(start))

    def string(self) -> str:
        token = self.tokens.take(TokenKind.STRING)
        try:
            return str(json.loads(token.text))
        except ValueError:
            message = "This string is not written as JSON writes strings."
            raise syntax_error(message, token.span) from None

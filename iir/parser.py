"""From the textual form back to a tree; the inverse of `iir.printer`."""

import hashlib
import linecache
import os.path
from collections.abc import Callable, Mapping
from typing import Final, TypeVar

from iir.base import Node
from iir.diagnostics import StencilError
from iir.dtypes import DType
from iir.expression_parser import DTYPES, ExpressionParser
from iir.expressions import Expr
from iir.interval import Anchor, Bound, Interval
from iir.lexer import TokenKind, syntax_error
from iir.nodes import (
    Axes,
    Declaration,
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
from iir.notation import HEAP
from iir.schedule import Axis, Schedule, Storage
from iir.span import Span
from iir.statement_parser import StatementParser
from iir.statements import Stmt
from iir.tokens import Tokens
from iir.traversal import MAX_DEPTH, depth

R = TypeVar("R", bound=Node | tuple[Node, ...])
T = TypeVar("T")

_AXES: Final = {axes.value: axes for axes in Axes}
_ORDERS: Final = {order.value: order for order in LoopOrder}
_STORAGES: Final = {storage.value: storage for storage in Storage}
_PARALLEL: Final = {axis.value: axis for axis in Axis}
_ANCHORS: Final = {anchor.value: anchor for anchor in Anchor}


def from_text(text: str, file: str = "<text>") -> Stencil:
    """The stencil that *text* spells out; `StencilError` (``iir-syntax``) if it spells none.

    The nodes' spans point into *text*. What the grammar cannot say is left to `iir.verifier.verify`.
    """
    return _read(text, file, {}, lambda parser: parser.stencil())


def expr_from_text(text: str, declarations: Mapping[str, Declaration], file: str = "<text>") -> Expr:
    """The expression that *text* spells out, over the names in *declarations*."""
    return _read(text, file, declarations, lambda parser: parser.line(parser.expressions.expr))


def statements_from_text(
    text: str, declarations: Mapping[str, Declaration], file: str = "<text>"
) -> tuple[Stmt, ...]:
    """The statements that *text* spells out, over the names in *declarations*."""
    return _read(text, file, declarations, lambda parser: parser.body())


def _read(text: str, file: str, declarations: Mapping[str, Declaration], rule: "Callable[[_Parser], R]") -> R:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise syntax_error("The text is not valid Unicode.", None) from error
    file = _remember(text, file)
    try:
        parser = _Parser(Tokens(text, file), dict(declarations))
        result = rule(parser)
        parser.tokens.take(TokenKind.END)
    except RecursionError:
        raise _too_deep(file) from None
    if _depth(result) > MAX_DEPTH:
        raise _too_deep(file)
    return result


def _depth(result: Node | tuple[Node, ...]) -> int:
    return depth(result) if isinstance(result, Node) else max(map(depth, result), default=0)


def _too_deep(file: str) -> StencilError:
    message = f"The text nests expressions or statements more than {MAX_DEPTH} deep."
    return syntax_error(message, Span(file, 1, 0, 1, 0))


def _remember(text: str, file: str) -> str:
    """Make the lines of a text that is in no file known to whatever prints excerpts."""
    if os.path.isfile(file):
        return file
    if file == "<text>":
        file = f"<text {hashlib.sha256(text.encode()).hexdigest()[:8]}>"
    lines = [f"{line}\n" for line in text.split("\n")]
    linecache.cache[file] = (len(text), None, lines, file)
    return file


class _Parser:
    """One method for each rule of the grammar above the statements."""

    def __init__(self, tokens: Tokens, declarations: dict[str, Declaration]) -> None:
        self.tokens = tokens
        self.declarations = declarations
        self.expressions = ExpressionParser(tokens, declarations)
        self.statements = StatementParser(tokens, self.expressions)

    def line(self, rule: Callable[[], T]) -> T:
        """What *rule* reads, which is all of a line."""
        result = rule()
        self.tokens.take(TokenKind.NEWLINE)
        return result

    def body(self) -> tuple[Stmt, ...]:
        """Statements up to the end of the text."""
        statements: list[Stmt] = []
        while self.tokens.next.kind is not TokenKind.END:
            statements.append(self.statements.statement())
        return tuple(statements)

    def stencil(self) -> Stencil:
        start = self.tokens.expect("stencil").span
        name = self.expressions.name()
        parameters = self.expressions.bracketed(self.parameter)
        self.tokens.take(TokenKind.NEWLINE)
        temporaries: list[TemporaryDecl] = []
        multistages: list[MultiStage] = []
        if self.tokens.begin_block():
            while self.tokens.is_at("temporary"):
                temporaries.append(self.line(self.temporary))
            while not self.tokens.end_block():
                multistages.append(self.multistage())
        span = self.expressions.since(start)
        return Stencil(name, parameters, tuple(temporaries), tuple(multistages), span=span)

    def parameter(self) -> Parameter:
        name, start = self.new_name()
        dtype = self.dtype()
        if not self.tokens.is_at("["):
            scalar = ScalarDecl(name, dtype, span=self.expressions.since(start))
            self.declarations[name] = scalar
            return scalar
        axes = self.axes()
        declaration = FieldDecl(name, dtype, axes, span=self.expressions.since(start))
        self.declarations[name] = declaration
        return declaration

    def temporary(self) -> TemporaryDecl:
        start = self.tokens.expect("temporary").span
        name, _ = self.new_name()
        dtype, axes = self.dtype(), self.axes()
        on_heap = self.tokens.accept(HEAP) is not None
        storage = self.tokens.one_of(_STORAGES, "a storage") if self.tokens.accept("@") else None
        span = self.expressions.since(start)
        declaration = TemporaryDecl(name, dtype, axes, storage, on_heap, span=span)
        self.declarations[name] = declaration
        return declaration

    def new_name(self) -> tuple[str, Span]:
        """A name that is not declared yet, up to the colon after it."""
        name, span = self.expressions.name(), self.tokens.last
        if name in self.declarations:
            raise syntax_error(f"'{name}' is declared twice.", span)
        self.tokens.expect(":")
        return name, span

    def dtype(self) -> DType:
        return self.tokens.one_of(DTYPES, "a dtype")

    def axes(self) -> Axes:
        self.tokens.expect("[")
        axes = self.tokens.one_of(_AXES, "the axes of a field")
        self.tokens.expect("]")
        return axes

    def multistage(self) -> MultiStage:
        start = self.tokens.expect("multistage").span
        order = self.tokens.one_of(_ORDERS, "a loop order")
        schedule = self.schedule() if self.tokens.accept("@") else None
        self.tokens.take(TokenKind.NEWLINE)
        stages = self.tokens.block(self.stage)
        return MultiStage(order, stages, schedule, span=self.expressions.since(start))

    def schedule(self) -> Schedule:
        axis = None
        if serial := self.tokens.accept("serial"):
            start = serial.span
        else:
            start = self.tokens.expect("parallel").span
            self.tokens.expect("(")
            axis = self.tokens.one_of(_PARALLEL, "an axis")
            self.tokens.expect(")")
        strip = self.in_parentheses() if self.tokens.accept("strip") else None
        prefetch = self.tokens.accept("prefetch") is not None
        stream = self.tokens.accept("stream") is not None
        blocks = self.tokens.accept("blocks") is not None
        fuse = self.tokens.accept("fuse") is not None
        stack = self.in_parentheses() if self.tokens.accept("stack") else None
        return Schedule(
            axis, strip, prefetch, stream, blocks, fuse, stack, span=self.expressions.since(start)
        )

    def in_parentheses(self) -> int:
        self.tokens.expect("(")
        number = self.expressions.integer()
        self.tokens.expect(")")
        return number

    def stage(self) -> Stage:
        start = self.tokens.expect("stage").span
        self.tokens.take(TokenKind.NEWLINE)
        return Stage(self.tokens.block(self.do_method), span=self.expressions.since(start))

    def do_method(self) -> DoMethod:
        start = self.tokens.expect("do").span
        interval = self.line(self.interval)
        body = self.tokens.block(self.statements.statement)
        return DoMethod(interval, body, span=self.expressions.since(start))

    def interval(self) -> Interval:
        start = self.tokens.expect("[").span
        lower = self.bound()
        self.tokens.expect(",")
        upper = self.bound()
        self.tokens.expect(")")
        return Interval(lower, upper, span=self.expressions.since(start))

    def bound(self) -> Bound:
        token = self.tokens.next
        if token.kind is TokenKind.NUMBER:
            hint = "Write 'start+1' or 'end-2'."
            raise self.tokens.error("'start', 'end' or a scalar", hint)
        is_anchor = self.tokens.is_at(*_ANCHORS)
        anchor = _ANCHORS[self.tokens.advance().text] if is_anchor else self.expressions.name()
        offset = self.expressions.integer() if self.tokens.is_at("+", "-") else 0
        return Bound(anchor, offset, span=self.expressions.since(token.span))

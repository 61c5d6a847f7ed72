"""A cursor over the tokens of a text, with the errors that every rule of its grammar shares."""

from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from typing import Final, TypeVar

from iir.diagnostics import StencilError
from iir.lexer import Token, TokenKind, syntax_error, tokens
from iir.span import Span

T = TypeVar("T")

_LAYOUT: Final = frozenset({TokenKind.NEWLINE, TokenKind.INDENT, TokenKind.DEDENT})


def join(first: Span, last: Span) -> Span:
    """From the start of *first* to the end of *last*."""
    return Span(first.file, first.line, first.column, last.end_line, last.end_column)


def closest(word: str, known: Mapping[str, object]) -> str:
    """A hint that names what *word* was probably meant to be; empty if nothing is near."""
    near = get_close_matches(word, known, n=1)
    return f"Did you mean '{near[0]}'?" if near else ""


class Tokens:
    """The tokens still to be read."""

    def __init__(self, text: str, file: str) -> None:
        self._rest: Iterator[Token] = tokens(text, file)
        self.next = next(self._rest)
        self.following: Token = next(self._rest, self.next)
        self.last = self.next.span
        """Where the last token lies that is more than layout."""

    def advance(self) -> Token:
        """Take one token."""
        token = self.next
        if token.kind not in _LAYOUT:
            self.last = token.span
        self.next, self.following = self.following, next(self._rest, self.following)
        return token

    def is_at(self, *words: str) -> bool:
        """Whether a symbol or an unquoted word of these comes next."""
        return self.next.kind in (TokenKind.NAME, TokenKind.SYMBOL) and self.next.text in words

    def accept(self, *words: str) -> Token | None:
        """Take the next token if it is one of *words*."""
        return self.advance() if self.is_at(*words) else None

    def expect(self, word: str) -> Token:
        if not self.is_at(word):
            raise self.error(f"'{word}'")
        return self.advance()

    def take(self, kind: TokenKind) -> Token:
        if self.next.kind is not kind:
            raise self.error(kind.value)
        return self.advance()

    def one_of(self, known: Mapping[str, T], what: str) -> T:
        """Take a word of *known* and return what it stands for."""
        if self.next.kind is not TokenKind.NAME or self.next.text not in known:
            hint = closest(self.next.text, known) or f"One of {', '.join(known)}."
            raise self.error(what, hint)
        return known[self.advance().text]

    def begin_block(self) -> bool:
        """Take the indentation of the next line, if there is any."""
        return self.next.kind is TokenKind.INDENT and bool(self.advance())

    def end_block(self) -> bool:
        """Take the end of the block, if it ends here."""
        return self.next.kind is TokenKind.DEDENT and bool(self.advance())

    def block(self, item: Callable[[], T]) -> tuple[T, ...]:
        """The items on the lines indented below; none if the next line is not indented."""
        items: list[T] = []
        if self.begin_block():
            while not self.end_block():
                items.append(item())
        return tuple(items)

    def error(self, expected: str, hint: str = "") -> StencilError:
        """The error that something else than *expected* comes next."""
        found = self.next
        is_word = found.kind in (TokenKind.NAME, TokenKind.NUMBER, TokenKind.STRING, TokenKind.SYMBOL)
        label = f"found '{found.text}'" if is_word else f"found {found.kind.value}"
        return syntax_error(f"Expected {expected}.", found.span, label, hint)

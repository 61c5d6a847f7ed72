"""The textual form cut into tokens; indentation becomes tokens of its own."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Final

from iir.diagnostics import Diagnostic, StencilError
from iir.span import Span


class TokenKind(Enum):
    """What a token is; the value is what an error message calls it."""

    NAME = "a name"
    QUOTED = "a name in backticks"
    NUMBER = "a number"
    STRING = "a string"
    SYMBOL = "a symbol"
    NEWLINE = "the end of the line"
    INDENT = "an indented line"
    DEDENT = "the end of the block"
    END = "the end of the text"


@dataclass(frozen=True, slots=True)
class Token:
    """*text* as written, but a quoted name without its backticks."""

    kind: TokenKind
    text: str
    span: Span


_TOKEN: Final = re.compile(
    r"""
    (?P<BLANK>[ \t\r]+|\#.*)
  | (?P<NUMBER>(?:(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|\$(?:inf|nan))(?:[fi][0-9]+)?(?!\w))
  | (?P<NAME>[^\W\d]\w*)
  | (?P<QUOTED>`[^`]+`)
  | (?P<STRING>"(?:[^"\\]|\\.)*")
  | (?P<SYMBOL>\*\*|//|<=|>=|==|!=|[-+*/%<>=()\[\],:@])
    """,
    re.VERBOSE,
)

# Brackets count alike, because the two ends of '[start, end)' differ.
_DEPTH: Final = {"(": 1, "[": 1, ")": -1, "]": -1}


def syntax_error(message: str, span: Span | None, label: str = "", hint: str = "") -> StencilError:
    return StencilError(Diagnostic(message, "iir-syntax", span, label, hints=(hint,) if hint else ()))


def tokens(text: str, file: str) -> Iterator[Token]:
    """The tokens of *text*; the last one is END. A line goes on while a bracket is open."""
    indents = [0]
    depth = 0
    number, line = 1, ""
    for number, line in enumerate(text.split("\n"), start=1):
        place = _Line(line, number, file)
        on_line = list(place.tokens())
        if not on_line:
            continue
        if depth == 0:
            yield from place.indentation(indents)
        yield from on_line
        depth = max(0, depth + sum(_DEPTH.get(t.text, 0) for t in on_line if t.kind is TokenKind.SYMBOL))
        if depth == 0:
            yield place.newline(on_line[-1])
    last = _Line(line, number, file)
    for kind in (*(TokenKind.DEDENT for _ in indents[1:]), TokenKind.END):
        yield last.token(kind, len(line), len(line))


@dataclass(frozen=True, slots=True)
class _Line:
    text: str
    number: int
    file: str

    def tokens(self) -> Iterator[Token]:
        position = 0
        while position < len(self.text):
            match = _TOKEN.match(self.text, position)
            if match is None:
                raise self.unreadable(position)
            if match.lastgroup != "BLANK":
                yield self.token(TokenKind[match.lastgroup or ""], position, match.end())
            position = match.end()

    def indentation(self, indents: list[int]) -> Iterator[Token]:
        """What the indentation of this line opens or closes; *indents* is kept up to date."""
        width = len(self.text) - len(self.text.lstrip(" "))
        if self.text[width] == "\t":
            raise syntax_error("Lines are indented with spaces.", self.span(width, width + 1), "a tab")
        if width > indents[-1]:
            indents.append(width)
            yield self.token(TokenKind.INDENT, 0, width)
        while width < indents[-1]:
            indents.pop()
            yield self.token(TokenKind.DEDENT, width, width)
        if width != indents[-1]:
            raise syntax_error(
                "The indentation of this line is that of no line above.",
                self.span(0, width),
                f"the nearest are {indents[-1]} and more than {width} spaces",
            )

    def newline(self, last: Token) -> Token:
        end = last.span.end_column
        return Token(TokenKind.NEWLINE, "", Span(self.file, self.number, end, self.number, end))

    def unreadable(self, position: int) -> StencilError:
        character = self.text[position]
        label, end = f"'{character}' begins nothing", position + 1
        if character in '`"':
            label, end = f"the closing {character} is missing", len(self.text)
        elif character.isdigit() or character in ".$":
            label = "not a number"
        return syntax_error("This is not part of the textual form.", self.span(position, end), label)

    def token(self, kind: TokenKind, start: int, end: int) -> Token:
        text = self.text[start:end]
        return Token(kind, text.strip("`") if kind is TokenKind.QUOTED else text, self.span(start, end))

    def span(self, start: int, end: int) -> Span:
        columns = (start, end) if self.text.isascii() else (self.bytes_before(start), self.bytes_before(end))
        return Span(self.file, self.number, columns[0], self.number, columns[1])

    def bytes_before(self, position: int) -> int:
        return len(self.text[:position].encode())

"""Writes free-form Fortran: nested blocks, no line over 132 columns, continued between tokens."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from textwrap import wrap
from typing import Final

LONGEST: Final = 132
_STEP: Final = "  "
_CONTINUED: Final = " &"
_TOKEN: Final = re.compile(
    r"'(?:[^']|'')*'"  # a text
    r"|\.[A-Za-z]+\."  # a logical operator
    r"|(?:\d+\.?\d*|\.\d+)(?:[eEdD][+-]?\d+)?(?:_\w+)?"  # a number and its kind
    r"|\w+|\*\*|//|==|/=|<=|>=|=>|::|\s+|.",
    re.DOTALL,
)


class FortranWriter:
    """Lines of Fortran; nested `block`s mirror the code that is written."""

    def __init__(self, depth: int = 0) -> None:
        self.depth = depth
        self._lines: list[str] = []

    def line(self, statement: str = "") -> None:
        """A statement, on as many lines as it needs."""
        room = LONGEST - len(self._indent)
        if len(statement) <= room:
            self._append(statement)
            return
        for part in _parts(statement, room - len(_CONTINUED) - len(_STEP)):
            self._append(part)

    def comment(self, text: str = "") -> None:
        """A remark, on as many lines as it needs; those after the first stand further to the right."""
        # The preprocessor takes quotation marks seriously, in comments too.
        shown = text.replace("'", "").replace('"', "")
        room = LONGEST - len(self._indent)
        for line in wrap(f"! {shown}", room, subsequent_indent="!   ", break_long_words=True) or ["!"]:
            self._append(line)

    def directive(self, text: str) -> None:
        """A line for the preprocessor."""
        self._lines.append(text)

    @contextmanager
    def block(self, head: str, end: str) -> Iterator[None]:
        """Lines written inside stand indented between *head* and *end*."""
        self.line(head)
        self.depth += 1
        yield
        self.depth -= 1
        self.line(end)

    def alternative(self, head: str) -> None:
        """A line between two parts of a block."""
        self.depth -= 1
        self.line(head)
        self.depth += 1

    def include(self, other: "FortranWriter") -> None:
        """The lines of *other* as they are."""
        self._lines += other._lines

    @property
    def text(self) -> str:
        return "".join(f"{line}\n" for line in self._lines)

    @property
    def _indent(self) -> str:
        return _STEP * self.depth

    def _append(self, text: str) -> None:
        self._lines.append(self._indent + text if text else "")


def _parts(statement: str, room: int) -> Iterator[str]:
    """*statement* as lines of at most *room* characters beside marks and indent.

    They end after the last of the outermost commas, if it is not near the beginning, else after any token.
    """
    tokens = _TOKEN.findall(statement)
    indent, first = "", 0
    while first < len(tokens):
        last = _last(tokens, first, room)
        is_end = last == len(tokens)
        text = "".join(tokens[first:last]).strip()
        yield indent + text + ("" if is_end else _CONTINUED)
        indent, first = _STEP, last


def _last(tokens: list[str], first: int, room: int) -> int:
    """The number of the token after those that stand on one line."""
    width, depth = 0, 0
    best, outermost = 0, len(tokens)
    for number in range(first, len(tokens)):
        width += len(tokens[number])
        if width > room:
            assert number > first, "a token is longer than a line"
            return best or number
        depth += tokens[number].count("(") + tokens[number].count("[")
        depth -= tokens[number].count(")") + tokens[number].count("]")
        if tokens[number] == "," and width > room // 3 and depth <= outermost:
            best, outermost = number + 1, depth
    return len(tokens)

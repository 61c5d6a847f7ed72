"""Lines of limited length that do not break inside ranges."""

import re
from textwrap import wrap
from typing import Final

_RANGE: Final = re.compile(r"\[[^\[]*?\)(?=$|[^)])")
_HELD: Final = "\N{NO-BREAK SPACE}"


def wrapped(text: str, width: int, indent: str = "") -> list[str]:
    """*text* in lines of at most *width*; only words and ranges longer than that are broken."""
    lines = wrap(_held(text), width, subsequent_indent=indent, break_on_hyphens=False)
    return [line.replace(_HELD, " ") for line in lines]


def longest_word(text: str) -> int:
    """The length of the longest part of *text* that need not be broken."""
    return max(map(len, _held(text).split(" ")))


def _held(text: str) -> str:
    ranges = _RANGE.sub(lambda match: match[0].replace(" ", _HELD), text)
    return ranges.replace(" |", f"{_HELD}|")

"""Lines of limited length that do not break inside ranges."""

import re
from textwrap import wrap
from typing import Final

_RANGE: Final = re.compile(r"([ijk]=)?\[([^()\[\]]|\([^()]*\))*\)(,|;| \|)?")
_HELD: Final = "\N{NO-BREAK SPACE}"


def wrapped(text: str, width: int, indent: str = "") -> list[str]:
    """*text* in lines of at most *width*; only ranges and words longer than that are broken."""
    lines = wrap(_held(text, width), width, subsequent_indent=indent, break_on_hyphens=False)
    return [line.replace(_HELD, " ") for line in lines]


def longest_range(text: str) -> int:
    """The length of the longest part of *text* that need not be broken."""
    return max(map(len, _held(text, len(text)).split(" ")))


def longest_word(text: str) -> int:
    """The same if ranges may be broken at their spaces."""
    return max(map(len, text.split(" ")))


def _held(text: str, width: int) -> str:
    return _RANGE.sub(
        lambda match: match[0].replace(" ", _HELD) if len(match[0]) <= width else match[0], text
    )

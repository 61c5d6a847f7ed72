"""How messages count, list and guess."""

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any, Final

# One wrong letter in a name of three is near; two names that share half their letters are not.
_NEAR: Final = 0.66


_WIDEST: Final = 80


def clipped(text: str) -> str:
    """*text* on one line, its middle left out where it is very long."""
    line = " ".join(text.split())
    half = _WIDEST // 2 - 2
    return line if len(line) <= _WIDEST else f"{line[:half]} ... {line[-half:]}"


def shown(value: Any) -> str:
    """How a message shows an object that a user handed in."""
    try:
        return clipped(repr(value))
    except Exception:  # a foreign class may raise anything
        return f"an object of type '{type(value).__name__}'"


def counted(number: int, word: str) -> str:
    """``1 level``, ``2 levels``."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def are(number: int) -> str:
    """The verb for so many."""
    return "is" if number == 1 else "are"


def quoted(names: Iterable[str]) -> str:
    """``'a', 'b' and 'c'``."""
    *words, last = (f"'{name}'" for name in names)
    return f"{', '.join(words)} and {last}" if words else last


def did_you_mean(name: str, known: Iterable[str]) -> tuple[str, ...]:
    """A hint with the known name that *name* was probably meant to be; none if nothing is near."""
    near = get_close_matches(name, sorted(set(known) - {name}), n=1, cutoff=_NEAR)
    return tuple(f"Did you mean '{match}'?" for match in near)

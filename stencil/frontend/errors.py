"""How the front end makes its errors."""

import difflib
from collections.abc import Iterable

from iir.diagnostics import Diagnostic, StencilError
from iir.span import Span


def error(
    message: str,
    code: str,
    span: Span | None,
    label: str = "",
    *,
    notes: tuple[str, ...] = (),
    hints: tuple[str, ...] = (),
) -> StencilError:
    """The error to raise; the span is None only where there is no source."""
    return StencilError(Diagnostic(message, code, span, label, notes, hints))


def did_you_mean(name: str, candidates: Iterable[str]) -> tuple[str, ...]:
    """A hint with the name that is spelt most like *name*, if any is close."""
    close = difflib.get_close_matches(name, sorted(set(candidates) - {name}), n=1, cutoff=0.6)
    return tuple(f"Did you mean '{match}'?" for match in close)


def counted(number: int, word: str) -> str:
    """``1 argument``, ``2 arguments``."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"

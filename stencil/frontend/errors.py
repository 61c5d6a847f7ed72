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


def check_count(name: str, given: int, least: int, most: int | None, span: Span) -> None:
    """Raise the error if *name* is given too few or too many arguments; *most* None is any number."""
    if least <= given and (most is None or given <= most):
        return
    if most is None:
        needed = f"{least} or more arguments"
    elif most > least:
        needed = f"{least} to {most} arguments" if most > least + 1 else f"{least} or {most} arguments"
    else:
        needed = counted(least, "argument")
    verb = "is" if given == 1 else "are"
    raise error(f"'{name}' takes {needed}, but {given} {verb} given.", "wrong-arguments", span)


def counted(number: int, word: str) -> str:
    """``1 argument``, ``2 arguments``."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"

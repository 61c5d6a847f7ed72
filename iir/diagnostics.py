"""Errors that teach: what is wrong, where, and what to do. One renderer lays all of them out."""

import linecache
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from iir.span import Span

_WIDEST: Final = 160
"""Characters of a source line that are shown."""

_BEFORE: Final = 40
"""As many of them before the place, if the line is longer."""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """What an error says: data, laid out by `render`.

    *message* is one sentence; *label* a fragment under the caret; a note is a fact, a hint is
    something to do. No span only where there is no source.
    """

    message: str
    code: str
    span: Span | None = None
    label: str = ""
    notes: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()


def render(diagnostic: Diagnostic) -> str:
    """The text a user sees."""
    lines = [f"{diagnostic.message} [{diagnostic.code}]"]
    if diagnostic.span is not None:
        lines += _excerpt(diagnostic.span, diagnostic.label)
    lines += [f"  note: {note}" for note in diagnostic.notes]
    lines += [f"  hint: {hint}" for hint in diagnostic.hints]
    return "\n".join(lines)


def _excerpt(span: Span, label: str) -> list[str]:
    lines = [f'  File "{span.file}", line {span.line}']
    source = linecache.getline(span.file, span.line).rstrip("\n")
    if not source:
        return lines
    # ast columns count UTF-8 bytes, a caret stands under characters.
    encoded = source.encode()
    start = len(encoded[: span.column].decode(errors="ignore"))
    stop = len(encoded[: span.end_column].decode(errors="ignore"))
    if span.end_line > span.line:
        stop = len(source)
    source, start, stop = _window(source, start, stop)
    number = f"    {span.line} | "
    pad = "".join("\t" if c == "\t" else " " for c in source[:start])
    carets = "^" * max(1, stop - start)
    lines.append(number + source)
    lines.append(f"{' ' * (len(number) - 2)}| {pad}{carets} {label}".rstrip())
    return lines


def _window(source: str, start: int, stop: int) -> tuple[str, int, int]:
    """The part of a very long line that starts a little before *start*, and the two places in it."""
    if len(source) <= _WIDEST:
        return source, start, stop
    first = max(0, min(start - _BEFORE, len(source) - _WIDEST))
    shown = source[first : first + _WIDEST]
    before, after = "..." if first else "", "..." if first + _WIDEST < len(source) else ""
    inside = shown[len(before) : len(shown) - len(after)]
    return before + inside + after, start - first, min(stop - first, _WIDEST)


class StencilError(Exception):
    """The base of all errors of the package; raised itself where the stencil's author is at fault."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic)
        self.diagnostic = diagnostic

    def __str__(self) -> str:
        return render(self.diagnostic)

    @property
    def kind(self) -> str:
        return self.diagnostic.code

    @property
    def span(self) -> Span | None:
        return self.diagnostic.span


class ArgumentError(StencilError):
    """The caller is at fault: an argument does not fit the stencil. Nothing was written.

    *field* is the argument it is about, *side* one of ``i-low i-high j-low j-high k-low k-high``,
    *needed* and *given* the two numbers (dtypes, shapes) that do not agree.
    """

    def __init__(
        self,
        diagnostic: Diagnostic,
        *,
        field: str | None = None,
        side: str | None = None,
        needed: object = None,
        given: object = None,
    ) -> None:
        super().__init__(diagnostic)
        self.field = field
        self.side = side
        self.needed = needed
        self.given = given


class CheckError(StencilError):
    """The data is at fault: a run-time check inside a kernel failed.

    *index* is (i, j, k) relative to the domain, *values* what the check's message shows.
    """

    def __init__(
        self,
        diagnostic: Diagnostic,
        index: tuple[int, int, int],
        values: Sequence[float] = (),
        state: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(diagnostic)
        # From these an unpickled error is made: it has to cross from one process to another.
        self.args = (diagnostic, index, values)
        self.index = index
        self.values = tuple(values)
        self.state = state or {}


class BackendError(StencilError):
    """A tool is at fault, or asked for what it cannot do."""


class InvalidIIRError(StencilError):
    """The compiler is at fault: a tree breaks the rules of the IIR."""


class StencilWarning(UserWarning):
    """The stencil's author is probably at fault."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic)
        self.diagnostic = diagnostic

    def __str__(self) -> str:
        return render(self.diagnostic)

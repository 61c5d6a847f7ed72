"""The user's text of a statement, for comments."""

import linecache

from iir.span import Span

_LONGEST = 100


def source_text(span: Span | None) -> str:
    """The source that *span* covers as one line, without line numbers so that it stays when text moves."""
    if span is None:
        return ""
    lines = [linecache.getline(span.file, number) for number in range(span.line, span.end_line + 1)]
    text = " ".join(" ".join(lines).split())
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."

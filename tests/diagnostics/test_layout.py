"""How the one renderer lays out what an error says."""

import linecache
from textwrap import dedent
from typing import Final

import pytest

from iir.diagnostics import Diagnostic, render
from iir.span import Span

FILE: Final = "laid_out.py"


@pytest.fixture(autouse=True)
def source(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ["out = flux[0, 0, 1] - flux\n", "\tout = größe + ß\n", "out = (\n", "  u)\n"]
    monkeypatch.setitem(linecache.cache, FILE, (0, None, lines, FILE))


def test_message_place_label_notes_and_hints() -> None:
    diagnostic = Diagnostic(
        "Temporary 'flux' is read at level k+1 before that level is computed.",
        "loop-order",
        Span(FILE, 1, 6, 1, 19),
        "level k+1 comes later in a forward computation",
        notes=("'flux' is written at line 20.",),
        hints=("Put this statement in a computation of its own.", "Use 'computation(BACKWARD)'."),
    )
    assert render(diagnostic) == dedent("""\
        Temporary 'flux' is read at level k+1 before that level is computed. [loop-order]
          File "laid_out.py", line 1
            1 | out = flux[0, 0, 1] - flux
              |       ^^^^^^^^^^^^^ level k+1 comes later in a forward computation
          note: 'flux' is written at line 20.
          hint: Put this statement in a computation of its own.
          hint: Use 'computation(BACKWARD)'.""")


def test_carets_stand_under_characters_not_bytes_and_keep_tabs() -> None:
    line = "\tout = größe + ß"
    start = len(line[: line.index("ß", 13)].encode())
    text = render(Diagnostic("Bad.", "bad", Span(FILE, 2, start, 2, start + 2)))
    assert text.splitlines()[2:] == ["    2 | \tout = größe + ß", "      | \t" + " " * 14 + "^"]


def test_a_span_of_several_lines_is_marked_on_its_first() -> None:
    text = render(Diagnostic("Bad.", "bad", Span(FILE, 3, 6, 4, 4)))
    assert text.splitlines()[2:] == ["    3 | out = (", "      |       ^"]


def test_without_source_only_the_place_is_named() -> None:
    assert render(Diagnostic("Bad.", "bad", Span("nowhere.py", 7, 0, 7, 1))) == (
        'Bad. [bad]\n  File "nowhere.py", line 7'
    )
    assert render(Diagnostic("Bad.", "bad")) == "Bad. [bad]"


@pytest.mark.parametrize(
    ("start", "stop", "excerpt", "carets"),
    [
        (2, 4, "0123456789" * 15 + "0123456...", "  ^^"),
        (2, 900, "0123456789" * 15 + "0123456...", "  " + "^" * 158),
        (500, 501, "..." + ("0123456789" * 16)[3:-3] + "...", " " * 40 + "^"),
        (998, 1000, "..." + ("0123456789" * 16)[3:], " " * 158 + "^^"),
    ],
)
def test_of_a_very_long_line_the_part_around_the_place_is_shown(
    start: int, stop: int, excerpt: str, carets: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(linecache.cache, FILE, (0, None, ["0123456789" * 100 + "\n"], FILE))
    lines = render(Diagnostic("Bad.", "bad", Span(FILE, 1, start, 1, stop))).splitlines()
    assert lines[2:] == [f"    1 | {excerpt}", f"      | {carets}"]

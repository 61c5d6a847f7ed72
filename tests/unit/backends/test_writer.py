"""Indented text."""

from backends.writer import Writer


def test_blocks_indent_what_is_written_inside() -> None:
    w = Writer()
    with w.block("if a:"):
        with w.block("if b:"):
            w.line("c")
        w.line("d")
    w.line("e")
    assert w.text == "if a:\n    if b:\n        c\n    d\ne\n"


def test_empty_lines_have_no_blanks() -> None:
    w = Writer()
    with w.indented():
        w.line()
        w.line("a")
    assert w.text == "\n    a\n"

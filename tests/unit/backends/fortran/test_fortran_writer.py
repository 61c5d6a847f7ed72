"""Lines of Fortran: indentation, continuation between tokens, remarks."""

from backends.fortran.fortran_writer import LONGEST, FortranWriter


def written(statement: str, depth: int = 0) -> list[str]:
    w = FortranWriter(depth)
    w.line(statement)
    return w.text.splitlines()


def test_blocks_indent_what_is_in_them() -> None:
    w = FortranWriter()
    with w.block("if (a) then", "end if"):
        w.line("b = 1")
        w.alternative("else")
        w.line("b = 2")
    assert w.text == "if (a) then\n  b = 1\nelse\n  b = 2\nend if\n"


def test_a_line_that_fits_stays() -> None:
    assert written("x" * LONGEST) == ["x" * LONGEST]


def test_long_lines_are_continued_between_tokens() -> None:
    names = [f"name_{number:03}_{'x' * (number % 50)}" for number in range(60)]
    lines = written(f"call f({', '.join(names)}, 1.5e-3_wp, 'a text, with commas')", depth=3)
    assert all(len(line) <= LONGEST for line in lines)
    assert all(line.endswith(", &") for line in lines[:-1])
    joined = " ".join(line.strip().removesuffix(" &") for line in lines)
    assert joined == f"call f({', '.join(names)}, 1.5e-3_wp, 'a text, with commas')"


def test_outer_commas_are_preferred() -> None:
    lines = written(f"call f({'a' * 60}, g({'b' * 40}, {'c' * 40}), d)")
    assert lines == [f"call f({'a' * 60}, &", f"  g({'b' * 40}, {'c' * 40}), d)"]


def test_without_commas_lines_end_at_any_token() -> None:
    lines = written(" + ".join(f"{'a' * 20}{number}" for number in range(20)))
    assert all(len(line) <= LONGEST for line in lines)
    assert "".join(line.strip().removesuffix("&") for line in lines).replace(" ", "").count("+") == 19


def test_a_text_is_not_broken() -> None:
    text = "'" + "with spaces, and commas " * 4 + "'"
    lines = written(f"call fail({'a' * 40}, {text}, {text})")
    assert sum(text in line for line in lines) == 2


def test_remarks_have_no_quotation_marks_and_are_wrapped() -> None:
    w = FortranWriter()
    w.comment('the user\'s "words" ' * 20)
    lines = w.text.splitlines()
    assert len(lines) > 1 and all(line.startswith("! ") and len(line) <= LONGEST for line in lines)
    assert "'" not in w.text and '"' not in w.text

"""The textual form as it is read."""

import linecache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from iir.builder import (
    add,
    assign,
    binary,
    constant,
    do,
    field,
    negate,
    parallel,
    stage,
    stencil,
    value_of,
    when,
)
from iir.diagnostics import StencilError
from iir.expressions import Binary, Call, Constant, FieldAccess, Operator, ScalarRef
from iir.interval import Interval
from iir.nodes import ScalarDecl
from iir.parser import expr_from_text, from_text, statements_from_text
from iir.printer import to_text
from iir.span import Span
from iir.statements import Assign
from iir.traversal import MAX_DEPTH, walk
from tests.strategies import EVERYTHING as EVERY_FEATURE
from tests.strategies import program
from tests.unit.iir.test_printer import EVERYTHING, everything
from tests.unit.iir.trees import NAMES

HEAD = "stencil s(u: f64[IJK], out: f64[IJK], area: f64[IJ], alpha: f64)\n"
BODY = HEAD + "  multistage parallel\n    stage\n      do [start, end)\n        "


def error_of(text: str) -> str:
    with pytest.raises(StencilError) as caught:
        from_text(text, "some.iir")
    assert caught.value.kind == "iir-syntax"
    return str(caught.value)


def test_printed_stencil_is_read_back() -> None:
    assert from_text(EVERYTHING) == everything()


def test_comments_blank_lines_and_open_brackets_do_not_matter() -> None:
    text = """
# A stencil.
stencil s(u: f64[IJK],   # the field
          out: f64[IJK])

  # Nothing here.
  multistage parallel
    stage

      do [start,
   end)
              out = (u +  # the sum
  1.0)
"""
    expected = parallel(stage(do(assign("out", add("u", 1.0)))))
    assert from_text(text) == stencil("s", (field("u"), field("out")), expected)


def test_blocks_may_be_empty() -> None:
    text = "stencil s()\n  multistage forward\n    stage\n      do [start, end)\n  multistage parallel\n"
    assert to_text(from_text(text)) == text


def test_else_with_a_single_if_is_an_elif() -> None:
    nested = (
        BODY + "if u > 0.0\n          out = u\n        else\n          if u < 0.0\n            out = -u\n"
    )
    assert "elif u < 0.0" in to_text(from_text(nested))


def test_text_may_end_without_a_newline() -> None:
    assert from_text(BODY + "out = u") == from_text(BODY + "out = u\n\n")


def test_lines_may_end_as_on_windows() -> None:
    assert from_text(EVERYTHING.replace("\n", "\r\n")) == everything()


def source_of(span: Span) -> str:
    line = linecache.getline(span.file, span.line)
    return line.encode()[span.column : span.end_column].decode()


def test_spans_point_into_the_text() -> None:
    ir = from_text(BODY + "out = (u + alpha) * sqrt(area[1, 0])\n")
    spans = [(node, node.span) for node in walk(ir) if node.span is not None]
    assert len(spans) == len(list(walk(ir)))
    quoted = {type(node): source_of(span) for node, span in spans if span.line == span.end_line}
    assert quoted[ScalarRef] == "alpha"
    assert quoted[FieldAccess] == "area[1, 0]"
    assert quoted[Call] == "sqrt(area[1, 0])"
    assert quoted[Binary] == "u + alpha"
    assert quoted[Assign] == "out = (u + alpha) * sqrt(area[1, 0])"
    assert quoted[Interval] == "[start, end)"
    assert quoted[ScalarDecl] == "alpha: f64"


def test_spans_count_bytes() -> None:
    text = "stencil s(ψ: f64[IJK], φ: f64[IJK])\n"
    span = from_text(text).parameters[1].span
    assert span is not None and source_of(span) == "φ: f64[IJK]"


def test_excerpts_come_from_the_file_if_there_is_one(tmp_path: Path) -> None:
    file = tmp_path / "bad.iir"
    file.write_text("stencil s(u: f46)\n")
    with pytest.raises(StencilError, match="stencil s") as caught:
        from_text(file.read_text(), str(file))
    assert caught.value.span == Span(str(file), 1, 13, 1, 16)


@pytest.mark.parametrize(
    "text, value",
    [
        ("-4.0", -4.0),
        ("4", 4),
        ("-4", -4),
        (".5", 0.5),
        ("5.", 5.0),
        ("1e3", 1000.0),
        ("16777217.0f32", 16777216.0),
    ],
)
def test_literal_is_a_constant(text: str, value: float) -> None:
    expr = expr_from_text(text, {})
    assert isinstance(expr, Constant) and type(expr.value) is type(value) and expr.value == value


def test_minus_before_a_power_is_no_sign() -> None:
    assert expr_from_text("-4.0 ** u", NAMES) == negate(binary("**", 4.0, "u"))
    assert expr_from_text("(-4.0) ** u", NAMES) == binary("**", -4.0, "u")


def test_statements_are_read_alone() -> None:
    text = "u = 1.0\nif n > 0\n  u = 2.0\n"
    condition = Binary(Operator.GT, value_of("n"), constant(0))
    assert statements_from_text(text, NAMES) == (assign("u", 1.0), when(condition, assign("u", 2.0)))
    assert statements_from_text("", NAMES) == ()


def test_error_shows_line_and_caret() -> None:
    assert (
        error_of(BODY + "out = v + 1.0\n")
        == """\
'v' is not declared. [iir-syntax]
  File "some.iir", line 5
    5 |         out = v + 1.0
      |               ^"""
    )


@pytest.mark.parametrize(
    "statement, message, caret",
    [
        ("out = uu", "'uu' is not declared.", "uu"),
        ("out = u +", "Expected an expression.", ""),
        ("out = u u", "Expected the end of the line.", "u"),
        ("out = (u", "Expected ')'.", ""),
        ("out = u[1, 0]", "'u' is a field on IJK: its offset has 3 numbers, not 2.", "[1, 0]"),
        ("out = area[1, 0, 0]", "'area' is a field on IJ: its offset has 2 numbers, not 3.", "[1, 0, 0]"),
        ("out = u[1, 0, 0.5]", "Expected a whole number.", "0.5"),
        ("out = alpha[1, 0, 0]", "Expected the end of the line.", "["),
        ("out = 0.0 < u < 1.0", "Comparisons do not chain.", "<"),
        ("out = sqr(u)", "'sqr' is no function and no dtype.", "sqr"),
        ("out = f32(u, u)", "A cast takes one operand, not 2.", "f32(u, u)"),
        ("out = 4f32", "'4f32' is not a number of the language.", "4f32"),
        ("out = 4.0i32", "'4.0i32' is not a number of the language.", "4.0i32"),
        ("out = 4.0f16", "'4.0f16' is not a number of the language.", "4.0f16"),
        ("out = 1e400", "'1e400' is out of range.", "1e400"),
        ("out = 1e39f32", "'1e39f32' is out of range.", "1e39f32"),
        ("out = " + "9" * 101, "This number fits no dtype.", "9" * 101),
        ("out = 1x", "This is not part of the textual form.", "1"),
        ("out = `u", "This is not part of the textual form.", "`u"),
        ("out = u ? 1.0", "This is not part of the textual form.", "?"),
        ("alpha = u", "'alpha' is a scalar and cannot be stored to.", "alpha"),
        ("1.0 = u", "Expected a field to store to.", "1.0"),
        ("end = u", "Expected a field to store to.", "end"),
        ("out, u = alpha", "Expected 'call'.", "alpha"),
        ('check users(u > 0.0, "")', "Expected the kind of the check.", "users"),
        ("check user(u > 0.0, u)", "Expected a string.", "u"),
        ('check user(u > 0.0, "\\x")', "This string is not written as JSON writes strings.", '"\\x"'),
        ('call "m:f"() effects(all)', "Expected the effects of the function.", "all"),
        ("out = u\n          out = u", "Expected a field to store to.", ""),
    ],
)
def test_statement_that_is_no_statement_is_an_error(statement: str, message: str, caret: str) -> None:
    with pytest.raises(StencilError) as caught:
        from_text(BODY + statement + "\n")
    assert caught.value.diagnostic.message.startswith(message)
    span = caught.value.span
    assert span is not None and source_of(span).strip() == caret


@pytest.mark.parametrize(
    "text, message, caret",
    [
        ("", "Expected 'stencil'.", ""),
        ("stencl s()", "Expected 'stencil'.", "stencl"),
        ("stencil end()", "Expected a name.", "end"),
        ("stencil s(u)", "Expected ':'.", ")"),
        ("stencil s(u: f46)", "Expected a dtype.", "f46"),
        ("stencil s(u: f64[IJX])", "Expected the axes of a field.", "IJX"),
        ("stencil s(u: f64, u: f32)", "'u' is declared twice.", "u"),
        ("stencil s(u: f64\n", "Expected ')'.", ""),
        ("stencil s()\nstencil t()", "Expected the end of the text.", "stencil"),
        ("stencil s()\n\tmultistage parallel", "Lines are indented with spaces.", ""),
        ("stencil s()\n  multistage sideways", "Expected a loop order.", "sideways"),
        ("stencil s()\n  multistage parallel @ tile", "Expected 'parallel'.", "tile"),
        ("stencil s()\n  multistage parallel @ parallel(x)", "Expected an axis.", "x"),
        ("stencil s()\n  temporary t: f64", "Expected '['.", ""),
        ("stencil s()\n  temporary t: f64[IJK] @ attic", "Expected a storage.", "attic"),
        ("stencil s()\n  temporary t: f64[IJK] attic", "Expected the end of the line.", "attic"),
        ("stencil s()\n  temporary t: f64[IJK] @ row heap", "Expected the end of the line.", "heap"),
        ("stencil s(t: f64[IJK] heap)", "Expected ')'.", "heap"),
        ("stencil s()\n  multistage parallel\n    stage\n   stage", "The indentation of this line is", ""),
        ("stencil s()\n  stage", "Expected 'multistage'.", "stage"),
        ("stencil s()\n  multistage parallel\n    stage\n      do [0, end)", "Expected 'start', 'end'", "0"),
        ("stencil s()\n  multistage parallel\n    stage\n      do [start, end]", "Expected ')'.", "]"),
        ("stencil s()\n  multistage parallel\n    stage\n      do [start+n, end)", "Expected a whole", "n"),
    ],
)
def test_text_that_is_no_stencil_is_an_error(text: str, message: str, caret: str) -> None:
    with pytest.raises(StencilError) as caught:
        from_text(text)
    assert caught.value.diagnostic.message.startswith(message)
    span = caught.value.span
    assert span is not None and source_of(span).strip() == caret


def test_hints_name_what_was_meant() -> None:
    assert "hint: Did you mean 'sqrt'?" in error_of(BODY + "out = sqr(u)\n")
    assert "hint: Did you mean 'alpha'?" in error_of(BODY + "out = alhpa\n")
    assert "hint: Did you mean 'forward'?" in error_of("stencil s()\n  multistage foward\n")
    assert "is written `end`" in error_of("stencil s(end: f64)\n")
    assert "hint: Write '4.0f32'." in error_of(BODY + "out = 4f32\n")


def test_text_that_nests_too_deeply_is_an_error() -> None:
    assert "more than" in error_of(BODY + "out = " + "(" * 5000 + "u" + ")" * 5000 + "\n")
    assert "more than" in error_of(BODY + "out = " + " + ".join(["u"] * (MAX_DEPTH + 10)) + "\n")


def test_text_that_is_not_unicode_is_an_error() -> None:
    assert "not valid Unicode" in error_of("stencil \ud800()")


def test_long_sums_are_read_and_printed() -> None:
    text = BODY + "out = " + " + ".join(["u"] * (MAX_DEPTH - 10)) + "\n"
    assert from_text(to_text(from_text(text))) == from_text(text)


WORDS = EVERYTHING.replace("(", " ( ").split()
PIECES = st.sampled_from([*WORDS, "\n", "\n  ", "`", '"', "$", "-", "[", ")", "é"])


@given(st.data())
def test_no_text_raises_anything_else(data: st.DataObject) -> None:
    lines = EVERYTHING.split("\n")
    line = data.draw(st.integers(0, len(lines) - 1))
    column = data.draw(st.integers(0, len(lines[line])))
    piece = data.draw(st.text(max_size=5) | PIECES)
    width = data.draw(st.integers(0, 10))
    lines[line] = lines[line][:column] + piece + lines[line][column + width :]
    try:
        ir = from_text("\n".join(lines))
    except StencilError as error:
        assert error.kind == "iir-syntax"
        assert str(error)
    else:
        assert from_text(to_text(ir)) == ir


@pytest.mark.parametrize("index", range(40))
def test_random_stencils_are_read_back(index: int) -> None:
    ir = program(1, index, EVERY_FEATURE).ir
    text = to_text(ir)
    assert from_text(text) == ir
    assert to_text(from_text(text)) == text

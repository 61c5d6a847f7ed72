"""The textual form as it is printed."""

import pytest
from hypothesis import given

from iir.base import Node
from iir.builder import (
    add,
    assign,
    at,
    binary,
    call,
    cast,
    div,
    do,
    field,
    interval,
    invert,
    mul,
    negate,
    parallel,
    scalar,
    select,
    stage,
    stencil,
    sub,
    temporary,
    value_of,
    when,
)
from iir.dtypes import DType
from iir.expressions import Constant, Expr
from iir.nodes import DoMethod, LoopOrder, MultiStage, Stencil
from iir.parser import expr_from_text
from iir.printer import expr_text, to_text
from iir.schedule import Axis, Schedule
from iir.statements import Bundle, Check, CheckKind, Effects, ExternalCall, Guard
from tests.unit.iir.trees import EXPRESSIONS, NAMES


@given(EXPRESSIONS)
def test_text_of_an_expression_is_read_back(expr: Expr) -> None:
    assert expr_from_text(expr_text(expr, declarations=NAMES) + "\n", NAMES) == expr


@pytest.mark.parametrize(
    "expr, text",
    [
        (add("a", "b", "c"), "a + b + c"),
        (add("a", add("b", "c")), "a + (b + c)"),
        (sub("a", sub("b", "c")), "a - (b - c)"),
        (mul(add("a", "b"), "c"), "(a + b) * c"),
        (div("a", mul("b", "c")), "a / (b * c)"),
        (binary("**", "a", binary("**", "b", "c")), "a ** b ** c"),
        (binary("**", binary("**", "a", "b"), "c"), "(a ** b) ** c"),
        (binary("**", -4.0, "a"), "(-4.0) ** a"),
        (binary("**", "a", -4.0), "a ** -4.0"),
        (negate(binary("**", 4.0, "a")), "-4.0 ** a"),
        (binary("**", negate("a"), "b"), "(-a) ** b"),
        (negate(negate("a")), "--a"),
        (negate(add("a", "b")), "-(a + b)"),
        (mul(negate("a"), "b"), "-a * b"),
        (negate(mul("a", "b")), "-(a * b)"),
        (negate(4.0), "-(4.0)"),
        (negate(-4.0), "-(-4.0)"),
        (sub("a", -4.0), "a - -4.0"),
        (invert(binary("==", "a", "b")), "not a == b"),
        (binary("==", invert("a"), "b"), "(not a) == b"),
        (binary("==", binary("<", "a", "b"), binary("<", "b", "a")), "(a < b) == (b < a)"),
        (binary("or", binary("and", "a", "b"), "c"), "a and b or c"),
        (binary("and", binary("or", "a", "b"), "c"), "(a or b) and c"),
        (
            select("c", select("d", 1.0, 2.0), select("e", 3.0, 4.0)),
            "(1.0 if d else 2.0) if c else 3.0 if e else 4.0",
        ),
        (add(select("c", "a", "b"), 1.0), "(a if c else b) + 1.0"),
        (call("min", "a", sub("b", "c")), "min(a, b - c)"),
        (cast("f32", add("a", "b")), "f32(a + b)"),
        (value_of("alpha"), "alpha"),
        (at("u", i=1, k=-2), "u[1, 0, -2]"),
    ],
)
def test_expression_has_the_fewest_parentheses(expr: Expr, text: str) -> None:
    assert expr_text(expr) == text


@pytest.mark.parametrize(
    "value, dtype, text",
    [
        (4.0, "f64", "4.0"),
        (-0.0, "f64", "-0.0"),
        (1e300, "f64", "1e+300"),
        (5e-324, "f64", "5e-324"),
        (float("inf"), "f64", "$inf"),
        (float("-inf"), "f32", "-$inff32"),
        (float("nan"), "f32", "$nanf32"),
        (0.10000000149011612, "f32", "0.1f32"),
        (3.4028234663852886e38, "f32", "3.4028235e+38f32"),
        (1.401298464324817e-45, "f32", "1e-45f32"),
        (4, "i64", "4"),
        (-(2**63), "i64", "-9223372036854775808"),
        (-128, "i8", "-128i8"),
        (7, "i32", "7i32"),
        (True, "bool", "True"),
    ],
)
def test_constant_is_written_with_its_dtype(value: bool | int | float, dtype: str, text: str) -> None:
    assert expr_text(Constant(value, DType(dtype))) == text


@pytest.mark.parametrize(
    "name, text", [("u", "u"), ("φ", "φ"), ("end", "`end`"), ("if", "`if`"), ("a b", "`a b`")]
)
def test_name_that_reads_as_something_else_is_quoted(name: str, text: str) -> None:
    assert expr_text(at(name)) == text


def test_offset_lists_the_axes_of_the_field() -> None:
    names = {"area": field("area", axes="IJ"), "eta": field("eta", axes="K"), "t": temporary("t")}
    assert expr_text(at("area", i=-1), declarations=names) == "area[-1, 0]"
    assert expr_text(at("eta", k=1), declarations=names) == "eta[1]"
    assert expr_text(at("t", k=1), declarations=names) == "t[0, 0, 1]"
    assert expr_text(at("area", k=1), declarations=names) == "area[0, 0, 1]"


def everything() -> Stencil:
    """A stencil with each form of statement and declaration."""
    guards, message = (Guard(at("t"), at("u")),), 'u is %g "x" %%'
    check = Check(binary(">", "u", 0.0), CheckKind.USER, message, (at("u"),), guards, (0, 3))
    bundles = (Bundle("deopt", (at("u"),)), Bundle("é", ()))
    outside = ExternalCall((at("out"), at("t")), "m:f.g", (at("u", i=1),), Effects.READ, bundles)
    otherwise = when(binary("<", "u", 1.0), assign("t", 2.0), orelse=(assign("t", 3.0), assign("t", 4.0)))
    branches = when(binary("<", "u", 0.0), assign("t", 1.0), orelse=(otherwise,))
    inside = do(check, outside, on=interval("start+1", "n-2"))
    sweep = do(ExternalCall((), "m:f", ()), on=interval("n", "end"))
    return stencil(
        "all",
        (field("u"), field("out"), field("area", "f32", "IJ"), scalar("n", "i32")),
        MultiStage(LoopOrder.PARALLEL, (stage(do(branches), inside),), Schedule(Axis.K)),
        MultiStage(LoopOrder.FORWARD, (stage(sweep),), Schedule()),
        temporaries=(temporary("t"), temporary("heap", "f32", "IJ", on_heap=True)),
    )


EVERYTHING = """\
stencil all(u: f64[IJK], out: f64[IJK], area: f32[IJ], n: i32)
  temporary t: f64[IJK]
  temporary heap: f32[IJ] heap
  multistage parallel  @ parallel(k)
    stage
      do [start, end)
        if u < 0.0
          t = 1.0
        elif u < 1.0
          t = 2.0
        else
          t = 3.0
          t = 4.0
      do [start+1, n-2)
        check user(u > 0.0, "u is %g \\"x\\" %%", u) guard(t = u) key(0, 3)
        out, t = call "m:f.g"(u[1, 0, 0]) effects(read) bundle "deopt"(u) bundle "é"()
  multistage forward  @ serial
    stage
      do [n, end)
        call "m:f"()
"""


def test_each_form_is_printed() -> None:
    assert to_text(everything()) == EVERYTHING


def test_part_of_a_tree_is_printed_alone() -> None:
    names = {item.name: item for item in everything().parameters}
    first, second = everything().multistages
    check, outside = first.stages[0].do_methods[1].body
    assert to_text(second).splitlines()[0] == "multistage forward  @ serial"
    assert to_text(second.stages[0]) == 'stage\n  do [n, end)\n    call "m:f"()'
    assert to_text(DoMethod(interval("start", "end-1"), ())) == "do [start, end-1)"
    assert to_text(interval("start", "n+1")) == "[start, n+1)"
    assert to_text(interval("start", "n+1").end) == "n+1"
    assert to_text(Schedule(Axis.J)) == "parallel(j)"
    assert to_text(Schedule(strip=64, stack=0)) == "serial strip(64) stack(0)"
    assert to_text(Schedule(Axis.K, prefetch=True, blocks=True)) == "parallel(k) prefetch blocks"
    assert to_text(field("u")) == "u: f64[IJK]"
    assert isinstance(check, Check) and to_text(check.guards[0]) == "t = u"
    assert isinstance(outside, ExternalCall) and to_text(outside.bundles[0]) == '"deopt"(u)'
    assert to_text(assign("u", at("area", j=1)), declarations=names) == "u = area[0, 1]"


def test_notes_become_comments() -> None:
    def notes(node: Node) -> tuple[str, ...]:
        return (type(node).__name__, "two\nlines") if isinstance(node, Stencil | DoMethod) else ()

    ir = stencil("s", (field("u"),), parallel(stage(do(assign("u", 1.0)))))
    assert to_text(ir, notes) == (
        "stencil s(u: f64[IJK])\n"
        "  # Stencil\n"
        "  # two\n"
        "  # lines\n"
        "  multistage parallel\n"
        "    stage\n"
        "      do [start, end)\n"
        "        # DoMethod\n"
        "        # two\n"
        "        # lines\n"
        "        u = 1.0\n"
    )


def test_note_on_a_statement_stands_above_it() -> None:
    assert to_text(assign("u", 1.0), lambda node: ["why"]) == "# why\nu = 1.0"

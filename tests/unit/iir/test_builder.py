"""Trees built by hand are the trees that their text spells out."""

import pytest

from iir import builder as b
from iir.expressions import Expr
from iir.parser import expr_from_text, from_text
from iir.verifier import verify
from tests.unit.iir.trees import NAMES

TEXT = """\
stencil s(u: f64[IJK], out: f32[IJ], alpha: f64, n: i32)
  temporary t: f64[IJK]
  multistage parallel
    stage
      do [start, end)
        t = 4.0 * u - u[1, 0, 0]
  multistage forward
    stage
      do [start+1, n-2)
        if u > alpha
          t = 1.0
        else
          t = 2.0
  multistage backward
    stage
      do [start, end)
        out = f32(t)
"""


def test_stencil_is_built() -> None:
    branches = b.when(
        b.binary(">", "u", b.value_of("alpha")), b.assign("t", 1.0), orelse=(b.assign("t", 2.0),)
    )
    built = b.stencil(
        "s",
        (b.field("u"), b.field("out", "f32", "IJ"), b.scalar("alpha"), b.scalar("n", "i32")),
        b.parallel(b.stage(b.do(b.assign("t", b.sub(b.mul(4.0, "u"), b.at("u", i=1)))))),
        b.forward(b.stage(b.do(branches, on=b.interval("start+1", "n-2")))),
        b.backward(b.stage(b.do(b.assign("out", b.cast("f32", "t"))))),
        temporaries=(b.temporary("t"),),
    )
    assert built == from_text(TEXT)
    verify(built, after="builder")


@pytest.mark.parametrize(
    "built, text",
    [
        (b.add("u", "u", 1.0), "u + u + 1.0"),
        (b.mul(2.0, "u", "u"), "2.0 * u * u"),
        (b.div("u", b.value_of("n")), "u / n"),
        (b.negate("u"), "-u"),
        (b.invert(True), "not True"),
        (b.select(b.binary("<", "u", 0.0), "u", 1), "u if u < 0.0 else 1"),
        (b.call("min", "u", 0.5), "min(u, 0.5)"),
        (b.constant(3, "i8"), "3i8"),
        (b.constant(True), "True"),
    ],
)
def test_expression_is_built(built: Expr, text: str) -> None:
    assert built == expr_from_text(text, NAMES)


def test_text_that_is_no_bound_is_refused() -> None:
    with pytest.raises(ValueError, match="is not the text of a bound"):
        b.interval("start", "3")

"""Stencils for tests of passes and analyses, written without their signature."""

from textwrap import dedent, indent

from iir.nodes import Stencil
from iir.parser import from_text
from iir.pipeline import Pass
from iir.printer import to_text
from iir.verifier import verify

SIGNATURE = "stencil s(a: f64[IJK], b: f64[IJK], out: f64[IJK], plane: f64[IJ], x: i64, c: bool)"


def program(text: str) -> Stencil:
    """The stencil with the fields a, b, out on IJK and plane on IJ, and the scalars x and c."""
    ir = from_text(f"{SIGNATURE}\n{indent(dedent(text).strip(), '  ')}\n")
    verify(ir, after="test")
    return ir


def parallel(*lines: str) -> Stencil:
    """One parallel computation on all levels; lines with `temporary` are declarations."""
    return computation("parallel", *lines)


def computation(order: str, *lines: str) -> Stencil:
    """One computation on all levels; lines with `temporary` are declarations."""
    declarations = [line for line in lines if line.startswith("temporary ")]
    body = [line for line in lines if not line.startswith("temporary ")]
    head = f"multistage {order}\n  stage\n    do [start, end)"
    return program("\n".join([*declarations, head, *(f"      {line}" for line in body)]))


def assert_turns_into(rule: Pass, before: Stencil, after: Stencil) -> None:
    """*rule* makes *after* of *before*, and has nothing to do to *after*."""
    result = rule(before)
    verify(result, after=rule.__name__)
    assert to_text(result) == to_text(after)
    assert rule(result) is result


def assert_keeps(rule: Pass, ir: Stencil) -> None:
    """*rule* has nothing to do to *ir*."""
    assert rule(ir) is ir

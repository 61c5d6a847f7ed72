"""Dead statements are found together, and only they."""

from iir.analyses.dead_statements import dead_statements
from iir.nodes import Stencil
from tests.unit.iir.textual import computation, parallel

T = "temporary t: f64[IJK]"
W = "temporary w: f64[IJK]"


def positions(ir: Stencil) -> list[int]:
    """Which statements of the first do-method are dead."""
    dead = dead_statements(ir)
    body = ir.multistages[0].stages[0].do_methods[0].body
    return [n for n, statement in enumerate(body) if id(statement) in dead]


def test_statements_that_feed_only_each_other_are_dead_together() -> None:
    ir = computation("forward", T, W, "t = w[0, 0, -1]", "w = t + a", "out = b")
    assert positions(ir) == [0, 1]


def test_conditional_is_dead_with_all_of_its_body() -> None:
    assert positions(parallel(T, "if a > 0.0", "  t = b", "out = b")) == [0]
    assert positions(parallel(T, "if a > 0.0", "  t = b", "else", "  b = a", "out = b")) == []


def test_store_at_the_end_of_an_argument_is_alive() -> None:
    assert positions(parallel("b = a", "out = b", "b = plane")) == []

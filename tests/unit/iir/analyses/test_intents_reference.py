"""The reference cases of intents: each program with its regions, in text, for every level of it."""

from dataclasses import replace

import pytest

from iir.analyses.intents import FieldIntent, Intent, intents, intents_for
from iir.base import Node
from iir.boxes import Box
from iir.expressions import FieldAccess, Offset
from iir.nodes import Stencil
from iir.parser import from_text
from iir.statements import Assign
from iir.traversal import rewrite

HEAD = "stencil s(a: f64[IJK], b: f64[IJK], x: f64[IJK], y: f64[IJK], m: f64[IJK], c: bool, n: i64)\n"


def program(*lines: str, head: str = HEAD) -> Stencil:
    return from_text(head + "\n".join(lines) + "\n")


def sweep(order: str, *blocks: tuple[str, str], stages: tuple[tuple[tuple[str, str], ...], ...] = ()) -> str:
    """A multistage of one stage with *blocks* (interval, statements), or of *stages* of such blocks."""
    lines = [f"  multistage {order}"]
    for stage in stages or (blocks,):
        lines.append("    stage")
        for interval, statements in stage:
            lines.append(f"      do {interval}")
            lines += [f"        {statement}" for statement in statements.split(";")]
    return "\n".join(lines)


def field(text: str, name: str = "a") -> FieldIntent:
    return intents(program(text))[name]


def column(*levels: tuple[int, int]) -> tuple[Box, ...]:
    return tuple(((0, 3), (0, 2), pair) for pair in levels)


ALL = "[start, end)"
FLOW = "x = a[0, 0, -1];a = y"

ROWS = {
    "the level below is seen": (
        sweep("forward", ("[start+1, end)", FLOW)),
        "k=[start, start+1)",
        "k=[start+1, end)",
        "inout",
    ),
    "a store on the first level covers it": (
        sweep("forward", ("[start, start+1)", "a = y"), ("[start+1, end)", FLOW)),
        "empty",
        "k=[start, end)",
        "out_full",
    ),
    "going down all levels below are seen": (
        sweep("backward", ("[start+1, end)", FLOW)),
        "k=[start, end-1)",
        "k=[start+1, end)",
        "inout",
    ),
    "a level between the intervals is seen": (
        sweep("forward", ("[start, start+1)", "a = y"), ("[start+2, end)", FLOW)),
        "k=[start+1, start+2)",
        "k=[start, start+1) | [start+2, end)",
        "inout",
    ),
    "levels ahead are seen": (
        sweep("forward", ("[start, end-1)", "x = a[0, 0, 1];a = y")),
        "k=[start+1, end)",
        "k=[start, end-1)",
        "inout",
    ),
    "a field that is written and then read is out": (
        sweep("parallel", (ALL, "a = 1.0;a = a + 1.0")),
        "empty",
        "k=[start, end)",
        "out_full",
    ),
    "levels ahead of a later store are seen": (
        sweep(
            "forward",
            stages=((("[end-2, end)", "a = y"),), (("[start+1, start+4)", "b = a[0, 0, 1]"),)),
        ),
        "k=[start+2, start+5)",
        "k=[end-2, end)",
        "inout",
    ),
    "all levels ahead are seen going up": (
        sweep("forward", stages=((("[end-2, end)", "a = y"),), (("[start+1, end)", "b = a[0, 0, 1]"),))),
        "k=[start+2, end+1)",
        "k=[end-2, end)",
        "inout",
    ),
    "what was stored behind is not seen going down": (
        sweep("backward", stages=((("[end-2, end)", "a = y"),), (("[start+1, end)", "b = a[0, 0, 1]"),))),
        "k=[start+2, end-2) | [end, end+1)",
        "k=[end-2, end)",
        "inout",
    ),
    "under a mask neighbours are seen": (
        sweep("parallel", (ALL, "if m > 0.0;  a = 1.0;  b = a[1, 0, 0]")),
        "i=[start+1, end+1), k=[start, end)",
        "k=[start, end)",
        "inout",
    ),
    "under a mask a point sees what it has itself stored": (
        sweep("parallel", (ALL, "if m > 0.0;  a = 1.0;  b = a")),
        "empty",
        "k=[start, end)",
        "out_partial",
    ),
    "in the else part both branches have stored": (
        sweep("parallel", (ALL, "if m > 0.0;  a = 1.0;else;  a = 2.0;  b = a[1, 0, 0]")),
        "i=[end, end+1), k=[start, end)",
        "k=[start, end)",
        "inout",
    ),
    "an array assignment reads before it stores": (
        sweep("parallel", (ALL, "a = a[0, 0, -1]")),
        "k=[start-1, end-1)",
        "k=[start, end)",
        "inout",
    ),
    "an array assignment reads ahead before it stores": (
        sweep("parallel", (ALL, "a = a[0, 0, 1]")),
        "k=[start+1, end+1)",
        "k=[start, end)",
        "inout",
    ),
    "a branch covers nothing behind it": (
        sweep("parallel", (ALL, "if m > 0.0;  a = 1.0"), (ALL, "b = a")),
        "k=[start, end)",
        "k=[start, end)",
        "inout",
    ),
    "both branches cover what comes behind them": (
        sweep("parallel", (ALL, "if m > 0.0;  a = 1.0;else;  a = 2.0"), (ALL, "b = a")),
        "empty",
        "k=[start, end)",
        "out_full",
    ),
    "what one branch stores under a scalar alone covers nothing behind it": (
        sweep("parallel", (ALL, "if m > 0.0;  if c;    a = 1.0;else;  a = 2.0"), (ALL, "b = a")),
        "k=[start, end)",
        "k=[start, end)",
        "inout",
    ),
    "an else part on a scalar covers nothing where the condition holds": (
        sweep("parallel", (ALL, "if c;  x = y;else;  a = 1.0"), (ALL, "b = a")),
        "k=[start, end)",
        "k=[start, end)",
        "inout",
    ),
    "in a nested else part all branches have stored": (
        sweep(
            "parallel",
            (
                ALL,
                "if m > 0.0;  a = 1.0;else;  if x > 0.0;    a = 2.0;  else;    a = 3.0;    b = a[1, 0, 0]",
            ),
        ),
        "i=[end, end+1), k=[start, end)",
        "k=[start, end)",
        "inout",
    ),
    "a condition is read": (
        sweep("parallel", (ALL, "if a[0, 0, 1] > 0.0;  b = 1.0")),
        "k=[start+1, end+1)",
        "empty",
        "in",
    ),
    "both arms of a ternary are read": (
        sweep("parallel", (ALL, "b = a if m > 0.0 else a[0, 0, 1]")),
        "k=[start, end+1)",
        "empty",
        "in",
    ),
    "a gap in the written levels is seen": (
        sweep(
            "forward",
            stages=((("[start, start+4)", "a = y"), ("[start+6, end)", "a = y")), ((ALL, "b = a"),)),
        ),
        "k=[start+4, start+6)",
        "k=[start, start+4) | [start+6, end)",
        "inout",
    ),
    "an earlier multistage covers levels ahead": (
        sweep("parallel", (ALL, "a = y")) + "\n" + sweep("forward", ("[start, end-1)", "b = a[0, 0, 1]")),
        "empty",
        "k=[start, end)",
        "out_full",
    ),
    "a later stage stores before the next level": (
        sweep("forward", stages=(((ALL, "b = a[0, 0, -1]"),), ((ALL, "a = y"),))),
        "k=[start-1, start)",
        "k=[start, end)",
        "inout",
    ),
    "a later stage stores too late going down": (
        sweep("backward", stages=(((ALL, "b = a[0, 0, -1]"),), ((ALL, "a = y"),))),
        "k=[start-1, end-1)",
        "k=[start, end)",
        "inout",
    ),
    "intervals run in loop order, not in the order of the text": (
        sweep("forward", ("[start+1, end)", FLOW), ("[start, start+1)", "a = 0.0")),
        "empty",
        "k=[start, end)",
        "out_full",
    ),
    "a store at the level does not cover the one below": (
        sweep("backward", ("[start+1, end)", "a = y;b = a[0, 0, -1]")),
        "k=[start, end-1)",
        "k=[start+1, end)",
        "inout",
    ),
    "regions are sets, not hulls": (
        sweep("forward", ("[start+5, start+6)", "x = a[0, 0, -1] + a[0, 0, 1]")),
        "k=[start+4, start+5) | [start+6, start+7)",
        "empty",
        "in",
    ),
    "a neighbour outside the domain is seen": (
        sweep("parallel", (ALL, "a = 1.0;b = a[1, 0, 0]")),
        "i=[end, end+1), k=[start, end)",
        "k=[start, end)",
        "inout",
    ),
    "a store on some levels is partial": (
        sweep("parallel", ("[start+1, end)", "a = y")),
        "empty",
        "k=[start+1, end)",
        "out_partial",
    ),
}


@pytest.mark.parametrize("rule", ROWS)
def test_reference_case(rule: str) -> None:
    text, irbw, may_write, label = ROWS[rule]
    found = field(text)
    assert (str(found.irbw), str(found.may_write), found.label) == (irbw, may_write, label)


@pytest.mark.parametrize("rule", [rule for rule, row in ROWS.items() if row[0].count("multistage") == 1])
def test_a_multistage_that_is_alone_does_what_the_stencil_does(rule: str) -> None:
    ir = program(ROWS[rule][0])
    whole, part = intents(ir)["a"], intents(ir, ir.multistages[0])["a"]
    assert (part.irbw, part.may_write, part.intent) == (whole.irbw, whole.may_write, whole.intent)


Levels = list[tuple[int, int]]

DAWN: dict[str, tuple[list[tuple[str, str]], Levels, Levels]] = {
    "2..kend": ([("[start+1, end)", FLOW)], [(1, 1)], [(2, 10)]),
    "1..1, 2..kend": ([("[start, start+1)", "a = 0.0"), ("[start+1, end)", FLOW)], [], [(1, 10)]),
    "1..1, 3..kend": (
        [("[start, start+1)", "a = 0.0"), ("[start+2, end)", FLOW)],
        [(2, 2)],
        [(1, 1), (3, 10)],
    ),
    "2..kend, 1..1": ([("[start+1, end)", FLOW), ("[start, start+1)", "a = 0.0")], [], [(1, 10)]),
}


@pytest.mark.parametrize("loops", DAWN)
def test_levels_that_are_seen_counted_from_1_to_kend(loops: str) -> None:
    blocks, seen, written = DAWN[loops]
    found = field(sweep("forward", *blocks))
    for region, levels in ((found.irbw, seen), (found.may_write, written)):
        assert region.evaluate((3, 2, 10)) == column(*((low - 1, high) for low, high in levels))


def test_going_down_from_kend_to_2_all_levels_but_kend_are_seen() -> None:
    found = field(sweep("backward", ("[start+1, end)", FLOW)))
    assert found.irbw.evaluate((3, 2, 10)) == column((0, 9))


@pytest.mark.parametrize("order", ["parallel", "forward", "backward"])
def test_reading_what_was_written_before_is_out_in_any_order(order: str) -> None:
    assert field(sweep(order, (ALL, "a = 1.0;a = a + 1.0"))).label == "out_full"


def test_an_array_assignment_in_a_forward_sweep_sees_the_level_below_only() -> None:
    assert str(field(sweep("forward", (ALL, "a = a[0, 0, -1]"))).irbw) == "k=[start-1, start)"


def test_a_run_time_bound_decides_the_region() -> None:
    text = sweep("backward", stages=((("[end-2, end)", "a = y"),), (("[n, end-1)", "b = a[0, 0, 1]"),)))
    found = field(text)
    assert found.intent is Intent.INOUT
    for nk in range(2, 8):
        for n in range(nk + 1):
            levels = ((n + 1, nk - 2),) if n + 1 < nk - 2 else ()
            assert found.irbw.evaluate((3, 2, nk), n=n) == column(*levels)
            intent = Intent.OUT if n >= nk - 3 else Intent.INOUT
            assert intents_for(program(text), (3, 2, nk), n=n)["a"].intent is intent
            assert case_of(found, n=n, nk=nk) is intent


def test_a_written_part_up_to_a_run_time_bound() -> None:
    found = field(sweep("parallel", ("[start, n)", "a = 1.0"), (ALL, "b = a")))
    assert (str(found.irbw), str(found.may_write)) == ("k=[n, end)", "k=[start, n)")
    assert found.case_texts == (
        ("n == 0", Intent.IN),
        ("n == nk", Intent.OUT),
        ("1 <= n < nk", Intent.INOUT),
    )


def test_a_condition_on_a_scalar_decides_the_intent() -> None:
    found = field(sweep("parallel", (ALL, "b = a;if c;  a = 1.0")))
    assert found.intent is Intent.INOUT
    assert str(found.irbw) == "k=[start, end)"
    assert found.case_texts == (("not c", Intent.IN), ("c", Intent.INOUT))


def test_under_one_condition_the_analysis_follows_the_path() -> None:
    found = field(sweep("parallel", (ALL, "if c;  a = 1.0"), (ALL, "if c;  b = a")))
    assert (found.label, found.case_texts) == (
        "out_partial",
        (("not c", Intent.NONE), ("c", Intent.OUT)),
    )


def test_a_plane_is_filled_on_the_first_level_and_added_to_above() -> None:
    head = "stencil s(z: f64[IJ], x: f64[IJK])\n"
    text = sweep("forward", ("[start, start+1)", "z = 0.0"), ("[start+1, end)", "z = z + x"))
    found = intents(program(text, head=head))["z"]
    assert (str(found.irbw), str(found.may_write), found.label) == ("empty", "plane", "out_full")


def test_a_plane_is_added_to_before_it_is_filled_going_down() -> None:
    head = "stencil s(z: f64[IJ], x: f64[IJK])\n"
    text = sweep("backward", ("[start, start+1)", "z = 0.0"), ("[start+1, end)", "z = z + x"))
    found = intents(program(text, head=head))["z"]
    assert (str(found.irbw), found.label) == ("plane", "inout")
    assert found.case_texts == (("nk == 1", Intent.OUT), ("nk >= 2", Intent.INOUT))


def test_fields_that_swap_values_are_inout_and_the_temporary_is_out() -> None:
    text = "  temporary t: f64[IJK]\n" + sweep("parallel", (ALL, "t = a;a = b;b = t"))
    table = intents(program(text))
    for name in ("a", "b"):
        assert (str(table[name].irbw), table[name].label) == ("k=[start, end)", "inout")
    temporary = table.temporaries["t"]
    assert (str(temporary.irbw), temporary.label) == ("empty", "out_full")


def test_a_partial_field_says_what_is_missing() -> None:
    found = field(sweep("parallel", ("[start+1, end)", "a = y")))
    assert found.partial
    assert str(found.missing) == "k=[start, start+1)"
    assert not field(sweep("parallel", (ALL, "a = y"))).missing


THOMAS = (
    sweep("forward", ("[start, start+1)", "y = y / x;a = a / x"))
    + "\n"
    + sweep("forward", ("[start+1, end)", "y = y / (x - m * y[0, 0, -1]);a = (a - m * a[0, 0, -1]) / x"))
    + "\n"
    + sweep("backward", ("[start, end-1)", "a = a - y * a[0, 0, 1]"))
)


def test_the_solver_in_place_sees_and_changes_its_whole_right_hand_side() -> None:
    found = field(THOMAS)
    assert (str(found.irbw), str(found.may_write), found.label) == (
        "k=[start, end)",
        "k=[start, end)",
        "inout",
    )


TRIDIAGONAL = """stencil solve(inf: f64[IJK], diag: f64[IJK], sup: f64[IJK], rhs: f64[IJK], out: f64[IJK])
  temporary cp: f64[IJK]
  temporary dp: f64[IJK]
  temporary m: f64[IJK]
  multistage forward
    stage
      do [start, start+1)
        cp = sup / diag
        dp = rhs / diag
      do [start+1, end)
        m = 1.0 / (diag - inf * cp[0, 0, -1])
        cp = sup * m
        dp = (rhs - inf * dp[0, 0, -1]) * m
  multistage backward
    stage
      do [end-1, end)
        out = dp
      do [start, end-1)
        out = dp - cp * out[0, 0, 1]
"""


def test_the_tridiagonal_solver_at_every_node() -> None:
    ir = from_text(TRIDIAGONAL)
    table = intents(ir)
    assert {name: found.label for name, found in table.items()} == {
        **dict.fromkeys(("inf", "diag", "sup", "rhs"), "in"),
        "out": "out_full",
    }
    assert str(table["inf"].irbw) == "k=[start+1, end)"
    assert not any(found.irbw for found in table.temporaries.values())
    forward, backward = ir.multistages
    assert intents(ir, forward).temporaries["cp"].label == "out_full"
    assert intents(ir, backward).temporaries["cp"].intent is Intent.IN
    (stage,) = backward.stages
    last, rest = stage.do_methods
    assert intents(ir, stage)["out"].label == "out_full"
    assert intents(ir, last)["out"].label == "out_partial"
    assert str(intents(ir, rest)["out"].irbw) == "k=[end-1, end)"
    assert intents(ir, rest)["out"].intent is Intent.INOUT


def test_the_solver_into_an_output_fills_all_of_it() -> None:
    text = sweep("backward", ("[end-1, end)", "a = y"), ("[start, end-1)", "a = y - x * a[0, 0, 1]"))
    found = field(text)
    assert (str(found.irbw), found.label) == ("empty", "out_full")


def test_intents_of_a_node_are_those_of_its_own_statements() -> None:
    ir = program(
        sweep("parallel", (ALL, "a = y")) + "\n" + sweep("forward", ("[start, end-1)", "b = a[0, 0, 1]"))
    )
    second = ir.multistages[1]
    assert str(intents(ir, second)["a"].irbw) == "k=[start+1, end)"
    assert intents(ir, second)["a"].intent is Intent.IN
    assert intents(ir)["a"].intent is Intent.OUT
    assert intents(ir, second)["y"].intent is Intent.NONE


def test_a_stage_may_be_out_in_an_inout_multistage() -> None:
    ir = program(sweep("forward", stages=(((ALL, "b = a[0, 0, -1]"),), ((ALL, "a = y"),))))
    first, second = ir.multistages[0].stages
    assert intents(ir, first)["a"].intent is Intent.IN
    assert intents(ir, second)["a"].intent is Intent.OUT
    assert intents(ir, first.do_methods[0])["a"].intent is Intent.IN
    assert intents(ir, ir.multistages[0])["a"].intent is Intent.INOUT


def test_the_printed_form_may_hold_from_a_larger_domain_on() -> None:
    found = field(sweep("parallel", ("[start, start+2)", "a = 1.0"), ("[end-2, end)", "b = a")))
    assert str(found.irbw) == "k=[end-2, end)"
    assert found.generic_from == (1, 1, 4)
    levels = {nk: found.irbw.evaluate((3, 2, nk)) for nk in (2, 3, 4, 5)}
    assert levels == {2: (), 3: column((2, 3)), 4: column((2, 4)), 5: column((3, 5))}
    assert found.case_texts == (("nk == 2", Intent.OUT), ("nk >= 3", Intent.INOUT))


def stored_at(ir: Stencil, *levels: int) -> Stencil:
    """*ir* with the stores to 'a', in order, moved by *levels*; no text stands for that yet."""
    moves = iter(levels)

    def move(node: Node) -> Node:
        match node:
            case Assign(FieldAccess("a") as target, _):
                return replace(node, target=replace(target, offset=Offset(0, 0, next(moves))))
            case _:
                return node

    return rewrite(ir, move)


def test_a_store_at_an_offset_covers_what_it_reaches_before_the_read() -> None:
    ir = program(sweep("forward", ("[start+2, end)", "x = a[0, 0, -1];a = y")))
    found = intents(stored_at(ir, -2))["a"]
    assert (str(found.irbw), str(found.may_write), found.label) == (
        "k=[start+1, end-1)",
        "k=[start, end-2)",
        "inout",
    )


def test_a_store_ahead_covers_a_later_read_ahead() -> None:
    ir = program(sweep("forward", (ALL, "a = x;b = a[0, 0, 1]")))
    found = intents(stored_at(ir, 1))["a"]
    assert (str(found.irbw), str(found.may_write)) == ("empty", "k=[start+1, end+1)")


def case_of(found: FieldIntent, **values: int) -> Intent:
    (intent,) = [intent for condition, intent in found.cases if bool(condition.subs(values))]
    return intent

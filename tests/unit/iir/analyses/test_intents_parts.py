"""The parts of the analysis of intents: covers, conditions, and what the caller must give."""

from collections.abc import Collection
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from iir.analyses.declarations import declarations
from iir.analyses.intents import Intent, intents, intents_for
from iir.analyses.intents.conditions import outcomes, scalar_atoms
from iir.analyses.intents.covers import covers
from iir.analyses.intents.modes import intent_of
from iir.analyses.intents.wrapping import wrapped
from iir.diagnostics import ArgumentError
from iir.nodes import Stencil
from iir.parser import from_text
from iir.statements import If

literal_sets = st.lists(st.integers(0, 255), min_size=1, max_size=6)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(literal_sets, st.integers(0, 255))
def test_a_cover_holds_all_that_is_wanted_and_nothing_else(sets: list[int], seed: int) -> None:
    literals = [item for n, s in enumerate(sets) for item in (((n, True), s), ((n, False), 255 & ~s))]
    wanted = 0
    for member in range(8):
        if seed >> member & 1:
            wanted |= _alike(member, sets)
    held = dict(literals)
    union = 0
    for term in covers(wanted, wanted, literals):
        meaning = 255
        for name in term:
            meaning &= held[name]
        assert not meaning & ~wanted
        union |= meaning
    assert union == wanted


def _alike(member: int, sets: list[int]) -> int:
    """The members that no set tells from *member*."""
    return sum(1 << other for other in range(8) if all((s >> other & 1) == (s >> member & 1) for s in sets))


FLAGS = "efghlop"
NUMBERS = (("x", "1.0"), ("y", "-2.5"), ("n", "7"))


def conditional(*conditions: str) -> Stencil:
    lines = [
        "stencil s(a: f64[IJK], b: f64[IJK], c: bool, d: bool, x: f64, y: f64, n: i64, "
        + ", ".join(f"{flag}: bool" for flag in FLAGS)
        + ")",
        "  multistage parallel",
        "    stage",
        "      do [start, end)",
    ]
    for condition in conditions:
        lines += [f"        if {condition}", "          a = 1.0"]
    return from_text("\n".join([*lines, "        b = a"]) + "\n")


def possible(*conditions: str) -> int:
    ir = conditional(*conditions)
    (do_method,) = ir.multistages[0].stages[0].do_methods
    found = [item.condition for item in do_method.body if isinstance(item, If)]
    atoms = tuple(dict.fromkeys(atom for condition in found for atom in scalar_atoms(condition)))
    return len(outcomes(atoms, declarations(ir)))


def test_comparisons_of_one_scalar_exclude_each_other() -> None:
    assert possible("x > 1.0", "x > 2.0") == 3
    assert possible("x > 1.0", "x == 1.0", "x < 1.0") == 3
    assert possible("n > 1", "n < 2") == 2
    assert possible("x > 1.0", "x < 2.0") == 3


def test_flags_are_independent() -> None:
    assert possible("c", "d", "not c") == 4


def test_comparisons_of_different_scalars_are_independent() -> None:
    every = [f"{name} {operator} {constant}" for name, constant in NUMBERS for operator in ("<", "==", ">")]
    assert possible(*every) == 27
    both_ways = [
        text for name, constant in NUMBERS for text in (f"{name} < {constant}", f"{name} >= {constant}")
    ]
    assert possible(*both_ways, "c", "not c") == 16


@pytest.mark.parametrize(
    ("conditions", "intent"),
    [
        (("c", "not c"), Intent.OUT),
        (("c and d", "not c", "not d"), Intent.OUT),
        (("x > 1.0", "x <= 1.0"), Intent.OUT),
        (("n > 2", "n < 3"), Intent.OUT),
        (("n > 2", "n < 2"), Intent.INOUT),
        (("c", "d"), Intent.INOUT),
    ],
)
def test_conditions_that_leave_no_way_around_a_store_cover_the_read(
    conditions: tuple[str, ...], intent: Intent
) -> None:
    assert intents(conditional(*conditions))["a"].intent is intent


def test_one_flag_decides_exactly() -> None:
    found = intents(conditional("c"))["a"]
    assert found.case_texts == (("not c", Intent.IN), ("c", Intent.OUT))
    assert intents_for(conditional("c"), (2, 2, 3), c=True)["a"].intent is Intent.OUT
    assert intents_for(conditional("c"), (2, 2, 3))["a"].intent is Intent.INOUT


def test_many_comparisons_of_one_scalar_are_still_exact() -> None:
    every = tuple(f"n == {n}" for n in range(9))
    assert len(intents(conditional(*every))["a"].cases) == 2
    assert intents(conditional(*every, "n < 0", "n > 8"))["a"].intent is Intent.OUT


def test_more_outcomes_than_can_be_tried_still_give_a_safe_answer() -> None:
    ir = conditional(*FLAGS, "not e")
    assert intents(ir)["a"].intent is Intent.INOUT
    given = dict.fromkeys(FLAGS, False)
    assert intents_for(ir, (2, 2, 3), given)["a"].intent is Intent.OUT


def test_a_nan_satisfies_no_comparison() -> None:
    ir = conditional("x > 1.0", "x <= 1.0")
    assert intents_for(ir, (2, 2, 3), x=float("nan"))["a"].intent is Intent.IN


RUN_TIME = from_text(
    """stencil s(a: f64[IJK], n: i64, nk: bool)
  multistage parallel
    stage
      do [start+1, n-1)
        a = 1.0
      do [start+3, end)
        a = 2.0
"""
)


@pytest.mark.parametrize(
    ("domain", "scalars", "message"),
    [
        ((2, 2, 2), {"n": 1}, "at least 3 levels"),
        ((2, 2, 4), {}, "depend on scalar 'n'"),
        ((2, 2, 4), {"n": 9}, "leaves the 4 levels"),
        ((2, 2, 4), {"n": 0}, "leaves the 4 levels"),
    ],
)
def test_a_call_that_the_stencil_refuses_has_no_intents(
    domain: tuple[int, int, int], scalars: dict[str, int], message: str
) -> None:
    with pytest.raises(ArgumentError, match=message):
        intents_for(RUN_TIME, domain, scalars)["a"]


def test_the_number_of_levels_gives_way_to_a_scalar_of_its_name() -> None:
    texts = [text for text, _ in intents(RUN_TIME)["a"].case_texts]
    assert any("nk_" in text for text in texts) or all("nk" not in text for text in texts)


def test_many_run_time_bounds_give_a_safe_answer_and_an_exact_evaluation() -> None:
    ir = from_text(
        """stencil s(a: f64[IJK], b: f64[IJK], n: i64, p: i64, q: i64)
  multistage parallel
    stage
      do [start, n)
        a = 1.0
      do [n, p)
        a = 2.0
      do [p, q)
        b = a
"""
    )
    found = intents(ir)["a"]
    assert (found.intent, str(found.must_write)) == (Intent.INOUT, "empty")
    assert found.irbw.evaluate((1, 1, 9), n=2, p=4, q=6) == (((0, 1), (0, 1), (4, 6)),)


def test_wide_halos_and_many_intervals_still_print_what_is_exact() -> None:
    lines = ["stencil s(a: f64[IJK], b: f64[IJK])", "  multistage forward", "    stage"]
    for level in range(30):
        lines += [f"      do [start+{level}, start+{level + 1})", "        b = a[-6, -6, 0] + a[6, 6, 0]"]
        lines += ["        a = b"] * (level % 3 == 0)
    table = intents(from_text("\n".join(lines) + "\n"))
    found = table["a"]
    assert found.generic_from[2] == 30
    for more in (0, 1, 5):
        ni, nj, nk = (size + more for size in found.generic_from)
        assert found.irbw.as_printed((ni, nj, nk)).boxes == found.irbw.evaluate((ni, nj, nk))


def test_nothing_happens_on_an_empty_domain() -> None:
    for domain in ((0, 2, 3), (2, 0, 3), (2, 2, 0)):
        found = intents_for(conditional("c"), domain, c=False)["a"]
        assert (found.intent, found.reads.evaluate(domain)) == (Intent.NONE, ())


def test_a_node_of_another_tree_is_refused() -> None:
    with pytest.raises(ArgumentError, match="no part of stencil 's'"):
        intents(conditional("c"), conditional("c").multistages[0])


def test_lines_break_between_ranges() -> None:
    text = "k=[start, start+1) | [min(n, end-1), end)"
    assert wrapped(text, 24) == ["k=[start, start+1) |", "[min(n, end-1), end)"]


CONDITIONS = ("c", "d", "x > 1.0", "n > 2")
EVERY_CHOICE = tuple(product((False, True), repeat=len(CONDITIONS)))


def condition(holds: Collection[tuple[bool, ...]]) -> str:
    """A condition that holds under the given choices of what `CONDITIONS` are."""
    terms = (
        " and ".join(
            text if is_true else f"not ({text})" for text, is_true in zip(CONDITIONS, item, strict=True)
        )
        for item in holds
    )
    return " or ".join(f"({term})" for term in terms) or "c and not c"


def values_of(choice: tuple[bool, ...]) -> dict[str, bool | float | int]:
    c, d, is_large, is_high = choice
    return {"c": c, "d": d, "x": 1.5 if is_large else 0.5, "n": 3 if is_high else 2}


@pytest.mark.parametrize("number", range(24))
def test_boolean_combinations_of_four_conditions_decide_exactly(number: int) -> None:
    random = Random(number)
    stored, read = (frozenset(item for item in EVERY_CHOICE if random.random() < 0.5) for _ in range(2))
    ir = branches(f"if {condition(stored)}", "  a = 1.0", f"if {condition(read)}", "  b = a")
    found = intents(ir)["a"]
    for choice in EVERY_CHOICE:
        expected = intent_of(choice in read and choice not in stored, choice in stored)
        values = values_of(choice)
        assert intents_for(ir, (2, 2, 3), values)["a"].intent is expected
        held = [intent for condition, intent in found.cases if bool(condition.subs(values))]
        assert held == [expected]


def branches(*lines: str) -> Stencil:
    head = "stencil s(a: f64[IJK], b: f64[IJK], c: bool, d: bool, x: f64, n: i64)\n"
    body = "".join(f"        {line}\n" for line in lines)
    return from_text(f"{head}  multistage parallel\n    stage\n      do [start, end)\n{body}")


@pytest.mark.parametrize(
    ("condition", "cases"),
    [
        ("c and b > 0.0", (("not c", Intent.IN), ("c", Intent.INOUT))),
        ("c or b > 0.0", (("c", Intent.OUT), ("not c", Intent.INOUT))),
        ("not (b > 0.0 or not c)", (("not c", Intent.IN), ("c", Intent.INOUT))),
        ("b > 0.0 and n > 1 and n < 2", (("always", Intent.IN),)),
        ("b > x", (("always", Intent.INOUT),)),
    ],
)
def test_scalars_in_a_condition_on_fields_decide_where_they_can(
    condition: str, cases: tuple[tuple[str, Intent], ...]
) -> None:
    found = intents(branches(f"if {condition}", "  a = 1.0", "b = a"))["a"]
    assert [intent for _, intent in found.cases] == [intent for _, intent in cases]
    assert found.case_texts == (() if len(cases) == 1 else cases)


def test_flags_in_many_conditions_on_fields_do_not_stand_in_the_way_of_others() -> None:
    ir = conditional("c", *(f"b > 0.0 and {flag}" for flag in FLAGS), "not c")
    assert intents(ir)["a"].intent is Intent.OUT


def test_elif_is_reached_where_no_condition_before_it_holds() -> None:
    ir = branches("if c", "  a = 1.0", "elif d", "  a = 2.0", "else", "  b = a", "if not (c or d)", "  b = a")
    assert intents(ir)["a"].case_texts == (("not c and not d", Intent.IN), ("c or d", Intent.OUT))


def test_a_condition_that_is_nested_and_repeated_counts_once() -> None:
    ir = branches(
        "if c", "  if d", "    a = 1.0", "if d", "  if c", "    b = a", "    if not c", "      b = a"
    )
    assert {intent for _, intent in intents(ir)["a"].cases} == {Intent.NONE, Intent.OUT}

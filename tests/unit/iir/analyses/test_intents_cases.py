"""The cases of an intent: which conditions they name, and how these are written."""

from itertools import product

import pytest
import sympy

from iir.analyses.intents import FieldIntent, Intent, intents
from iir.analyses.intents.modes import intent_of
from iir.parser import from_text

HEAD = "stencil s(a: f64[IJK], b: f64[IJK], z: f64[IJ], n: i64, p: i64, on: bool)\n"


def field(*multistages: str, name: str = "a") -> FieldIntent:
    return intents(from_text(HEAD + "".join(multistages)))[name]


def parallel(interval: str, *lines: str) -> str:
    body = "".join(f"        {line}\n" for line in lines)
    return f"  multistage parallel\n    stage\n      do {interval}\n{body}"


SWITCHED = parallel(
    "[start, end)",
    "if n == 0",
    "  a = 0.0",
    "elif n == 1",
    "  a = b",
    "elif n == 2 and on",
    "  a = max(a, 0.0)",
    "elif n > 2",
    "  b = a",
)


def test_bounds_are_compared_with_the_smaller_constant() -> None:
    found = field(parallel("[n, n+1)", "a = 1.0"), parallel("[n, p)", "b = a"))
    assert found.case_texts == (("p <= n+1", Intent.OUT), ("p > n+1", Intent.INOUT))
    assert [condition for condition, _ in found.cases] == [
        sympy.Symbol("p") <= sympy.Symbol("n") + 1,
        sympy.Symbol("p") > sympy.Symbol("n") + 1,
    ]


def test_two_limits_are_one_comparison() -> None:
    found = field(parallel("[n, p)", "a = b"), parallel("[p, end)", "b = a[0, 0, -1]"))
    assert ("n < p < nk-1", Intent.INOUT) in found.case_texts


def test_a_scalar_is_compared_with_a_constant_where_that_says_the_same() -> None:
    found = field(parallel("[start, n)", "b = a"), parallel("[n, p)", "b = a"))
    assert found.case_texts == (("n == 0 and p == 0", Intent.NONE), ("n >= 1 or p >= 1", Intent.IN))


def test_whole_numbers_between_those_of_the_conditions_are_named_by_their_limits() -> None:
    found = field(SWITCHED)
    assert found.case_texts == (
        ("n == 2 and not on or n < 0", Intent.NONE),
        ("n > 2", Intent.IN),
        ("0 <= n < 2", Intent.OUT),
        ("n == 2 and on", Intent.INOUT),
    )


@pytest.mark.parametrize("n", range(-2, 5))
@pytest.mark.parametrize("on", [False, True])
def test_exactly_one_case_of_a_switch_holds(n: int, on: bool) -> None:
    table = intents(from_text(HEAD + SWITCHED))
    held = [intent for condition, intent in table["a"].cases if bool(condition.subs({"n": n, "on": on}))]
    assert held == [table.at((2, 2, 3), n=n, on=on)["a"].intent]


def test_a_plane_under_run_time_bounds_is_as_shown_from_the_first_size_that_shows_it() -> None:
    sweep = "  multistage forward\n    stage\n      do [start+1, n)\n        z = a\n"
    assert field(sweep, name="z").generic_from == (1, 1, 2)


@pytest.mark.parametrize(
    ("dtype", "limit", "beyond"),
    [("i8", 127, 3), ("i8", -128, 3), ("i64", 2**62, 3), ("i64", 2**31 - 1, 2**31), ("i32", 2**31 - 1, 3)],
)
def test_conditions_at_the_limits_of_a_type_are_told_as_they_are(dtype: str, limit: int, beyond: int) -> None:
    body = parallel("[start, end)", f"if n < {limit}", "  a = 1.0", f"if n == {limit}", "  b = a")
    head = HEAD.replace("n: i64", f"n: {dtype}")
    cases = intents(from_text(head + body.replace(f"{limit}", f"{dtype}({limit})")))["a"].cases
    for n, intent in ((limit, Intent.IN), (beyond, Intent.OUT if beyond < limit else Intent.NONE)):
        assert [found for condition, found in cases if bool(condition.subs({"n": n}))] == [intent]


def test_a_condition_on_run_time_bounds_is_joined_in_the_printed_regions() -> None:
    found = field(parallel("[n, end)", "if p > n", "  a = 1.0"), parallel("[start, p)", "b = a"))
    assert (str(found.may_write), str(found.must_write)) == ("k=[n, end)", "k=[n, p)")
    assert found.may_write.evaluate((1, 1, 4), n=2, p=1) == ()
    assert found.generic_from == (1, 1, 1)


@pytest.mark.parametrize("constant", [1, 7, 30])
def test_two_run_time_bounds_are_told_exactly_whatever_the_constants(constant: int) -> None:
    found = field(parallel(f"[start+{constant}, n)", "a = 1.0"), parallel("[p, end)", "b = a[0, 0, -1]"))
    nk = constant + 4
    assert str(found.irbw) == f"k=[p-1, start+{constant}) | [max(n, p-1), end-1)"
    for n, p in product(range(constant, nk + 1), range(nk + 1)):
        exact = found.irbw.evaluate((1, 1, nk), n=n, p=p)
        assert found.irbw.as_printed((1, 1, nk), {"n": n, "p": p}).boxes == exact
        values = {"n": n, "p": p, "nk": nk}
        (intent,) = [intent for condition, intent in found.cases if bool(condition.subs(values))]
        assert intent is intent_of(bool(exact), n > constant)

"""Names that Fortran can have, each for one thing."""

import re

import pytest

from backends.fortran.names import LONGEST, Names


def test_a_good_name_stays() -> None:
    assert Names().claim("wind", "_run") == "wind_run"


def test_names_are_one_whatever_their_case() -> None:
    names = Names(("RC",))
    assert [names.claim(name) for name in ("rc", "u", "U")] == ["rc_", "u", "U_"]


@pytest.mark.parametrize("name", ["x" * 64, "_hidden", "größe", "a-b", "9th"])
def test_other_names_are_shortened_or_changed(name: str) -> None:
    found = Names().claim(name, "_run_and_verify")
    assert re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", found) and len(found) <= LONGEST
    assert found.endswith("_run_and_verify")


def test_long_names_that_begin_alike_stay_apart() -> None:
    names = Names()
    assert names.claim("x" * 70 + "a") != names.claim("x" * 70 + "b")


def test_names_do_not_depend_on_the_order_of_reserved_ones() -> None:
    assert Names(("a", "b")).claim("a") == Names(("b", "a")).claim("a")

"""Names for C and Fortran."""

import pytest

from backends.native.c_names import LONGEST, LONGEST_SUFFIX, parameter_names, symbol


@pytest.mark.parametrize("name", ["hdiff", "vadv_2", "A", "x" * 47])
def test_short_plain_name_is_its_own_symbol(name: str) -> None:
    assert symbol(name) == name


@pytest.mark.parametrize("name", ["x" * 48, "größe", "_hidden", "__", "π", "x" * 300])
def test_other_name_is_shortened_and_told_apart_by_a_digest(name: str) -> None:
    found = symbol(name)
    assert len(found) + len(LONGEST_SUFFIX) <= LONGEST
    assert found.isascii() and found[0].isalpha() and found.isidentifier()
    assert found != symbol(f"{name}x")


def test_digest_does_not_change_from_run_to_run() -> None:
    assert symbol("größe") == "gr__e_d353a267"


def test_parameters_keep_the_user_s_names() -> None:
    assert parameter_names(["u", "alpha"], "s", ("_shape",)) == {"u": "u", "alpha": "alpha"}


@pytest.mark.parametrize("name", ["int", "class", "linux", "domain", "levels", "s_kernels", "stencil_fails"])
def test_parameter_is_no_word_of_c_and_nothing_that_functions_use(name: str) -> None:
    assert parameter_names([name], "s", ()) == {name: f"{name}_"}


def test_parameters_are_apart_with_their_endings() -> None:
    names = parameter_names(["u_shape", "u", "u_", "w_shape"], "s", ("_shape",))
    family = [text for name in names.values() for text in (name, f"{name}_shape")]
    assert len(set(family)) == len(family)
    assert list(names) == ["u_shape", "u", "u_", "w_shape"]


def test_long_parameter_leaves_room_for_endings() -> None:
    (name,) = parameter_names(["n" * 80], "s", ("_strides",)).values()
    assert len(f"{name}_strides") <= LONGEST

"""A function without source cannot be a stencil, and the error says why."""

import linecache

import pytest

from iir.diagnostics import StencilError
from stencil import language
from stencil.frontend import parse


def refused(definition: object, **options: str) -> str:
    with pytest.raises(StencilError) as caught:
        parse(definition, **options)  # type: ignore[arg-type] # what users hand in
    return str(caught.value)


def test_a_function_made_by_exec_has_no_source() -> None:
    names: dict[str, object] = {}
    exec("def made(u: float): pass", names)
    assert refused(names["made"]) == (
        "The source of 'made' cannot be found. [no-source]\n"
        "  hint: Define it in a file, a notebook or a doctest: 'exec' and 'python -c' keep no source."
    )


def test_a_lambda_has_no_definition() -> None:
    assert refused(lambda u: u) == (
        "The source of '<lambda>' cannot be found. [no-source]\n  hint: Write it as a function with 'def'."
    )


def test_a_file_that_is_no_longer_python_has_no_definition() -> None:
    source = "def made(u: float): pass"
    names: dict[str, object] = {}
    exec(compile(source, "gone.py", "exec"), names)
    linecache.cache["gone.py"] = (3, None, ["def ("], "gone.py")
    assert refused(names["made"]).startswith("The source of 'made' cannot be found. [no-source]")


def test_what_is_no_function_is_no_stencil() -> None:
    assert (
        refused(42) == "A stencil is made from a function, not from an object of type 'int'. [not-a-function]"
    )


def test_a_name_that_is_no_identifier_names_no_stencil() -> None:
    assert refused(_stencil, name="two words").splitlines()[0] == (
        "'two words' cannot be the name of a stencil. [bad-name]"
    )


def _stencil(u: float):  # type: ignore[no-untyped-def] # a stencil returns nothing
    with language.computation(language.PARALLEL), language.interval(...):
        t = u


@pytest.mark.parametrize(
    ("name", "use"),
    {
        "sqrt": lambda: language.sqrt(2.0),
        "computation": lambda: language.computation(language.PARALLEL),
        "interval": lambda: language.interval(0, 1),
        "horizontal": language.horizontal,
        "region": lambda: language.region[0],
        "half": lambda: half(1.0),
        "I + ...": lambda: language.I + 1,
        "K - ...": lambda: language.K - 1,
        "J[...]": lambda: language.J[0],
    }.items(),
)
def test_the_language_means_nothing_outside_a_stencil(name: str, use: object) -> None:
    with pytest.raises(StencilError) as caught:
        use()  # type: ignore[operator] # each is a function
    assert str(caught.value) == (
        f"'{name}' means something inside a stencil only. [outside-a-stencil]\n"
        "  hint: Use it in the body of a function with the decorator '@stencil' or '@function'."
    )


def test_a_subroutine_is_made_from_a_function() -> None:
    with pytest.raises(StencilError) as caught:
        language.function(3)  # type: ignore[arg-type] # what users hand in
    assert str(caught.value) == "'@function' takes a function, not an object of type 'int'. [not-a-function]"


@language.function
def half(a):  # type: ignore[no-untyped-def] # parameters of functions have no annotations
    return 0.5 * a

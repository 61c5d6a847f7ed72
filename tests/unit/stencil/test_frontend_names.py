"""Where definitions and the meaning of their names are found."""

import linecache
from collections.abc import Callable
from enum import IntEnum
from functools import wraps
from types import FunctionType
from typing import Any

import numpy as np

import stencil.language as gt
from stencil.annotations import Field
from stencil.frontend import parse
from stencil.language import PARALLEL, computation, interval
from tests.unit.stencil.frontend_text import statements, whole

GRAVITY = 9.81
ONE = "u: f64[IJK]"


class Mode(IntEnum):
    FAST = 2


def from_cell(source: str, **names: Any) -> FunctionType:
    """The function ``f`` of a source that only `linecache` knows, as that of a notebook's cell."""
    file = "<cell 1>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    namespace: dict[str, Any] = {"Field": Field, "np": np, **names}
    exec(compile(source, file, "exec"), namespace)
    found = namespace["f"]
    assert isinstance(found, FunctionType)
    return found


def passed_on(*arguments: object) -> Callable[[FunctionType], FunctionType]:
    return lambda function: function


def test_closures_globals_attributes_members_and_entries() -> None:
    rate, sizes = np.float32(0.5), {"n": (3, 4)}

    def f(u: Field[np.float32]):
        with gt.computation(gt.PARALLEL), gt.interval(...):
            u = rate * u + GRAVITY * np.e + Mode.FAST * u + sizes["n"][1] * u + gt.sqrt(u)

    factor = float(np.float32(GRAVITY * np.e))
    assert statements(f) == f"u = 0.5f32 * u + {factor}f32 + 2.0f32 * u + 4.0f32 * u + sqrt(u)".replace(
        str(factor), str(np.float32(factor))
    )


def test_the_words_of_the_language_need_no_import() -> None:
    f = from_cell("def f(u: Field[float]):\n  with computation(PARALLEL), interval(...):\n    u = exp(u)\n")
    assert statements(f) == "u = exp(u)"


def test_functions_of_numpy_and_math_mean_those_of_the_language() -> None:
    def f(u: Field[float]):
        with computation(PARALLEL), interval(...):
            u = np.arctan2(np.exp(u), np.abs(u)) + np.power(u, 2)

    assert statements(f) == "u = atan2(exp(u), abs(u)) + pow2(u)"


def test_externals_hide_names_outside_and_may_be_renamed() -> None:
    def f(u: Field[float]):
        from __externals__ import GRAVITY
        from __externals__ import SCALE as s
        from __gtscript__ import PARALLEL, computation, interval

        with computation(PARALLEL), interval(...):
            u = GRAVITY * u + s

    assert statements(f, externals={"GRAVITY": 1.62, "SCALE": 2}) == "u = 1.62 * u + 2.0"


def test_a_local_name_hides_one_outside() -> None:
    def f(u: Field[float]):
        with computation(PARALLEL), interval(...):
            GRAVITY = u[1, 0, 0]
            u = GRAVITY

    assert statements(f) == "GRAVITY = u[1, 0, 0]\nu = GRAVITY"


def test_a_definition_under_decorators_and_in_a_method() -> None:
    class Model:
        step = 3

        def make(self) -> FunctionType:
            step = self.step

            # fmt: off
            @passed_on(
                "with arguments",
                "on several lines",
            )
            @passed_on()
            def f(u: Field[float]):
                """A docstring
that returns to the first column."""
                # so does
            # this comment
                with computation(PARALLEL), interval(...):
                    u = step
            # fmt: on

            return f

    assert statements(Model().make()) == "u = 3.0"


def test_the_one_of_two_definitions_that_is_meant() -> None:
    def make(first: bool) -> FunctionType:
        if first:

            def f(u: Field[float]):
                with computation(PARALLEL), interval(...):
                    u = 1

        else:

            def f(u: Field[float]):
                with computation(PARALLEL), interval(...):
                    u = 2

        return f

    assert statements(make(True)) == "u = 1.0"
    assert statements(make(False)) == "u = 2.0"


def test_a_wrapped_function_is_the_one_inside() -> None:
    def f(u: Field[float]):
        with computation(PARALLEL), interval(...):
            u = 1

    @wraps(f)
    def wrapper(*arguments: object) -> None:
        raise AssertionError

    assert statements(wrapper) == "u = 1.0"
    assert statements(staticmethod(f)) == "u = 1.0"


def test_annotations_as_strings_use_the_names_of_the_defining_frame() -> None:
    source = "\n".join(
        [
            "from __future__ import annotations",
            "def make(dtype, names):",
            "    def f(u: Field[dtype], n: 'int' = 1):",
            "        with computation(PARALLEL), interval(...):",
            "            t: dtype = u",
            "            u = t",
            "    names.update(locals())",
            "    return f",
            "names = {}",
            "f = make(np.float32, names)",
            "f.names = names",
        ]
    )
    f = from_cell(source)
    text = whole(f, names=vars(f)["names"])
    assert text.splitlines()[:2] == ["stencil f(u: f32[IJK], n: i64)", "  temporary t: f32[IJK]"]


def test_the_text_of_the_file_may_be_given() -> None:
    source = "def f(u: Field[float]):\n    with computation(PARALLEL), interval(...):\n        u = 1\n"
    names: dict[str, Any] = {"Field": Field}
    exec(compile(source, "<somewhere>", "exec"), names)
    assert statements(names["f"], source=source) == "u = 1.0"


def test_the_name_of_the_stencil_may_be_given() -> None:
    def f(u: Field[float]):
        with computation(PARALLEL), interval(...):
            u = 1

    assert whole(f, name="other").startswith("stencil other(u: f64[IJK])")


def test_the_signature_keeps_kinds_and_defaults() -> None:
    def f(u: Field[float], /, n: int = 2, *, alpha: float, flag: bool = True):
        with computation(PARALLEL), interval(...):
            u = alpha

    assert str(parse(f).signature) == "(u, /, n=2, *, alpha, flag=True)"

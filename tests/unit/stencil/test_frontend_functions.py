"""Functions of the user's are inlined: parameters by value, offsets on top of arguments."""

from textwrap import dedent
from types import SimpleNamespace

import numpy as np

from stencil.annotations import Field
from stencil.language import FORWARD, IJ, PARALLEL, computation, function, interval
from tests.unit.stencil.frontend_text import statements, temporaries


@function
def gradient(a):
    return a[1, 0, 0] - a


@function
def level_mean(a):
    return 0.5 * (a + a[0, 0, -1])


@function
def scaled(a, factor=2.0, *, shift=0):
    """A docstring."""
    return a * factor + shift


@function
def both(a, b):
    total = a + b
    return total, total - b


@function
def limited(a, limit):
    if a > limit:
        return limit
    elif a < -limit:
        return -limit
    return a


@function
def clipped(a):
    if a < 0:
        a = 0
    return a


def test_an_offset_applies_on_top_of_a_shifted_argument() -> None:
    def f(u: Field[float], area: Field[IJ, float]):
        with computation(PARALLEL), interval(...):
            u = gradient(u[1, -1, 2])

    assert statements(f) == "u = u[2, -1, 2] - u[1, -1, 2]"


def test_an_argument_used_more_than_once_is_computed_once() -> None:
    def f(u: Field[float], v: Field[float]):
        with computation(PARALLEL), interval(...):
            u = gradient(u * v)
            u = scaled(u * v)

    assert statements(f) == dedent("""\
        gradient_a = u * v
        u = gradient_a[1, 0, 0] - gradient_a
        u = u * v * 2.0 + 0.0""")


def test_an_argument_is_computed_again_at_another_level() -> None:
    def f(u: Field[float], area: Field[IJ, float]):
        with computation(FORWARD), interval(1, None):
            u = level_mean(u * area)

    assert statements(f) == "level_mean_a = u * area\nu = 0.5 * (level_mean_a + u[0, 0, -1] * area)"


def test_an_argument_is_computed_again_where_a_branch_may_skip_it() -> None:
    def f(u: Field[float], v: Field[float]):
        with computation(PARALLEL), interval(...):
            if v > 0:
                u = gradient(u * v)

    assert statements(f) == dedent("""\
        if v > 0.0
          gradient_a = u * v
          u = u[1, 0, 0] * v[1, 0, 0] - gradient_a""")


def test_defaults_keywords_and_parameters_after_a_star() -> None:
    def f(u: Field[np.float32]):
        with computation(PARALLEL), interval(...):
            u = scaled(u)
            u = scaled(factor=3, a=u, shift=u)
            u = scaled(u, u)

    assert statements(f) == "u = u * 2.0f32 + 0.0f32\nu = u * 3.0f32 + u\nu = u * u + 0.0f32"


def test_several_values_come_back_as_a_tuple() -> None:
    def f(u: Field[float], v: Field[float]):
        with computation(PARALLEL), interval(...):
            u, w = both(u, v)
            v = w

    assert statements(f) == "both_total = u + v\nu = both_total\nw = both_total - v\nv = w"


def test_a_return_in_a_branch_leaves_the_rest_to_the_others() -> None:
    def f(u: Field[float]):
        with computation(PARALLEL), interval(...):
            u = limited(u, 1) + 2

    assert statements(f) == dedent("""\
        if u > 1.0
          limited_2 = 1.0
        else
          if u < -1.0
            limited = -1.0
          else
            limited = u
          limited_2 = limited
        u = limited_2 + 2.0""")


def test_parameters_are_by_value() -> None:
    def f(u: Field[float], v: Field[float]):
        with computation(PARALLEL), interval(...):
            v = clipped(u)

    assert statements(f) == dedent("""\
        clipped_a = u
        if u < 0.0
          clipped_a = 0.0
        v = clipped_a""")


def test_each_call_has_its_own_local_names() -> None:
    def f(u: Field[float], both_total: Field[float]):
        with computation(PARALLEL), interval(...):
            a, b = both(u, 1)
            c, d = both(u, 2)
            u = a + b + c + d

    assert [name for name in temporaries(f) if "total" in name] == ["both_total_2", "both_total_3"]


def test_calls_in_conditions_and_inside_expressions_come_before() -> None:
    def f(u: Field[float]):
        with computation(PARALLEL), interval(...):
            if clipped(u) > 1:
                u = 1
            elif scaled(clipped(-u)) > 2:
                u = 2 if gradient(u) > 0 else scaled(scaled(u))

    assert statements(f) == dedent("""\
        clipped_a = u
        if u < 0.0
          clipped_a = 0.0
        if clipped_a > 1.0
          u = 1.0
        else
          clipped_a_2 = -u
          clipped_a_3 = clipped_a_2
          if clipped_a_2 < 0.0
            clipped_a_3 = 0.0
          if clipped_a_3 * 2.0 + 0.0 > 2.0
            u = 2.0 if u[1, 0, 0] - u > 0.0 else (u * 2.0 + 0.0) * 2.0 + 0.0""")


def test_functions_come_from_externals_attributes_and_arguments() -> None:
    limiters = SimpleNamespace(positive=clipped)

    @function
    def twice(operation, a):
        from __externals__ import FACTOR

        return operation(a) * FACTOR

    def f(u: Field[float]):
        from __externals__ import OPERATION

        with computation(PARALLEL), interval(...):
            u = OPERATION(u)
            u = twice(gradient, u)
            u = limiters.positive(u)

    externals = {"OPERATION": gradient, "FACTOR": 2}
    assert statements(f, externals=externals) == dedent("""\
        u = u[1, 0, 0] - u
        u = (u[1, 0, 0] - u) * 2.0
        clipped_a = u
        if u < 0.0
          clipped_a = 0.0
        u = clipped_a""")


def test_a_known_condition_is_decided_inside_a_function() -> None:
    @function
    def flux(a, upwind):
        if upwind:
            return a - a[-1, 0, 0]
        else:
            return undefined_elsewhere(a)

    def f(u: Field[float]):
        with computation(PARALLEL), interval(...):
            u = flux(u, True)

    assert statements(f) == "u = u - u[-1, 0, 0]"


def test_a_function_sees_the_names_where_it_is_defined() -> None:
    def made(rate):
        @function
        def grow(a):
            return a * rate

        return grow

    rate = 3.0
    slow, fast = made(2.0), made(5.0)

    def f(u: Field[float]):
        with computation(PARALLEL), interval(...):
            u = slow(u) + fast(u) + rate

    assert statements(f) == "u = u * 2.0 + u * 5.0 + 3.0"

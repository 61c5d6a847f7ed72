"""Statements: assignments, branches, blocks, offsets."""

# ruff: noqa: RUF021 - stencils, not Python

from pathlib import Path
from textwrap import dedent

import numpy as np

from stencil.annotations import Field
from stencil.language import (
    BACKWARD,
    FORWARD,
    IJ,
    JK,
    PARALLEL,
    I,
    J,
    K,
    computation,
    float32,
    function,
    interval,
)
from tests.unit.stencil.frontend_text import statements, temporaries, whole


def test_a_whole_stencil_in_the_order_of_its_text() -> None:
    def sweep(u: Field[np.float64], out: Field[float], n: int, *, alpha: float = 0.5):
        """A docstring."""
        with computation(FORWARD):
            with interval(0, 1):
                t = u
            with interval(1, None):
                t = alpha * t[0, 0, -1] + u
        with computation(BACKWARD), interval(1, n - 2):
            out = t

    assert whole(sweep) == dedent("""\
        stencil sweep(u: f64[IJK], out: f64[IJK], n: i64, alpha: f64)
          temporary t: f64[IJK]
          multistage forward
            stage
              do [start, start+1)
                t = u
              do [start+1, end)
                t = alpha * t[0, 0, -1] + u
          multistage backward
            stage
              do [start+1, n-2)
                out = t
        """)


def test_an_interval_may_stand_around_computations() -> None:
    def f(u: Field[float]):
        with interval(-1, None):
            with computation(PARALLEL):
                u = 1
            with computation(FORWARD):
                u = 2
        with interval(0, 1), computation(BACKWARD):
            u = 3

    lines = [line.strip() for line in whole(f).splitlines()[1:] if line.strip()]
    assert lines == [
        *("multistage parallel", "stage", "do [end-1, end)", "u = 1.0"),
        *("multistage forward", "stage", "do [end-1, end)", "u = 2.0"),
        *("multistage backward", "stage", "do [start, start+1)", "u = 3.0"),
    ]


def test_bounds_are_numbers_names_externals_and_scalars() -> None:
    top = np.int32(4)

    def f(u: Field[float], n: np.int16):
        from __externals__ import FIRST, LAST

        with computation(PARALLEL):
            with interval(FIRST, LAST):
                u = 1
            with interval(1 + n, top):
                u = 2
            with interval(n - 1 - 2, -(top - 1)):
                u = 3
            with interval(None, -1):
                u = 4

    found = [
        line.strip() for line in whole(f, externals={"FIRST": 2, "LAST": None}).splitlines() if "do [" in line
    ]
    assert found == ["do [start+2, end)", "do [n+1, start+4)", "do [n-3, end-3)", "do [start, end-1)"]


def test_a_computation_without_statements_leaves_nothing() -> None:
    def f(u: Field[float]):
        with computation(PARALLEL), interval(...):
            pass
        with computation(FORWARD):
            with interval(0, 1):
                "nothing"
            with interval(1, None):
                if u > 0:
                    pass

    assert whole(f) == "stencil f(u: f64[IJK])\n"


def test_augmented_assignments_read_and_store() -> None:
    def f(u: Field[float], n: int):
        with computation(PARALLEL), interval(...):
            u += 1
            u *= u[1, 0, 0]
            u **= 2
            u //= n

    assert statements(f) == "u = u + 1.0\nu = u * u[1, 0, 0]\nu = pow2(u)\nu = u // f64(n)"


def test_a_tuple_is_evaluated_before_it_is_stored() -> None:
    def f(a: Field[float], b: Field[float], c: Field[float]):
        with computation(PARALLEL), interval(...):
            a, b = b, a
            a, b, c = 1, c[1, 0, 0], a + b

    assert statements(f) == dedent("""\
        value = a
        a = b
        b = value
        value_2 = a + b
        a = 1.0
        b = c[1, 0, 0]
        c = value_2""")


def test_a_chain_is_evaluated_once() -> None:
    def f(a: Field[float], b: Field[np.float32]):
        with computation(PARALLEL), interval(...):
            a = b = a + 0.1
            a = b = 0.1

    assert statements(f) == dedent("""\
        value = a + 0.1
        a = value
        b = f32(value)
        a = 0.1
        b = 0.1f32""")


def test_branches_nest_and_negate() -> None:
    def f(u: Field[float], n: int):
        with computation(PARALLEL), interval(...):
            if u > 0:
                u = 1
            elif n:
                u = 2
            elif u < 0 and not n == 1 or u == 0:
                pass
            else:
                u = 3

    assert statements(f) == dedent("""\
        if u > 0.0
          u = 1.0
        elif n != 0
          u = 2.0
        elif not (u < 0.0 and not n == 1 or u == 0.0)
          u = 3.0""")


def test_a_condition_that_is_known_is_decided() -> None:
    limited = True

    def f(u: Field[float]):
        from __externals__ import MODE

        if MODE == 2:
            with computation(PARALLEL), interval(...):
                if __INLINED(limited):
                    u = 1 if MODE > 1 else undefined_elsewhere
                else:
                    u = undefined_elsewhere
        else:
            undefined_elsewhere()

    assert statements(f, externals={"MODE": 2}) == "u = 1.0"


def test_comparisons_chain_and_ternaries_choose() -> None:
    def f(u: Field[float], v: Field[float]):
        with computation(PARALLEL), interval(...):
            u = u if 0 < u < v <= 1 else -v if v != 0 else +u

    assert statements(f) == "u = u if 0.0 < u and u < v and v <= 1.0 else -v if v != 0.0 else u"


def test_offsets_by_position_and_by_axis() -> None:
    def f(u: Field[float], area: Field[IJ, float], side: Field[JK, float], eta: Field[K, float]):
        from __externals__ import STEP

        with computation(PARALLEL), interval(...):
            u[0, 0, 0] = u[1, -STEP, 0] + area[-1, 0] + side[0, 1] + eta[1]
            u = u[I + 1, J - 2] + u[K - 1] + u[STEP + I] + area[J] + eta[K + 1]

    assert statements(f, externals={"STEP": np.int64(2)}) == dedent("""\
        u = u[1, -2, 0] + area[-1, 0] + side[0, 1] + eta[1]
        u = u[1, -2, 0] + u[0, 0, -1] + u[2, 0, 0] + area + eta[1]""")


def test_a_parameter_shadows_an_axis() -> None:
    def f(u: Field[float], I: float):  # noqa: E741 - the rule under test
        with computation(PARALLEL), interval(...):
            u = I * u[J + 1]

    assert statements(f) == "u = I * u[0, 1, 0]"


def test_planes_are_assigned_in_order_or_on_one_level() -> None:
    def f(u: Field[float], area: Field[IJ, float]):
        with computation(FORWARD), interval(...):
            plane: Field[IJ, float32] = u
            area += plane

    assert statements(f) == "plane = f32(u)\narea = area + f64(plane)"
    assert temporaries(f) == {"plane": "f32[IJ]"}

    def g(u: Field[float], area: Field[IJ, float]):
        with computation(PARALLEL), interval(-1, None):
            area = u

    assert statements(g) == "area = u"


def test_generated_names_avoid_those_of_the_user() -> None:
    @function
    def twice(a):
        b = a + a
        return b

    def f(u: Field[float], v: Field[float], twice_b: Field[float]):
        with computation(PARALLEL), interval(...):
            value = twice(u)
            u, v = v, value + u

    assert list(temporaries(f)) == ["twice_b_2", "value", "value_2"]


def test_spans_point_at_the_source() -> None:
    def f(u: Field[float]):
        with computation(PARALLEL), interval(0, 1):
            u = u[1, 0, 0] + 2

    from stencil.frontend import parse

    ir = parse(f).ir
    method = ir.multistages[0].stages[0].do_methods[0]
    statement = method.body[0]
    source = Path(__file__).read_text().splitlines()

    def shown(node: object) -> str:
        span = node.span
        assert span.file == __file__ and span.line == span.end_line
        return source[span.line - 1][span.column : span.end_column]

    assert shown(ir) == "def f"
    assert shown(ir.parameters[0]) == "u: Field[float]"
    assert shown(method) == "with computation(PARALLEL), interval(0, 1)"
    assert shown(method.interval) == "interval(0, 1)"
    assert shown(method.interval.end) == "1"
    assert shown(statement) == "u = u[1, 0, 0] + 2"
    assert shown(statement.target) == "u"
    assert shown(statement.value.left) == "u[1, 0, 0]"
    assert shown(statement.value.right) == "2"

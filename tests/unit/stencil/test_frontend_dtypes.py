"""Number types: NumPy's rules for literals, operators, functions and temporaries."""

import math
from textwrap import dedent

import numpy as np
import pytest

from iir.dtypes import DType
from stencil.annotations import Field
from stencil.frontend import parse
from stencil.language import PARALLEL, computation, float32, int8, int16, interval, sqrt
from tests.unit.stencil.frontend_text import statements, temporaries, whole


def test_literals_take_the_dtype_of_their_neighbours() -> None:
    def f(a: Field[np.float32], m: Field[np.int8], c: Field[bool]):
        with computation(PARALLEL), interval(...):
            a = a * 0.5 + 2
            m = m * 3
            a = m * 0.5
            m = c + 1
            a = c * 0.5

    assert statements(f) == dedent("""\
        a = a * 0.5f32 + 2.0f32
        m = m * 3i8
        a = f32(f64(m) * 0.5)
        m = i8(i64(c) + 1)
        a = f32(f64(c) * 0.5)""")


def test_numpy_scalars_keep_their_dtype() -> None:
    half, two, wide = np.float32(0.5), np.int16(2), np.float64(2)

    def f(a: Field[np.float32], m: Field[np.int32]):
        with computation(PARALLEL), interval(...):
            a = a * half
            a = a * wide
            m = m + two
            a = a + two

    assert statements(f) == dedent("""\
        a = a * 0.5f32
        a = f32(f64(a) * 2.0)
        m = m + 2i32
        a = a + 2.0f32""")


def test_weak_numbers_are_computed_as_python_does() -> None:
    class Levels:
        count = 3

    def f(a: Field[np.float32]):
        with computation(PARALLEL), interval(...):
            a = a * (1 / 3)
            a = a * (2**0.5 - Levels.count // 2) + 7 % 4 - abs(-3)
            a = a * sqrt(2) * min(1, 2.5) * math.pi
            a = 1.0 / 0.0
            a = -(1 // 0) + max(3, 2) ** 2

    third, pi = float(np.float32(1 / 3)), float(np.float32(math.pi))
    root, rest = float(np.float32(2**0.5)), float(np.float32(2**0.5 - 1))
    assert [item.value for item in _constants(f)] == [third, rest, 3.0, 3.0, root, 1.0, pi, math.inf, 9.0]


def test_a_weak_choice_takes_the_dtype_of_its_use() -> None:
    def f(a: Field[np.float32]):
        with computation(PARALLEL), interval(...):
            a = a * (1.0 if a > 0 else 2)
            a = 0.5 if a > 0 else 1
            t = 1 if a > 0 else 2
            a = t

    assert statements(f) == dedent("""\
        a = a * (1.0f32 if a > 0.0f32 else 2.0f32)
        a = 0.5f32 if a > 0.0f32 else 1.0f32
        t = 1 if a > 0.0f32 else 2
        a = f32(t)""")


def test_division_of_integers_is_float64() -> None:
    def f(m: Field[np.int8], a: Field[float], b: Field[np.float32]):
        with computation(PARALLEL), interval(...):
            a = m / m
            a = m / 2
            m = m // 2
            b = m / b
            a = m % 3

    assert statements(f) == dedent("""\
        a = f64(m) / f64(m)
        a = f64(m) / 2.0
        m = m // 2i8
        b = f32(m) / b
        a = f64(m % 3i8)""")


def test_powers_by_small_literals_multiply() -> None:
    def f(a: Field[np.float32], m: Field[int]):
        with computation(PARALLEL), interval(...):
            a = a**2 + a**3 + a**4 + a**5
            a = a**0.5 + a**2.0 + a**-1 + a**a + pow(a, 2)
            m = m**2 + m**7
            a = m**2.0 + m**0.5

    assert statements(f) == dedent("""\
        a = pow2(a) + pow3(a) + pow4(a) + a ** 5.0f32
        a = sqrt(a) + pow2(a) + a ** -1.0f32 + a ** a + pow2(a)
        m = pow2(m) + m ** 7
        a = f32(pow2(f64(m)) + sqrt(f64(m)))""")


def test_functions_of_integers() -> None:
    def f(m: Field[np.int16], a: Field[float]):
        with computation(PARALLEL), interval(...):
            a = sqrt(m) + math.floor(m) + abs(m)
            m = min(m, 3, 4) + round(a)
            m = np.maximum(m, a)

    assert statements(f) == dedent("""\
        a = sqrt(f64(m)) + f64(m) + f64(abs(m))
        m = i16(f64(min(min(m, 3i16), 4i16)) + round(a))
        m = i16(max(f64(m), a))""")


def test_conditions_are_made_from_numbers_and_ordered_as_integers() -> None:
    def f(c: Field[bool], a: Field[float], m: Field[np.int8]):
        with computation(PARALLEL), interval(...):
            c = a and not m
            c = c == (a > 1) or c < True
            c = bool(a)
            c = m
            m = c
            a = 1 if m else 0

    assert statements(f) == dedent("""\
        c = a != 0.0 and not m != 0i8
        c = c == (a > 1.0) or i8(c) < 1i8
        c = a != 0.0
        c = m != 0i8
        m = i8(c)
        a = 1.0 if m != 0i8 else 0.0""")


def test_comparisons_with_integers_out_of_range_are_exact() -> None:
    def f(c: Field[bool], m: Field[np.int8]):
        with computation(PARALLEL), interval(...):
            c = m < 300
            c = m < 100

    assert statements(f) == "c = i64(m) < 300\nc = m < 100i8"


def test_casts() -> None:
    def f(a: Field[float], m: Field[np.int8]):
        with computation(PARALLEL), interval(...):
            a = float32(a) * 2.5
            m = int8(a) + int(2.7)
            m = int16(3) + m
            a = np.float64(m) / float(3) + int(a)

    assert statements(f) == dedent("""\
        a = f64(f32(a) * 2.5f32)
        m = i8(a) + 2i8
        m = i8(3i16 + i16(m))
        a = f64(m) / 3.0 + f64(i64(a))""")


def test_a_temporary_has_the_promotion_of_all_its_assignments() -> None:
    def f(a: Field[np.float32], b: Field[float], m: Field[np.int8]):
        with computation(PARALLEL), interval(...):
            zero = 0
            count = 0
            small = 0
            small = a
            later = small
            wide = a
            wide = b
            mixed = m
            mixed = 0.5
            flag = a > b
            declared: np.float32 = b
            half = 0.5
            half = half * m
            count = count + 1
            b = zero + count + small + later + wide + mixed + flag + declared + half

    assert temporaries(f) == {
        "zero": "i64[IJK]",
        "count": "i64[IJK]",
        "small": "f32[IJK]",
        "later": "f32[IJK]",
        "wide": "f64[IJK]",
        "mixed": "f64[IJK]",
        "flag": "bool[IJK]",
        "declared": "f32[IJK]",
        "half": "f64[IJK]",
    }


def test_temporaries_that_need_each_other_have_a_least_dtype() -> None:
    def f(a: Field[np.float32], m: Field[np.int8]):
        with computation(PARALLEL), interval(...):
            x = y
            y = z
            z = 1
            z = x + m
            p = q * 2
            q = p
            q = a
            a = x + p

    assert temporaries(f) == {
        "x": "i8[IJK]",
        "y": "i8[IJK]",
        "z": "i8[IJK]",
        "p": "f32[IJK]",
        "q": "f32[IJK]",
    }


def test_stores_convert_to_the_dtype_of_their_target() -> None:
    def f(m: Field[np.int8], c: Field[bool]):
        with computation(PARALLEL), interval(...):
            m = 1.9
            m = -1.9
            c = 2
            c = 0.0

    assert statements(f) == "m = 1i8\nm = -1i8\nc = True\nc = False"


@pytest.mark.parametrize(
    "spelling",
    ["real", "float32", np.float32, np.dtype("f4"), DType.FLOAT32, float],
    ids=["alias", "name", "type", "dtype", "member", "replaced"],
)
def test_spellings_of_a_dtype(spelling: object) -> None:
    def f(u: Field[spelling], x: spelling):
        with computation(PARALLEL), interval(...):
            t: spelling = u
            u = t

    names = {"spelling": spelling}
    text = whole(f, dtypes={"real": np.float32, float: "float32"}, names=names)
    assert text.splitlines()[:2] == ["stencil f(u: f32[IJK], x: f32)", "  temporary t: f32[IJK]"]


def _constants(function: object) -> list[object]:
    from iir.expressions import Constant
    from iir.traversal import walk

    return [node for node in walk(parse(function).ir) if isinstance(node, Constant)]

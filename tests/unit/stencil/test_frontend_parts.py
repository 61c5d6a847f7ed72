"""Expressions of any length are computed in parts that are not too deep, with the same bits."""

import linecache
from typing import Any, Final

import numpy as np
import pytest

from iir.diagnostics import StencilError
from iir.parser import from_text
from iir.printer import to_text
from iir.serialize import from_json, to_json
from iir.traversal import MAX_DEPTH, depth
from stencil import Field, function, stencil
from stencil.stencil_object import StencilObject

FILE: Final = "long.py"
HEAD: Final = "def long(u: Field[float], v: Field[np.float32], out: Field[float]):\n"
BLOCK: Final = "    with computation(PARALLEL), interval(...):\n"


def sum_of(terms: int) -> str:
    return " + ".join(f"{0.1 * n!r} * u[{n % 5 - 2}, 0, 0]" for n in range(terms))


SUM: Final = sum_of(200)


def long(*statements: str, before: str = "", **options: Any) -> StencilObject:
    source = before + HEAD + BLOCK + "".join(f"        {statement}\n" for statement in statements)
    linecache.cache[FILE] = (len(source), None, source.splitlines(keepends=True), FILE)
    names: dict[str, Any] = {"Field": Field, "np": np, "function": function}
    exec(compile(source, FILE, "exec"), names)
    return stencil(names["long"], **{"backend": "reference", **options})


def run(f: StencilObject) -> Any:
    generator = np.random.default_rng(0)
    u, v = generator.random((9, 2, 2)), generator.random((9, 2, 2)).astype(np.float32)
    out = np.zeros((9, 2, 2))
    f(u, v, out, domain=(5, 2, 2), origin=(2, 0, 0))
    return u, v, out[2:7]


def expected_sum(terms: int, u: Any) -> Any:
    total = 0.0 * u[0:5]
    for n in range(1, terms):
        total = total + 0.1 * n * u[n % 5 : n % 5 + 5]
    return total


def parts(f: StencilObject) -> list[str]:
    return [item.dtype.value for item in f.iir.temporaries if item.name.startswith("part")]


@pytest.mark.parametrize("options", [{}, {"backend": "numba", "jit": False}], ids=["reference", "numba"])
def test_a_sum_of_a_thousand_terms_is_added_from_the_left(options: dict[str, Any]) -> None:
    u, _, out = run(long(f"out = 0.5 * ({sum_of(1000)})", **options))
    np.testing.assert_array_equal(out, 0.5 * expected_sum(1000, u))


def test_every_form_of_a_long_sum_can_be_read_back() -> None:
    ir = long(f"out = {sum_of(1000)}").iir
    assert depth(ir) < MAX_DEPTH
    assert from_text(to_text(ir)) == ir
    assert from_json(to_json(ir)) == ir


def test_an_expression_of_usual_length_stays_whole() -> None:
    assert long(f"out = {' + '.join(['u'] * 125)}").iir.temporaries == ()


@pytest.mark.parametrize(
    "statements",
    [
        ("out = 0.0", f"out += {SUM}"),
        (f"if {SUM} > 0.0:", f"    out = {SUM}"),
        (f"out = total(u) if {SUM} > 0.0 else 0.0",),
        (f"out, v = {SUM}, 0.0",),
    ],
    ids=["augmented", "branch", "function and ternary", "tuple"],
)
def test_long_sums_stand_wherever_expressions_do(statements: tuple[str, ...]) -> None:
    u, _, out = run(long(*statements, before=f"@function\ndef total(u):\n    return {SUM}\n\n"))
    np.testing.assert_array_equal(out, expected_sum(200, u))


def test_parts_have_the_dtype_in_which_they_are_computed() -> None:
    f = long(f"out = {' + '.join(['v'] * 200)} + {' + '.join(['u'] * 200)}")
    assert parts(f) == ["f32", "f64"]
    u, v, out = run(f)
    total = v[2:7]
    for _ in range(199):
        total = total + v[2:7]
    for _ in range(200):
        total = total + u[2:7]
    np.testing.assert_array_equal(out, total)


def test_what_takes_the_dtype_of_its_neighbours_stays_with_them() -> None:
    choices = " else ".join(f"{n}.1 if u > {n}.0" for n in range(160))
    f = long(f"out = v * ({choices} else 0.1)")
    assert parts(f) == []
    _, v, out = run(f)
    np.testing.assert_array_equal(out, v[2:7] * np.float32(0.1))


def test_long_conditions_are_computed_in_parts() -> None:
    f = long(f"if {' and '.join(['u < 2.0'] * 400)}:", "    out = 1.0")
    assert parts(f) == ["bool", "bool"]
    assert run(f)[2].all()


def test_more_nesting_of_statements_than_trees_may_have_is_an_error() -> None:
    deep = " + ".join(["u"] * 140)
    branches = [f"{'el' if n else ''}if u > {n}.0:\n            out = {deep}" for n in range(120)]
    with pytest.raises(StencilError, match="nested too deeply"):
        long(*branches)

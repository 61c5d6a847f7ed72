"""Arithmetic is counted in additions."""

import pytest

from iir.analyses.operations import COSTLY, operations
from iir.expressions import NativeFunction
from tests.unit.iir.textual import parallel


@pytest.mark.parametrize(
    ("lines", "count"),
    [
        (("out = a[1, 0, 0]",), 0),
        (("out = -a + 2.0 * b",), 3),
        (("out = a if a > f64(x) else b",), 3),
        (("out = max(abs(a), pow3(b))",), 4),
        (("out = a / b",), COSTLY),
        (("out = a % b",), COSTLY),
        (("out = sqrt(a) + a ** b",), 2 * COSTLY + 1),
        (("if a > b", "  out = a + b", "else", "  out = a - b"), 3),
        (('check user(a + b > 0.0, "%g", a * b)',), 3),
    ],
)
def test_operations_of_a_statement(lines: tuple[str, ...], count: int) -> None:
    (multistage,) = parallel(*lines).multistages
    (statement,) = multistage.stages[0].do_methods[0].body
    assert operations(statement) == count


@pytest.mark.parametrize("function", [NativeFunction.EXP, NativeFunction.SIN, NativeFunction.GAMMA])
def test_functions_of_libm_are_costly(function: NativeFunction) -> None:
    (multistage,) = parallel(f"out = {function.value}(a)").multistages
    assert operations(multistage.stages[0].do_methods[0].body[0]) == COSTLY

"""Long expressions on several lines."""

import ast
from itertools import product
from textwrap import dedent

import pytest

from backends.loopnest.expressions import (
    BinaryOperation,
    Choice,
    Literal,
    Native,
    UnaryOperation,
    Value,
    Variable,
)
from backends.numba_cpu.emit_expressions import value_source
from backends.numba_cpu.line_breaks import WIDTH, write_assignment
from backends.writer import Writer
from iir.dtypes import DType
from iir.expressions import NativeFunction, Operator, UnaryOperator

F64, BOOL = DType.FLOAT64, DType.BOOL
LONG = Variable("a_name_of_forty_characters_and_no_more__", F64)
SHORT = Variable("a", F64)


def _text(value: Value) -> str:
    w = Writer()
    write_assignment(w, "target", value, value_source(value))
    return w.text


def _op(operator: Operator, left: Value, right: Value) -> BinaryOperation:
    return BinaryOperation(operator, left, right, left.dtype)


def test_short_expressions_stay_on_a_line() -> None:
    assert _text(_op(Operator.ADD, LONG, LONG)) == f"target = {LONG.name} + {LONG.name}\n"


def test_operands_of_a_chain_and_arguments_have_lines_of_their_own() -> None:
    total = _op(Operator.SUB, _op(Operator.ADD, LONG, LONG), _op(Operator.MUL, LONG, SHORT))
    value = _op(Operator.MUL, SHORT, Native(NativeFunction.MAX, (total, Literal(1.0, F64)), F64))
    expected = f"""
        target = a * maximum(
            (
                {LONG.name}
                + {LONG.name}
                - {LONG.name} * a
            ),
            f64(1.0),
        )
    """
    assert _text(value) == dedent(expected).lstrip("\n")


@pytest.mark.parametrize("outer", [*Operator])
@pytest.mark.parametrize("inner", [*Operator])
def test_broken_lines_mean_what_one_line_means(outer: Operator, inner: Operator) -> None:
    leaves: tuple[Value, ...] = (
        *(SHORT, LONG),
        UnaryOperation(UnaryOperator.NEG, _op(Operator.ADD, LONG, SHORT), F64),
    )
    for first, second in product(leaves, repeat=2):
        left, right = _op(inner, first, second), _op(inner, second, first)
        values = (
            _op(outer, left, right),
            _op(outer, _op(outer, left, SHORT), right),
            _op(outer, SHORT, _op(outer, left, right)),
            Choice(_op(outer, left, right), left, LONG, F64),
        )
        for value in values:
            text = _text(value)
            assert ast.dump(ast.parse(text)) == ast.dump(ast.parse(f"target = {value_source(value)}"))
            assert all(len(line) <= WIDTH for line in text.splitlines())

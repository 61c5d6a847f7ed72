"""Loop programs as Python."""

import ast
import math

import pytest

from backends.base import Options
from backends.loopnest.expressions import (
    Affine,
    BinaryOperation,
    Choice,
    Conversion,
    Cut,
    Greatest,
    Least,
    Literal,
    Position,
    UnaryOperation,
    Value,
    Variable,
    Whole,
)
from backends.numba_cpu.emit import RESERVED, RUNTIME, emit_program
from backends.numba_cpu.emit_expressions import position_source, stored_source, value_source
from iir.dtypes import DType
from iir.expressions import Operator, UnaryOperator
from tests.unit.backends.loopnest.lowered import lowered

F64, F32, I64, BOOL = DType.FLOAT64, DType.FLOAT32, DType.INT64, DType.BOOL
A, B, C = (Variable(name, F64) for name in "abc")


def _op(operator: Operator, left: Value, right: Value, dtype: DType = F64) -> BinaryOperation:
    return BinaryOperation(operator, left, right, dtype)


ADD, SUB, MUL, LT, AND = Operator.ADD, Operator.SUB, Operator.MUL, Operator.LT, Operator.AND
LESS = _op(LT, A, B, BOOL)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (_op(MUL, _op(ADD, A, B), C), "(a + b) * c"),
        (_op(ADD, A, _op(ADD, B, C)), "a + (b + c)"),
        (_op(ADD, _op(ADD, A, B), C), "a + b + c"),
        (_op(SUB, A, UnaryOperation(UnaryOperator.NEG, B, F64)), "a - -b"),
        (UnaryOperation(UnaryOperator.NEG, _op(ADD, A, B), F64), "-(a + b)"),
        (_op(AND, LESS, LESS, BOOL), "(a < b) & (a < b)"),
        (_op(Operator.EQ, LESS, LESS, BOOL), "(a < b) == (a < b)"),
        (UnaryOperation(UnaryOperator.NOT, LESS, BOOL), "not a < b"),
        (_op(AND, UnaryOperation(UnaryOperator.NOT, LESS, BOOL), LESS, BOOL), "(not a < b) & (a < b)"),
        (_op(Operator.MOD, A, B), "floormod(a, b)"),
        (Choice(LESS, A, Literal(0.0, F64), F64), "select(a < b, a, f64(0.0))"),
        (Conversion(A, DType.INT8, saturates=True), "saturate_i8(a)"),
        (Conversion(A, F32), "f32(a)"),
    ],
)
def test_parentheses_stand_where_needed(value: Value, text: str) -> None:
    assert value_source(value) == text
    ast.parse(text)


@pytest.mark.parametrize(
    ("literal", "beside", "alone"),
    [
        (Literal(0.25, F64), "a + 0.25", "f64(0.25)"),
        (Literal(-0.0, F64), "a + -0.0", "f64(-0.0)"),
        (Literal(0.25, F32), "a + f32(0.25)", "f32(0.25)"),
        (Literal(math.inf, F64), "a + f64(inf)", "f64(inf)"),
        (Literal(3, I64), "wrapping_add(a, i64(3))", "i64(3)"),
        (Literal(-(2**63), I64), "wrapping_add(a, i64(-9223372036854775808))", "i64(-9223372036854775808)"),
        (Literal(3, DType.INT32), "a + i32(3)", "i32(3)"),
    ],
)
def test_literals_carry_their_dtype(literal: Literal, beside: str, alone: str) -> None:
    assert value_source(_op(ADD, A, literal, literal.dtype)) == beside
    assert value_source(literal) == alone


def test_literals_beside_literals_are_no_bare_python_numbers() -> None:
    one = Literal(1.0, F64)
    assert value_source(_op(Operator.DIV, one, one)) == "f64(1.0) / f64(1.0)"


def test_stored_literals_stand_bare() -> None:
    assert stored_source(Literal(0.5, F64)) == "0.5"
    assert stored_source(Literal(0.5, F32)) == "f32(0.5)"


@pytest.mark.parametrize(
    ("position", "text"),
    [
        (Affine(None, -2), "-2"),
        (Affine("i"), "i"),
        (Affine("i", -1), "i - 1"),
        (Affine("k", 2, -1), "-k + 2"),
        (Least((Affine("nk", -1), Affine(None, 0))), "min(nk - 1, 0)"),
        (Greatest((Affine("nk"), Affine("n_level"))), "max(nk, n_level)"),
        (Cut(Affine(None, 0), Affine("nk"), Affine("chunk", 1), "chunks"), "cut(0, nk, chunk + 1, chunks)"),
        (Whole(Affine("ni"), 16), "(ni >> 4 << 4)"),
    ],
)
def test_positions_read_as_index_arithmetic(position: Position, text: str) -> None:
    assert position_source(position) == text


def test_descending_loops_end_at_their_start() -> None:
    text = """stencil s(u: f64[IJK])
  multistage backward
    stage
      do [start, end-1)
        u = u[0, 0, 1]
"""
    assert "for k in range(nk - 2, -1, -1):" in emit_program(lowered(text), Options())


TEXT = """stencil s(u: f64[IJK], v: f64[IJK])
  multistage parallel
    stage
      do [start, end)
        v = exp(u)
"""


def test_module_says_what_it_is_and_imports_what_it_mentions() -> None:
    text = emit_program(lowered(TEXT), Options())
    assert text.startswith('"""Kernels of stencil s. Generated from IIR; do not edit."""\n')
    assert "import exp\n" in text and "select" not in text
    names = {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
    imported = {
        alias.name
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert names & RESERVED == imported & RESERVED


def test_every_statement_follows_the_source_it_comes_from() -> None:
    text = emit_program(lowered(TEXT), Options())
    assert "                # v = exp(u)\n                v[i, j, k] = exp(u[i, j, k])\n" in text


def test_output_depends_on_the_input_only() -> None:
    assert emit_program(lowered(TEXT), Options()) == emit_program(lowered(TEXT), Options())


def test_fastmath_options_stand_in_the_text_by_name() -> None:
    text = emit_program(lowered(TEXT), Options(fastmath=frozenset({"reassoc", "contract"})))
    assert "@kernel('contract', 'reassoc')" in text


def test_every_runtime_name_exists() -> None:
    from importlib import import_module

    for module, names in RUNTIME.items():
        for name in names:
            assert callable(getattr(import_module(f"backends.numba_cpu.runtime.{module}"), name))

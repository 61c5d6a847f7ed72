"""What holds for every node."""

import dataclasses
import math

import pytest
from hypothesis import given

import iir.dtypes
import iir.expressions
import iir.interval
import iir.nodes
import iir.schedule
import iir.statements
from iir.builder import add, at, constant
from iir.dtypes import DType
from iir.expressions import Constant, Expr
from iir.nodes import Stencil
from iir.serialize import NODES
from iir.span import Span
from tests.strategies import EVERYTHING, program
from tests.unit.iir.test_printer import everything
from tests.unit.iir.trees import EXPRESSIONS

NAMESPACE = {"nan": math.nan, "inf": math.inf}
for module in (iir.dtypes, iir.expressions, iir.interval, iir.nodes, iir.schedule, iir.statements):
    NAMESPACE |= vars(module)


@given(EXPRESSIONS)
def test_repr_of_an_expression_evaluates_to_it(expr: Expr) -> None:
    assert eval(repr(expr), NAMESPACE) == expr


@pytest.mark.parametrize("ir", [everything(), *(program(5, index, EVERYTHING).ir for index in range(20))])
def test_repr_of_a_stencil_evaluates_to_it(ir: Stencil) -> None:
    assert eval(repr(ir), NAMESPACE) == ir


@pytest.mark.parametrize("kind", NODES.values(), ids=NODES)
def test_nodes_are_frozen_and_slotted(kind: type) -> None:
    assert dataclasses.is_dataclass(kind)
    assert kind.__dataclass_params__.frozen  # type: ignore[attr-defined]  # not in typeshed
    assert "__slots__" in vars(kind)


def test_span_does_not_count_in_equality() -> None:
    here = dataclasses.replace(at("u"), span=Span("f.py", 1, 0, 1, 1))
    assert here == at("u") and hash(here) == hash(at("u")) and "Span" not in repr(here)


def test_constants_are_equal_if_their_bits_are() -> None:
    assert constant(0.0) != constant(-0.0)
    assert constant(math.nan) == constant(-math.nan)
    assert hash(constant(math.nan)) == hash(constant(-math.nan))
    assert constant(1.0) != constant(1.0, "f32")
    assert constant(1) != constant(1.0)
    assert Constant(True, DType.BOOL) != Constant(1, DType.INT64)
    assert add("u", 0.0) != add("u", -0.0)


def test_a_node_prints_as_text_and_represents_itself_as_code() -> None:
    declaration = iir.nodes.FieldDecl("u", DType.FLOAT64)
    assert str(declaration) == "u: f64[IJK]"
    assert repr(declaration) == "FieldDecl(name='u', dtype=DType.FLOAT64, axes=Axes.IJK)"

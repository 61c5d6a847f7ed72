"""Rules on dtypes: every operator and statement gets operands of the dtypes that it takes."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, assert_never

import numpy as np

from iir.analyses.accesses import own_expressions
from iir.base import Node
from iir.dtypes import FLOATS, INTEGERS, DType, numpy_dtype
from iir.expressions import (
    ANY_NUMBER,
    COMPARISONS,
    LOGICAL,
    PREDICATES,
    TWO_ARGUMENTS,
    Binary,
    Call,
    Cast,
    Constant,
    Expr,
    FieldAccess,
    Operator,
    ScalarRef,
    Select,
    Unary,
    UnaryOperator,
)
from iir.nodes import Declaration, Stencil
from iir.statements import Assign, Check, ExternalCall, Guard, If, Stmt
from iir.verification.fault import Fault, quote
from iir.verification.program import statements

_NUMBERS: Final = FLOATS | INTEGERS
_BOOL: Final = frozenset({DType.BOOL})
_ANY: Final = frozenset(DType)
_LIMITS: Final = {dtype: 1 << 8 * numpy_dtype(dtype).itemsize - 1 for dtype in INTEGERS}
_WORDS: Final = {_NUMBERS: "numbers", FLOATS: "floats", _BOOL: "bool"}


def operand_faults(ir: Stencil, names: Mapping[str, Declaration]) -> tuple[Fault, ...]:
    rules = _Operands(names)
    for statement in statements(ir):
        rules.statement(statement)
    return tuple(rules.faults)


@dataclass(frozen=True, slots=True)
class _Operands:
    """`dtype` gives None for an expression whose dtype a fault below it leaves open."""

    names: Mapping[str, Declaration]
    faults: list[Fault] = field(default_factory=list)

    def statement(self, statement: Stmt) -> None:
        match statement:
            case Assign(target, value):
                self.stored(target, value, statement)
            case If(condition):
                self.condition(condition)
            case Check(condition):
                self.condition(condition)
                for value in statement.values:
                    self.dtype(value)
                for guard in statement.guards:
                    self.stored(guard.target, guard.value, guard)
            case ExternalCall():
                for expr in own_expressions(statement):
                    self.dtype(expr)
            case _:
                assert_never(statement)

    def stored(self, target: FieldAccess, value: Expr, node: Assign | Guard) -> None:
        given, wanted = self.dtype(value), self.names[target.name].dtype
        if given is not None and given is not wanted:
            text = f"{self.quote(node)} stores {given.value} in '{target.name}', which is {wanted.value}."
            self.faults.append(Fault(text, node))

    def condition(self, condition: Expr) -> None:
        dtype = self.dtype(condition)
        if dtype is not None and dtype is not DType.BOOL:
            text = f"The condition {self.quote(condition)} is {dtype.value}, not bool."
            self.faults.append(Fault(text, condition))

    def dtype(self, expr: Expr) -> DType | None:
        match expr:
            case Constant():
                return self.constant(expr)
            case ScalarRef(name) | FieldAccess(name):
                return self.names[name].dtype
            case Unary():
                return self.unary(expr)
            case Binary():
                return self.binary(expr)
            case Select():
                return self.select(expr)
            case Call():
                return self.call(expr)
            case Cast():
                self.dtype(expr.operand)
                return expr.dtype
            case _:
                assert_never(expr)

    def constant(self, constant: Constant) -> DType:
        if not _is_representable(constant):
            text = f"{constant.value!r} is not a number of dtype {constant.dtype.value}."
            self.faults.append(Fault(text, constant))
        return constant.dtype

    def unary(self, expr: Unary) -> DType | None:
        accepted = _BOOL if expr.operator is UnaryOperator.NOT else _NUMBERS
        return self.common(expr, expr.operator.value, (expr.operand,), accepted)

    def binary(self, expr: Binary) -> DType | None:
        operator = expr.operator
        accepted = _accepted_by(operator)
        dtype = self.common(expr, operator.value, (expr.left, expr.right), accepted)
        return DType.BOOL if operator in COMPARISONS or operator in LOGICAL else dtype

    def select(self, expr: Select) -> DType | None:
        self.condition(expr.condition)
        return self.common(expr, "if else", (expr.if_true, expr.if_false), _ANY)

    def call(self, expr: Call) -> DType | None:
        function, name = expr.function, expr.function.value
        arity = 2 if function in TWO_ARGUMENTS else 1
        if len(expr.arguments) != arity:
            text = f"'{name}' takes {arity} argument(s), not {len(expr.arguments)}, in {self.quote(expr)}."
            self.faults.append(Fault(text, expr))
            return None
        accepted = _NUMBERS if function in ANY_NUMBER else FLOATS
        dtype = self.common(expr, name, expr.arguments, accepted)
        return DType.BOOL if function in PREDICATES else dtype

    def common(
        self, expr: Expr, operator: str, operands: tuple[Expr, ...], accepted: frozenset[DType]
    ) -> DType | None:
        """The one dtype of all *operands*, which is among *accepted*."""
        dtypes = [self.dtype(operand) for operand in operands]
        known = [dtype for dtype in dtypes if dtype is not None]
        if len(known) < len(dtypes):
            return None
        if any(dtype is not known[0] for dtype in known):
            given = " and ".join(dtype.value for dtype in known)
            text = f"The operands of '{operator}' in {self.quote(expr)} are {given}, not of one dtype."
        elif known[0] not in accepted:
            wanted = _WORDS[accepted]
            text = f"'{operator}' takes {wanted}, not {known[0].value}, in {self.quote(expr)}."
        else:
            return known[0]
        self.faults.append(Fault(text, expr))
        return None

    def quote(self, node: Node) -> str:
        return quote(node, self.names)


def _accepted_by(operator: Operator) -> frozenset[DType]:
    if operator in LOGICAL:
        return _BOOL
    if operator in (Operator.EQ, Operator.NE):
        return _ANY
    return FLOATS if operator is Operator.DIV else _NUMBERS


def _is_representable(constant: Constant) -> bool:
    value, dtype = constant.value, constant.dtype
    match value:
        case bool():
            return dtype is DType.BOOL
        case int():
            return dtype in INTEGERS and -_LIMITS[dtype] <= value < _LIMITS[dtype]
        case float():
            return dtype is DType.FLOAT64 or (dtype is DType.FLOAT32 and _fits_float32(value))
        case _:
            assert_never(value)


def _fits_float32(value: float) -> bool:
    with np.errstate(over="ignore"):
        return math.isnan(value) or float(np.float32(value)) == value

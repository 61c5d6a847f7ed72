"""How much arithmetic a statement does at one point."""

from typing import Final, assert_never

from iir.analyses.accesses import nested, own_expressions
from iir.expressions import (
    Binary,
    Call,
    Cast,
    Constant,
    Expr,
    FieldAccess,
    NativeFunction,
    Operator,
    ScalarRef,
    Select,
    Unary,
)
from iir.statements import Stmt
from iir.traversal import walk

COSTLY: Final = 20
"""What a division, a root or a function of libm counts: they take as long as some tens of additions."""

_COSTLY_OPERATORS: Final = frozenset({Operator.DIV, Operator.FLOORDIV, Operator.MOD, Operator.POW})
_CHEAP_FUNCTIONS: Final = {
    NativeFunction.ABS: 1,
    NativeFunction.MIN: 1,
    NativeFunction.MAX: 1,
    NativeFunction.POW2: 1,
    NativeFunction.POW3: 2,
    NativeFunction.POW4: 2,
    NativeFunction.FLOOR: 1,
    NativeFunction.CEIL: 1,
    NativeFunction.TRUNC: 1,
    NativeFunction.ROUND: 1,
    NativeFunction.ISNAN: 1,
    NativeFunction.ISINF: 1,
    NativeFunction.ISFINITE: 1,
}


def operations(statement: Stmt) -> int:
    """The operations of *statement* and all statements inside it, in additions."""
    return sum(_operations(expr) for item in nested((statement,)) for expr in own_expressions(item))


def has_costly_operations(statement: Stmt) -> bool:
    """Whether *statement* or one inside it divides, takes roots or calls functions of libm."""
    expressions = (expr for item in nested((statement,)) for expr in own_expressions(item))
    return any(
        _own_operations(node) >= COSTLY
        for expr in expressions
        for node in walk(expr)
        if isinstance(node, Expr)
    )


def _operations(expr: Expr) -> int:
    return sum(_own_operations(node) for node in walk(expr) if isinstance(node, Expr))


def _own_operations(expr: Expr) -> int:
    match expr:
        case Constant() | ScalarRef() | FieldAccess():
            return 0
        case Unary() | Select() | Cast():
            return 1
        case Binary(operator):
            return COSTLY if operator in _COSTLY_OPERATORS else 1
        case Call(function):
            return _CHEAP_FUNCTIONS.get(function, COSTLY)
        case _:
            assert_never(expr)

"""Expressions: the value of one point.

Expressions are strictly typed. The operands of a `Binary` and the arms of a `Select` have one
dtype; whoever builds the tree writes a `Cast` where they differ. So the dtype of an expression
follows bottom-up from declarations, constants and casts, with no promotion anywhere.
"""

import struct
from dataclasses import dataclass
from enum import Enum
from typing import Final, NamedTuple, TypeAlias

from iir.base import Node
from iir.dtypes import DType


class Offset(NamedTuple):
    """Constant displacement of one access; zero on an axis that the field does not have."""

    i: int
    j: int
    k: int


CENTER: Final = Offset(0, 0, 0)


class UnaryOperator(Enum):
    """NEG on numbers, NOT on bool."""

    NEG = "-"
    NOT = "not"

    def __repr__(self) -> str:
        return f"UnaryOperator.{self.name}"


class Operator(Enum):
    """Binary operators; the value is their text.

    DIV is for floats only. FLOORDIV and MOD are floored and for integers and floats; by an integer
    zero they give 0. POW on floats is libm's ``pow``, on integers repeated multiplication (a
    negative exponent gives 0). Comparisons give bool; EQ and NE also take bool. AND and OR take
    bool and evaluate both sides.
    """

    ADD = "+"
    SUB = "-"
    MUL = "*"
    DIV = "/"
    FLOORDIV = "//"
    MOD = "%"
    POW = "**"
    LT = "<"
    LE = "<="
    GT = ">"
    GE = ">="
    EQ = "=="
    NE = "!="
    AND = "and"
    OR = "or"

    def __repr__(self) -> str:
        return f"Operator.{self.name}"


COMPARISONS: Final = frozenset({Operator.LT, Operator.LE, Operator.GT, Operator.GE, Operator.EQ, Operator.NE})
LOGICAL: Final = frozenset({Operator.AND, Operator.OR})


class NativeFunction(Enum):
    """Functions of the language; the value is their name in the textual form.

    ABS, MIN, MAX and MOD, FMOD take numbers of any dtype; ISNAN, ISINF, ISFINITE take floats and
    give bool; POW2, POW3, POW4 are ``x*x``, ``x*x*x`` and ``(x*x)*(x*x)`` on any number; all
    others take and give floats of one dtype.
    """

    ABS = "abs"
    MIN = "min"
    MAX = "max"
    MOD = "mod"
    FMOD = "fmod"
    SQRT = "sqrt"
    CBRT = "cbrt"
    EXP = "exp"
    LOG = "log"
    LOG10 = "log10"
    SIN = "sin"
    COS = "cos"
    TAN = "tan"
    ASIN = "asin"
    ACOS = "acos"
    ATAN = "atan"
    ATAN2 = "atan2"
    SINH = "sinh"
    COSH = "cosh"
    TANH = "tanh"
    ASINH = "asinh"
    ACOSH = "acosh"
    ATANH = "atanh"
    ERF = "erf"
    ERFC = "erfc"
    GAMMA = "gamma"
    POW2 = "pow2"
    POW3 = "pow3"
    POW4 = "pow4"
    FLOOR = "floor"
    CEIL = "ceil"
    TRUNC = "trunc"
    ROUND = "round"
    ROUND_AWAY_FROM_ZERO = "round_away_from_zero"
    ISNAN = "isnan"
    ISINF = "isinf"
    ISFINITE = "isfinite"

    def __repr__(self) -> str:
        return f"NativeFunction.{self.name}"


TWO_ARGUMENTS: Final = frozenset(
    {
        NativeFunction.MIN,
        NativeFunction.MAX,
        NativeFunction.MOD,
        NativeFunction.FMOD,
        NativeFunction.ATAN2,
    }
)
PREDICATES: Final = frozenset({NativeFunction.ISNAN, NativeFunction.ISINF, NativeFunction.ISFINITE})
ANY_NUMBER: Final = frozenset(
    {
        NativeFunction.ABS,
        NativeFunction.MIN,
        NativeFunction.MAX,
        NativeFunction.MOD,
        NativeFunction.FMOD,
        NativeFunction.POW2,
        NativeFunction.POW3,
        NativeFunction.POW4,
    }
)


@dataclass(frozen=True, slots=True, eq=False)
class Constant(Node):
    """A number, exactly representable in its dtype; equal only if the bits are (any NaN equals any)."""

    value: bool | int | float
    dtype: DType

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Constant) and _identity(self) == _identity(other)

    def __hash__(self) -> int:
        return hash(_identity(self))


def _identity(constant: Constant) -> tuple[DType, bytes | int]:
    match constant.value:
        case float() if constant.value != constant.value:
            return constant.dtype, b"nan"
        case float():
            return constant.dtype, struct.pack("<d", constant.value)
        case _:
            return constant.dtype, int(constant.value)


@dataclass(frozen=True, slots=True)
class ScalarRef(Node):
    """The value of a scalar parameter."""

    name: str


@dataclass(frozen=True, slots=True)
class FieldAccess(Node):
    """A field or temporary at the point displaced by *offset*."""

    name: str
    offset: Offset = CENTER


@dataclass(frozen=True, slots=True)
class Unary(Node):
    operator: UnaryOperator
    operand: "Expr"


@dataclass(frozen=True, slots=True)
class Binary(Node):
    operator: Operator
    left: "Expr"
    right: "Expr"


@dataclass(frozen=True, slots=True)
class Select(Node):
    """``if_true if condition else if_false``; both arms are evaluated."""

    condition: "Expr"
    if_true: "Expr"
    if_false: "Expr"


@dataclass(frozen=True, slots=True)
class Call(Node):
    """A native function; MIN and MAX of more than two are nested from the left."""

    function: NativeFunction
    arguments: tuple["Expr", ...]


@dataclass(frozen=True, slots=True)
class Cast(Node):
    """*operand* in another dtype: float to integer truncates and saturates, NaN gives 0; integers wrap."""

    dtype: DType
    operand: "Expr"


Expr: TypeAlias = Constant | ScalarRef | FieldAccess | Unary | Binary | Select | Call | Cast

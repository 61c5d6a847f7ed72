"""The language's number rules on plain Python numbers, written apart from the array code.

A float32 is a Python float that float32 can hold, an integer of any width a Python integer in its
range. Double precision has more than twice the bits of single precision, so that rounding the
double result of one operation gives the correctly rounded single result.
"""

import ctypes
import ctypes.util
import math
from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from iir.dtypes import DType
from iir.expressions import NativeFunction, Operator, UnaryOperator

Value: TypeAlias = bool | int | float

WIDTHS: Final = {DType.INT8: 8, DType.INT16: 16, DType.INT32: 32, DType.INT64: 64}


def fit(dtype: DType, value: Value) -> Value:
    """The result of an operation in *dtype*: integers wrap, float32 is rounded."""
    match dtype:
        case DType.BOOL:
            return bool(value)
        case DType.FLOAT64:
            return float(value)
        case DType.FLOAT32:
            return ctypes.c_float(value).value
        case _:
            half = 1 << (WIDTHS[dtype] - 1)
            return (int(value) + half) % (2 * half) - half


def unary(operator: UnaryOperator, dtype: DType, value: Value) -> Value:
    return not value if operator is UnaryOperator.NOT else fit(dtype, -value)


def binary(operator: Operator, dtype: DType, left: Value, right: Value) -> Value:
    """Both operands are of *dtype*; comparisons give bool."""
    if operator in _COMPARE:
        return _COMPARE[operator](left, right)
    return fit(dtype, _arithmetic(operator, dtype, left, right))


def _arithmetic(operator: Operator, dtype: DType, left: Value, right: Value) -> Value:
    match operator:
        case Operator.ADD:
            return left + right
        case Operator.SUB:
            return left - right
        case Operator.MUL:
            return left * right
        case Operator.DIV:
            return _divide(float(left), float(right))
        case Operator.FLOORDIV if dtype in WIDTHS:
            return left // right if right != 0 else 0
        case Operator.MOD if dtype in WIDTHS:
            return left % right if right != 0 else 0
        case Operator.FLOORDIV:
            return _float_divmod(dtype, float(left), float(right))[0]
        case Operator.MOD:
            return _float_divmod(dtype, float(left), float(right))[1]
        case Operator.POW if dtype in WIDTHS:
            return pow(int(left), int(right), 1 << WIDTHS[dtype]) if right >= 0 else 0
        case _:
            return _libm("pow", dtype, left, right)


_COMPARE: Final[Mapping[Operator, Callable[[Value, Value], bool]]] = {
    Operator.LT: lambda a, b: a < b,
    Operator.LE: lambda a, b: a <= b,
    Operator.GT: lambda a, b: a > b,
    Operator.GE: lambda a, b: a >= b,
    Operator.EQ: lambda a, b: a == b,
    Operator.NE: lambda a, b: a != b,
    Operator.AND: lambda a, b: bool(a) and bool(b),
    Operator.OR: lambda a, b: bool(a) or bool(b),
}


def _divide(left: float, right: float) -> float:
    if right != 0.0:
        return left / right
    if left == 0.0 or math.isnan(left):
        return math.nan
    return math.copysign(math.inf, left) * math.copysign(1.0, right)


def _fmod(left: float, right: float) -> float:
    return math.nan if math.isinf(left) or right == 0.0 else math.fmod(left, right)


def _float_divmod(dtype: DType, left: float, right: float) -> tuple[float, float]:
    """Floored quotient and remainder, rounded step by step as NumPy's scalars do."""
    remainder = _fmod(left, right)
    if right == 0.0:
        return _divide(left, right), math.nan
    quotient = _divide(float(fit(dtype, left - remainder)), right)
    quotient = float(fit(dtype, quotient))
    if remainder != 0.0:
        if (right < 0.0) != (remainder < 0.0):
            remainder = float(fit(dtype, remainder + right))
            quotient = float(fit(dtype, quotient - 1.0))
    else:
        remainder = math.copysign(0.0, right)
    if quotient == 0.0:
        return math.copysign(0.0, _divide(left, right)), remainder
    if not math.isfinite(quotient):
        return quotient, remainder
    floored = float(math.floor(quotient))
    return floored + 1.0 if quotient - floored > 0.5 else floored, remainder


def native(function: NativeFunction, dtype: DType, arguments: tuple[Value, ...]) -> Value:
    """A native function of arguments of *dtype*."""
    if function in _PREDICATES:
        return _PREDICATES[function](float(arguments[0]))
    if function in _LIBM:
        return _libm(_LIBM[function], dtype, *arguments)
    if function in _TO_INTEGRAL:
        x = float(arguments[0])
        return math.copysign(_TO_INTEGRAL[function](x), x) if math.isfinite(x) else x
    return _number_function(function, dtype, arguments)


def _number_function(function: NativeFunction, dtype: DType, arguments: tuple[Value, ...]) -> Value:
    x, y = arguments[0], arguments[-1]
    match function:
        case NativeFunction.ABS:
            return fit(dtype, abs(x))
        case NativeFunction.MIN:
            return y if y < x or math.isnan(y) else x
        case NativeFunction.MAX:
            return y if y > x or math.isnan(y) else x
        case NativeFunction.MOD:
            return binary(Operator.MOD, dtype, x, y)
        case NativeFunction.FMOD:
            return _truncated_remainder(dtype, x, y)
        case NativeFunction.SQRT:
            return fit(dtype, math.sqrt(x)) if x >= 0.0 else math.nan
        case NativeFunction.POW2:
            return fit(dtype, x * x)
        case NativeFunction.POW3:
            return fit(dtype, fit(dtype, x * x) * x)
        case NativeFunction.POW4:
            square = fit(dtype, x * x)
            return fit(dtype, square * square)
        case _:
            raise NotImplementedError(function)


def _truncated_remainder(dtype: DType, x: Value, y: Value) -> Value:
    if dtype not in WIDTHS:
        return _fmod(float(x), float(y))
    if y == 0:
        return 0
    magnitude = abs(int(x)) % abs(int(y))
    return -magnitude if x < 0 else magnitude


def _round_half_away(x: float) -> float:
    whole = float(math.trunc(abs(x)))
    return whole + 1.0 if abs(x) - whole >= 0.5 else whole


_PREDICATES: Final[Mapping[NativeFunction, Callable[[float], bool]]] = {
    NativeFunction.ISNAN: math.isnan,
    NativeFunction.ISINF: math.isinf,
    NativeFunction.ISFINITE: math.isfinite,
}

_TO_INTEGRAL: Final[Mapping[NativeFunction, Callable[[float], float]]] = {
    NativeFunction.FLOOR: math.floor,
    NativeFunction.CEIL: math.ceil,
    NativeFunction.TRUNC: math.trunc,
    NativeFunction.ROUND: round,
    NativeFunction.ROUND_AWAY_FROM_ZERO: _round_half_away,
}

_LIBM: Final[Mapping[NativeFunction, str]] = {
    NativeFunction(name): "tgamma" if name == "gamma" else name
    for name in "cbrt exp log log10 sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh "
    "erf erfc gamma".split()
}

_LIBRARY: Final = ctypes.CDLL(ctypes.util.find_library("m"))


def _libm(name: str, dtype: DType, *arguments: Value) -> float:
    number = ctypes.c_double if dtype is DType.FLOAT64 else ctypes.c_float
    function = _LIBRARY[name if dtype is DType.FLOAT64 else f"{name}f"]
    function.restype = number
    return float(function(*map(number, arguments)))


def cast(target: DType, source: DType, value: Value) -> Value:
    """*value* of dtype *source* in dtype *target*."""
    if target in WIDTHS and source in (DType.FLOAT32, DType.FLOAT64):
        return _saturate(WIDTHS[target], float(value))
    if target is DType.FLOAT32 and source in WIDTHS:
        return fit(target, _sticky(int(value)))
    return fit(target, value)


def _saturate(width: int, value: float) -> int:
    if math.isnan(value):
        return 0
    low, high = -(1 << (width - 1)), (1 << (width - 1)) - 1
    return int(max(low, min(high, value))) if math.isfinite(value) else (low if value < 0 else high)


def _sticky(value: int) -> int:
    """A double that rounds to the same float32 as *value*: what is cut off still counts as not zero."""
    magnitude = abs(value)
    if magnitude < 1 << 53:
        return value
    magnitude = (magnitude >> 12 | int(magnitude % (1 << 12) != 0)) << 12
    return -magnitude if value < 0 else magnitude

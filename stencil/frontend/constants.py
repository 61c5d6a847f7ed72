"""Python objects as numbers, and arithmetic between weak numbers as Python does it."""

import math
import operator
from collections.abc import Callable
from functools import reduce
from typing import Any, Final

import numpy as np

from iir.dtypes import DType, from_numpy, is_float, is_integer, numpy_dtype, promote
from iir.expressions import COMPARISONS, LOGICAL, NativeFunction, Operator, UnaryOperator
from iir.span import Span
from stencil.frontend.drafts import Literal, Operation
from stencil.frontend.errors import error
from stencil.frontend.kinds import WHOLE, negative_power

MAX_BITS: Final = 1024


def literal(value: object, span: Span) -> Literal | None:
    """The number that *value* is; None if it is none.

    NumPy scalars keep their dtype; Python's int and float (and IntEnum members) are weak.
    """
    match value:
        case np.generic():
            dtype = from_numpy(value.dtype)
            return None if dtype is None else Literal(value.item(), dtype, span)
        case bool():
            return Literal(value, DType.BOOL, span)
        case int():
            return Literal(int(value), None, span)
        case float():
            return Literal(float(value), None, span)
        case _:
            return None


def fits(value: int, dtype: DType) -> bool:
    """Whether the integer *dtype* holds *value*."""
    half = 1 << (8 * numpy_dtype(dtype).itemsize - 1)
    return -half <= value < half


def convert(value: bool | int | float, dtype: DType) -> bool | int | float | None:
    """*value* as *dtype* holds it; None if it is out of range."""
    if dtype is DType.BOOL:
        return bool(value)
    if is_integer(dtype):
        if isinstance(value, float) and not math.isfinite(value):
            return None
        return int(value) if fits(int(value), dtype) else None
    return _rounded(value, dtype)


def _rounded(value: bool | int | float, dtype: DType) -> float | None:
    assert is_float(dtype)
    try:
        wide = float(value)
    except OverflowError:
        return None
    with np.errstate(all="ignore"):
        narrow = float(numpy_dtype(dtype).type(wide))
    return None if math.isinf(narrow) and not math.isinf(wide) else narrow


def fold(operation: Operation, numbers: tuple[Literal, ...], span: Span) -> Literal | None:
    """The value of *operation* on known numbers, where it is known how Python computes it.

    Arithmetic is folded between weak numbers and between integers, comparisons and logic between any.
    """
    values = tuple(number.value for number in numbers)
    if operation in COMPARISONS:
        return Literal(_COMPARE[operation](*values), DType.BOOL, span)
    if operation in LOGICAL or operation is UnaryOperator.NOT:
        return Literal(_LOGIC[operation](*values), DType.BOOL, span)
    dtypes = [number.dtype for number in numbers if number.dtype is not None]
    if dtypes:
        return _fold_integers(operation, values, reduce(promote, dtypes), span)
    whole = all(isinstance(value, int) for value in values)
    if operation is Operator.POW and whole and values[1] < 0:
        raise negative_power(numbers[1])
    if max((abs(value).bit_length() for value in values if isinstance(value, int)), default=0) > MAX_BITS:
        raise _too_large(span)
    result = _arithmetic(operation, values, span)
    return Literal(result, DType.BOOL if isinstance(result, bool) else None, span)


def _fold_integers(operation: Operation, values: tuple[Any, ...], dtype: DType, span: Span) -> Literal | None:
    """Integers with a width, as in bounds and offsets; what would wrap is left to the kernel."""
    is_known = operation in _EXACT and operation is not Operator.POW and is_integer(dtype)
    if not is_known or not all(isinstance(value, int) and fits(value, dtype) for value in values):
        return None
    result = _integers(operation, values, span)
    return Literal(result, dtype, span) if fits(result, dtype) else None


def _too_large(span: Span) -> Exception:
    return error("The value of this constant expression is too large.", "literal-overflow", span)


def _arithmetic(operation: Operation, values: tuple[Any, ...], span: Span) -> bool | int | float:
    if operation in _EXACT and all(isinstance(value, int) for value in values):
        return _integers(operation, values, span)
    try:
        wide = tuple(float(value) for value in values)
    except OverflowError:
        raise _too_large(span) from None
    with np.errstate(all="ignore"):
        result: bool | float = _FLOATS[operation](*wide)
    return result


def _integers(operation: Operation, values: tuple[Any, ...], span: Span) -> int:
    if (
        operation in {Operator.FLOORDIV, Operator.MOD, NativeFunction.MOD, NativeFunction.FMOD}
        and values[1] == 0
    ):
        return 0
    if operation is Operator.POW:
        base, exponent = values
        if abs(base) > 1 and exponent * base.bit_length() > MAX_BITS:
            raise _too_large(span)
    result: int = _EXACT[operation](*values)
    return result


def _truncated_remainder(left: int, right: int) -> int:
    remainder = abs(left) % abs(right)
    return -remainder if left < 0 else remainder


def _smallest(*values: Any) -> Any:
    result = values[0]
    for value in values[1:]:
        result = value if value < result or math.isnan(value) else result
    return result


def _largest(*values: Any) -> Any:
    result = values[0]
    for value in values[1:]:
        result = value if value > result or math.isnan(value) else result
    return result


def _power(base: float, exponent: float) -> float:
    match exponent:
        case 0.5:
            return _libm(math.sqrt, np.sqrt)(base)
        case 2.0:
            return base * base
        case 3.0:
            return base * base * base
        case 4.0:
            return (base * base) * (base * base)
        case _:
            return _libm(math.pow, np.power)(base, exponent)


def _libm(function: Callable[..., float], special: Callable[..., Any]) -> Callable[..., float]:
    """*function*, which is libm's, with NumPy's exact inf or NaN where Python raises an error."""

    def value(*arguments: float) -> float:
        try:
            return function(*arguments)
        except (ValueError, OverflowError):
            return float(special(*(np.float64(argument) for argument in arguments)))

    return value


def _ieee(function: Callable[..., Any]) -> Callable[..., Any]:
    def value(*arguments: float) -> Any:
        return function(*(np.float64(argument) for argument in arguments)).item()

    return value


def _gamma_special(x: np.float64) -> float:
    if x == 0.0:
        return math.copysign(math.inf, x)
    return math.nan if x < 0.0 else math.inf


def _round_away(x: float) -> float:
    whole = math.trunc(x) if math.isfinite(x) else x
    if abs(x - whole) >= 0.5:
        whole += math.copysign(1.0, x)
    return math.copysign(whole, x)


def _whole(function: Callable[[np.float64], Any]) -> Callable[[float], float]:
    return lambda x: float(function(np.float64(x)))


_COMPARE: Final[dict[Any, Callable[[Any, Any], bool]]] = {
    Operator.LT: operator.lt,
    Operator.LE: operator.le,
    Operator.GT: operator.gt,
    Operator.GE: operator.ge,
    Operator.EQ: operator.eq,
    Operator.NE: operator.ne,
}
_LOGIC: Final[dict[Any, Callable[..., bool]]] = {
    Operator.AND: lambda left, right: bool(left) and bool(right),
    Operator.OR: lambda left, right: bool(left) or bool(right),
    UnaryOperator.NOT: lambda value: not value,
}
_EXACT: Final[dict[Any, Callable[..., int]]] = {
    Operator.ADD: operator.add,
    Operator.SUB: operator.sub,
    Operator.MUL: operator.mul,
    Operator.FLOORDIV: operator.floordiv,
    Operator.MOD: operator.mod,
    Operator.POW: operator.pow,
    UnaryOperator.NEG: operator.neg,
    NativeFunction.ABS: abs,
    NativeFunction.MIN: _smallest,
    NativeFunction.MAX: _largest,
    NativeFunction.MOD: operator.mod,
    NativeFunction.FMOD: _truncated_remainder,
    **dict.fromkeys(WHOLE, int),
}
_FLOATS: Final[dict[Any, Callable[..., Any]]] = {
    Operator.ADD: _ieee(operator.add),
    Operator.SUB: _ieee(operator.sub),
    Operator.MUL: _ieee(operator.mul),
    Operator.DIV: _ieee(operator.truediv),
    Operator.FLOORDIV: _ieee(operator.floordiv),
    Operator.MOD: _ieee(operator.mod),
    Operator.POW: _power,
    UnaryOperator.NEG: operator.neg,
    NativeFunction.ABS: abs,
    NativeFunction.MIN: _smallest,
    NativeFunction.MAX: _largest,
    NativeFunction.MOD: _ieee(operator.mod),
    NativeFunction.FMOD: _libm(math.fmod, np.fmod),
    NativeFunction.SQRT: _libm(math.sqrt, np.sqrt),
    NativeFunction.CBRT: math.cbrt,
    NativeFunction.EXP: _libm(math.exp, np.exp),
    NativeFunction.LOG: _libm(math.log, np.log),
    NativeFunction.LOG10: _libm(math.log10, np.log10),
    NativeFunction.SIN: _libm(math.sin, np.sin),
    NativeFunction.COS: _libm(math.cos, np.cos),
    NativeFunction.TAN: _libm(math.tan, np.tan),
    NativeFunction.ASIN: _libm(math.asin, np.arcsin),
    NativeFunction.ACOS: _libm(math.acos, np.arccos),
    NativeFunction.ATAN: math.atan,
    NativeFunction.ATAN2: math.atan2,
    NativeFunction.SINH: _libm(math.sinh, np.sinh),
    NativeFunction.COSH: _libm(math.cosh, np.cosh),
    NativeFunction.TANH: math.tanh,
    NativeFunction.ASINH: math.asinh,
    NativeFunction.ACOSH: _libm(math.acosh, np.arccosh),
    NativeFunction.ATANH: _libm(math.atanh, np.arctanh),
    NativeFunction.ERF: math.erf,
    NativeFunction.ERFC: math.erfc,
    NativeFunction.GAMMA: _libm(math.gamma, _gamma_special),
    NativeFunction.FLOOR: _whole(np.floor),
    NativeFunction.CEIL: _whole(np.ceil),
    NativeFunction.TRUNC: _whole(np.trunc),
    NativeFunction.ROUND: _whole(np.round),
    NativeFunction.ROUND_AWAY_FROM_ZERO: _round_away,
    NativeFunction.ISNAN: math.isnan,
    NativeFunction.ISINF: math.isinf,
    NativeFunction.ISFINITE: math.isfinite,
}

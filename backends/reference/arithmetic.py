"""The scalar rules of the language, on whole arrays.

Operands have the declared dtype and results too, whatever their shapes. Callers silence NumPy's
floating-point warnings.
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, assert_never

import numpy as np

from backends.base import Array
from backends.libm import LIBM_NAMES, libm_function
from backends.vector_math.functions import FUNCTIONS
from backends.vector_math.on_arrays import on_arrays
from backends.vector_math.power import power
from iir.dtypes import DType, from_numpy, is_float, is_integer, numpy_dtype
from iir.expressions import NativeFunction, Operator, UnaryOperator


def unary(operator: UnaryOperator, operand: Array) -> Array:
    """*operator* on every point."""
    match operator:
        case UnaryOperator.NEG:
            return np.asarray(np.negative(operand))
        case UnaryOperator.NOT:
            return np.asarray(np.logical_not(operand))
        case _:
            assert_never(operator)


def binary(operator: Operator, left: Array, right: Array, math: str = "libm") -> Array:
    """*operator* on every pair of points; both operands have one dtype."""
    assert left.dtype == right.dtype
    if operator is Operator.POW:
        return _power(left, right, math)
    return np.asarray(_BINARY[operator](left, right))


def call(function: NativeFunction, arguments: Sequence[Array], math: str = "libm") -> Array:
    """A native function on every point."""
    if math == "vector" and function in FUNCTIONS:
        return np.asarray(on_arrays(FUNCTIONS[function], *arguments))
    if function in LIBM_NAMES:
        return _libm(LIBM_NAMES[function], arguments)
    return np.asarray(_NATIVE[function](*arguments))


def cast(dtype: DType, operand: Array) -> Array:
    """Float to integer truncates and saturates, NaN gives 0; integers wrap; to bool is ``!= 0``."""
    source = from_numpy(operand.dtype)
    assert source is not None
    if is_float(source) and is_integer(dtype):
        return _saturate(dtype, operand)
    return operand.astype(numpy_dtype(dtype))


def _saturate(dtype: DType, operand: Array) -> Array:
    limits = np.iinfo(numpy_dtype(dtype).name)
    # Both powers of two are exact in every float type, the largest integer is not.
    above = operand >= operand.dtype.type(2.0 ** (limits.bits - 1))
    below = operand < operand.dtype.type(-(2.0 ** (limits.bits - 1)))
    inside = np.where(above | below | np.isnan(operand), operand.dtype.type(0), operand)
    result = inside.astype(numpy_dtype(dtype))
    return np.where(above, limits.max, np.where(below, limits.min, result)).astype(numpy_dtype(dtype))


def _libm(name: str, arguments: Sequence[Array]) -> Array:
    dtype = arguments[0].dtype
    known = from_numpy(dtype)
    assert known is not None
    function = libm_function(name, known)
    columns = np.broadcast_arrays(*arguments)
    points = zip(*(column.ravel().tolist() for column in columns), strict=True)
    return np.array([function(*point) for point in points], dtype=dtype).reshape(columns[0].shape)


def _power(base: Array, exponent: Array, math: str) -> Array:
    """A function of floats; on integers repeated multiplication, 0 for a negative exponent."""
    if np.issubdtype(base.dtype, np.floating):
        if math == "vector":
            return np.asarray(on_arrays(power, base, exponent))
        return _libm("pow", (base, exponent))
    zero = base.dtype.type(0)
    return np.asarray(np.where(exponent < zero, zero, np.power(base, np.maximum(exponent, zero))))


def _minimum(left: Array, right: Array) -> Array:
    """NaN wins; of equal zeros the first."""
    return np.where((right < left) | np.isnan(right), right, left)


def _maximum(left: Array, right: Array) -> Array:
    """NaN wins; of equal zeros the first."""
    return np.where((right > left) | np.isnan(right), right, left)


# NumPy's integer division is the language's: by zero it gives 0, and the smallest number by -1 wraps.
_BINARY: Final[Mapping[Operator, Callable[[Array, Array], Any]]] = MappingProxyType(
    {
        Operator.ADD: np.add,
        Operator.SUB: np.subtract,
        Operator.MUL: np.multiply,
        Operator.DIV: np.divide,
        Operator.FLOORDIV: np.floor_divide,
        Operator.MOD: np.remainder,
        Operator.LT: np.less,
        Operator.LE: np.less_equal,
        Operator.GT: np.greater,
        Operator.GE: np.greater_equal,
        Operator.EQ: np.equal,
        Operator.NE: np.not_equal,
        Operator.AND: np.logical_and,
        Operator.OR: np.logical_or,
    }
)

# What IEEE 754 defines has the same bits in NumPy's vector code as in scalar code.
_NATIVE: Final[Mapping[NativeFunction, Callable[..., Any]]] = MappingProxyType(
    {
        NativeFunction.ABS: np.absolute,
        NativeFunction.MIN: _minimum,
        NativeFunction.MAX: _maximum,
        NativeFunction.MOD: np.remainder,
        NativeFunction.FMOD: np.fmod,
        NativeFunction.SQRT: np.sqrt,
        NativeFunction.POW2: lambda x: x * x,
        NativeFunction.POW3: lambda x: x * x * x,
        NativeFunction.POW4: lambda x: (x * x) * (x * x),
        NativeFunction.FLOOR: np.floor,
        NativeFunction.CEIL: np.ceil,
        NativeFunction.TRUNC: np.trunc,
        NativeFunction.ROUND: np.rint,
        NativeFunction.ISNAN: np.isnan,
        NativeFunction.ISINF: np.isinf,
        NativeFunction.ISFINITE: np.isfinite,
    }
)

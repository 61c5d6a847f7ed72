"""Number arguments: which values a scalar parameter takes, and their conversion to its dtype."""

from collections.abc import Callable
from typing import Any, SupportsFloat, cast

import numpy as np

from iir.dtypes import DType, is_float, is_integer, numpy_dtype
from iir.nodes import ScalarDecl
from stencil.argument_error import ARGUMENT, argument_error, dtype_text, type_text


def scalar_converter(declaration: ScalarDecl) -> Callable[[Any], np.generic]:
    """The function that turns an argument into a NumPy number of the declared dtype.

    A float parameter takes any real number, an integer parameter integers that fit, a bool
    parameter bools only; nothing is rounded to an integer and a bool is not a number.
    """
    name, dtype = declaration.name, declaration.dtype
    kind = numpy_dtype(dtype).type
    # Their conversion to float64 is exact, so they need no second look.
    exact: tuple[type, ...] = (float, kind) if dtype is DType.FLOAT64 else (kind,)

    def convert(value: Any) -> np.generic:
        if type(value) in exact:
            return kind(value)
        return _convert(name, dtype, value)

    return convert


def _convert(name: str, dtype: DType, value: object) -> np.generic:
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    is_bool = isinstance(value, bool | np.bool_)
    is_int = isinstance(value, int | np.integer) and not is_bool
    if is_integer(dtype) and is_int:
        return _integer(name, dtype, int(cast(int, value)))
    if is_float(dtype) and (is_int or isinstance(value, float | np.floating)):
        return _floating(name, dtype, cast(SupportsFloat, value))
    if dtype is DType.BOOL and is_bool:
        return np.bool_(value)
    raise _wrong_type(name, dtype, value)


def _integer(name: str, dtype: DType, value: int) -> np.generic:
    limits = np.iinfo(dtype_text(dtype))
    if not limits.min <= value <= limits.max:
        raise argument_error(
            ARGUMENT,
            f"Scalar '{name}' does not fit in {dtype_text(dtype)}: "
            f"{limits.min} to {limits.max} needed, {value} given.",
            field=name,
            needed=(int(limits.min), int(limits.max)),
            given=value,
        )
    return numpy_dtype(dtype).type(value)


def _floating(name: str, dtype: DType, value: SupportsFloat) -> np.generic:
    try:
        wide = float(value)
    except OverflowError:
        raise _too_large(name, dtype, value) from None
    with np.errstate(over="ignore"):
        result = numpy_dtype(dtype).type(wide)
    if np.isinf(result) and not np.isinf(wide):
        raise _too_large(name, dtype, value)
    return result


def _too_large(name: str, dtype: DType, value: object) -> Exception:
    largest = float(np.finfo(dtype_text(dtype)).max)
    shown = value if isinstance(value, float | np.floating) else "a larger integer"
    return argument_error(
        ARGUMENT,
        f"Scalar '{name}' does not fit in {dtype_text(dtype)}: at most {largest} needed, {shown} given.",
        field=name,
        needed=largest,
        given=value,
    )


def _wrong_type(name: str, dtype: DType, value: object) -> Exception:
    given = type_text(value)
    if dtype is DType.BOOL:
        hint = "Pass True or False."
    elif isinstance(value, bool | np.bool_):
        hint = f"Pass {int(value)}: a bool is no number."
    elif is_integer(dtype):
        hint = "Pass an integer: a float is not rounded."
    else:
        hint = "Pass a number."
    return argument_error(
        ARGUMENT,
        f"Scalar '{name}' has the wrong type: {dtype_text(dtype)} needed, {given} given.",
        hints=(hint,),
        field=name,
        needed=dtype_text(dtype),
        given=given,
    )

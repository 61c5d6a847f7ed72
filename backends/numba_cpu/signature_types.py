"""The Numba types of the parameters of generated functions."""

from typing import Any

from numba import from_dtype, types

from iir.dtypes import DType, numpy_dtype


def numba_type(parameter: str) -> Any:
    """The type of a parameter that is described as in `backends.numba_cpu.interface.Signature`."""
    if parameter == "index":
        return types.intp
    name, _, ndim = parameter.rstrip("]").partition("[")
    number = from_dtype(numpy_dtype(DType(name)))
    return types.Array(number, int(ndim), "A") if ndim else number

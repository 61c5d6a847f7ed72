"""How numbers are declared in Fortran, and what C calls them."""

from collections.abc import Mapping
from typing import Final

from iir.dtypes import DType, is_float

KIND: Final[Mapping[DType, str]] = {
    DType.BOOL: "c_bool",
    DType.INT8: "c_int8_t",
    DType.INT16: "c_int16_t",
    DType.INT32: "c_int32_t",
    DType.INT64: "c_int64_t",
    DType.FLOAT32: "vp",
    DType.FLOAT64: "wp",
}
"""Kind parameters of the module."""


def type_of(dtype: DType) -> str:
    """``real(wp)``."""
    name = "logical" if dtype is DType.BOOL else "real" if is_float(dtype) else "integer"
    return f"{name}({KIND[dtype]})"

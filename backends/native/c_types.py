"""The types of C for the number types of the language."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from iir.dtypes import DType, numpy_dtype

C_TYPE: Final[Mapping[DType, str]] = MappingProxyType(
    {
        DType.BOOL: "int8_t",
        DType.INT8: "int8_t",
        DType.INT16: "int16_t",
        DType.INT32: "int32_t",
        DType.INT64: "int64_t",
        DType.FLOAT32: "float",
        DType.FLOAT64: "double",
    }
)


def item_size(dtype: DType) -> int:
    """The bytes of a number."""
    return numpy_dtype(dtype).itemsize

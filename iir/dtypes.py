"""The number types of the language and how they combine."""

from enum import Enum
from typing import Final

import numpy as np


class DType(Enum):
    """A number type; the value is its name in the textual form."""

    BOOL = "bool"
    INT8 = "i8"
    INT16 = "i16"
    INT32 = "i32"
    INT64 = "i64"
    FLOAT32 = "f32"
    FLOAT64 = "f64"

    def __repr__(self) -> str:
        return f"DType.{self.name}"


_NUMPY: Final = {
    DType.BOOL: np.dtype(np.bool_),
    DType.INT8: np.dtype(np.int8),
    DType.INT16: np.dtype(np.int16),
    DType.INT32: np.dtype(np.int32),
    DType.INT64: np.dtype(np.int64),
    DType.FLOAT32: np.dtype(np.float32),
    DType.FLOAT64: np.dtype(np.float64),
}
_FROM_NUMPY: Final = {dtype: name for name, dtype in _NUMPY.items()}

FLOATS: Final = frozenset({DType.FLOAT32, DType.FLOAT64})
INTEGERS: Final = frozenset({DType.INT8, DType.INT16, DType.INT32, DType.INT64})


def numpy_dtype(dtype: DType) -> np.dtype[np.generic]:
    """The NumPy dtype of *dtype*, in native byte order."""
    return _NUMPY[dtype]


def from_numpy(dtype: np.dtype[np.generic]) -> DType | None:
    """The language's name for a NumPy dtype; None if it has none (or not in native byte order)."""
    return _FROM_NUMPY.get(dtype)


def is_float(dtype: DType) -> bool:
    return dtype in FLOATS


def is_integer(dtype: DType) -> bool:
    return dtype in INTEGERS


def promote(left: DType, right: DType) -> DType:
    """The common type of two operands by NumPy's rule (NEP 50, both sides strong)."""
    return _FROM_NUMPY[np.promote_types(_NUMPY[left], _NUMPY[right])]

"""The functions on NumPy's numbers and arrays."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from backends.vector_math import dekker
from backends.vector_math.arithmetic import FORMATS, Format, Function, Value
from iir.dtypes import from_numpy, numpy_dtype

_UNSIGNED: Final = {32: np.uint32, 64: np.uint64}


@dataclass(frozen=True, slots=True)
class ArrayArithmetic:
    """Operations on arrays of one dtype, of any shapes that broadcast."""

    format: Format

    def select(self, condition: Value, if_true: Value, if_false: Value) -> Value:
        # Two of Python's numbers have a type of their own; bits are as wide as numbers.
        chosen = np.asarray(np.where(condition, if_true, if_false))
        return chosen.astype(f"{chosen.dtype.kind}{self.format.width // 8}", copy=False)

    def bits(self, number: Value) -> Value:
        return number.view(_UNSIGNED[self.format.width])

    def number(self, bits: Value) -> Value:
        return bits.view(numpy_dtype(self.format.dtype))

    def rint(self, number: Value) -> Value:
        return np.rint(number)

    def fma(self, x: Value, y: Value, z: Value) -> Value:
        # Python's numbers would be taken apart with a precision of their own.
        number = numpy_dtype(self.format.dtype).type
        return dekker.fma(self, *(number(item) if isinstance(item, float) else item for item in (x, y, z)))


def on_arrays(function: Function, *arguments: Any) -> Any:
    """*function* of numbers or arrays of one float dtype, at every point."""
    dtype = from_numpy(arguments[0].dtype)
    assert dtype is not None
    with np.errstate(all="ignore"):
        return function(ArrayArithmetic(FORMATS[dtype]), *arguments)

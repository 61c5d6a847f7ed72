"""Casts from float to integer: truncated, saturated, NaN gives 0. All other casts are NumPy's types."""

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils

from backends.numba_cpu.runtime.machine_code import machine_code


def _saturating(dtype: type[np.signedinteger[Any]], number: Any) -> Callable[[Any], Any]:
    limits = np.iinfo(dtype)

    def plain(value: Any) -> Any:
        if np.isnan(value):
            return dtype(0)
        if value >= 2.0 ** (limits.bits - 1):
            return dtype(limits.max)
        return dtype(limits.min) if value < -(2.0 ** (limits.bits - 1)) else dtype(int(value))

    @machine_code(plain, lambda value: number if isinstance(value, types.Float) else None)
    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        (value,) = args
        source = "f32" if value.type == ir.FloatType() else "f64"
        integer = ir.IntType(limits.bits)
        function_type = ir.FunctionType(integer, [value.type])
        name = f"llvm.fptosi.sat.i{limits.bits}.{source}"
        return builder.call(cgutils.get_or_insert_function(builder.module, function_type, name), [value])

    return plain


saturate_i8 = _saturating(np.int8, types.int8)
saturate_i16 = _saturating(np.int16, types.int16)
saturate_i32 = _saturating(np.int32, types.int32)
saturate_i64 = _saturating(np.int64, types.int64)

"""Functions that IEEE 754 defines, as instructions of the processor; also the absolute value."""

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils

from backends.numba_cpu.runtime.machine_code import machine_code, same, same_float


def sqrt(value: Any) -> Any:
    return np.sqrt(value)


def floor(value: Any) -> Any:
    return np.floor(value)


def ceil(value: Any) -> Any:
    return np.ceil(value)


def trunc(value: Any) -> Any:
    return np.trunc(value)


def rint(value: Any) -> Any:
    """The nearest whole number, of two the even one."""
    return np.rint(value)


def absolute(value: Any) -> Any:
    """Without sign; the smallest integer stays what it is."""
    return np.absolute(value)


def llvm_intrinsic(builder: Any, name: str, value: Any) -> Any:
    """Call the LLVM intrinsic ``llvm.name`` of one float."""
    suffix = {ir.FloatType(): "f32", ir.DoubleType(): "f64"}[value.type]
    function_type = ir.FunctionType(value.type, [value.type])
    function = cgutils.get_or_insert_function(builder.module, function_type, f"llvm.{name}.{suffix}")
    return builder.call(function, [value])


def _register(plain: Callable[[Any], Any], name: str) -> None:
    @machine_code(plain, same_float)
    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return llvm_intrinsic(builder, name, args[0])


for _plain, _name in ((sqrt, "sqrt"), (floor, "floor"), (ceil, "ceil"), (trunc, "trunc"), (rint, "rint")):
    _register(_plain, _name)


@machine_code(absolute, same)
def _absolute(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    (value,) = args
    if isinstance(sig.return_type, types.Float):
        return llvm_intrinsic(builder, "fabs", value)
    negative = builder.icmp_signed("<", value, ir.Constant(value.type, 0))
    return builder.select(negative, builder.neg(value), value)

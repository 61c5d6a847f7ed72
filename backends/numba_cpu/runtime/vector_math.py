"""The functions of `backends.vector_math`, as machine code inside the loops that call them."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import types

from backends.numba_cpu.runtime import powers
from backends.numba_cpu.runtime.instructions import Word, instructions
from backends.numba_cpu.runtime.machine_code import Codegen, machine_code, same, same_float
from backends.vector_math.arithmetic import Function
from backends.vector_math.functions import FUNCTIONS
from backends.vector_math.on_arrays import on_arrays
from backends.vector_math.power import power as power_of_floats
from iir.expressions import NativeFunction


def _codegen(function: Function) -> Codegen:
    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        arithmetic = instructions(args[0].type, context)
        result: Word = function(arithmetic, *(Word(builder, item) for item in args))
        return result.value

    return codegen


def _native(function: NativeFunction) -> Callable[[Any], Any]:
    version = FUNCTIONS[function]

    def plain(value: Any) -> Any:
        return np.result_type(value).type(on_arrays(version, np.asarray(value)))

    plain.__name__ = function.value
    machine_code(plain, same_float)(_codegen(version))
    return plain


exp = _native(NativeFunction.EXP)
log = _native(NativeFunction.LOG)
tanh = _native(NativeFunction.TANH)


def power(base: Any, exponent: Any) -> Any:
    """`powers.power` of integers; of floats the version without branches."""
    if not isinstance(base, float | np.floating):
        return powers.power(base, exponent)
    number = np.result_type(base, exponent)
    numbers = (np.asarray(item, dtype=number) for item in (base, exponent))
    return number.type(on_arrays(power_of_floats, *numbers))


_power_of_floats = _codegen(power_of_floats)


@machine_code(power, same)
def _power(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    is_float = isinstance(sig.return_type, types.Float)
    return (_power_of_floats if is_float else powers.integer_power)(context, builder, sig, args)

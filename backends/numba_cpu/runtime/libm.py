"""The platform libm's functions, called directly.

LLVM knows functions of these names and would fold ``pow(x, 2.0)`` or ``pow(2.0, x)`` to something
with other bits; `nobuiltin` makes the symbols ordinary ones.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir

from backends.libm import libm_function
from backends.numba_cpu.runtime.machine_code import machine_code, same_float
from iir.dtypes import from_numpy


def call_symbol(builder: Any, name: str, *arguments: Any) -> Any:
    """Call libm's *name* in the precision of the arguments."""
    number = arguments[0].type
    symbol = f"{name}f" if number == ir.FloatType() else name
    module = builder.module
    function = module.globals.get(symbol)
    if function is None:
        function = ir.Function(module, ir.FunctionType(number, [number] * len(arguments)), symbol)
    function.attributes.add("nobuiltin")
    function.attributes.add("nounwind")
    return builder.call(function, arguments)


def _from_libm(name: str) -> Callable[..., Any]:
    def plain(*arguments: Any) -> Any:
        kind = np.result_type(*arguments)
        dtype = from_numpy(kind)
        assert dtype is not None
        return kind.type(libm_function(name, dtype)(*map(float, arguments)))

    plain.__name__ = name

    @machine_code(plain, same_float)
    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return call_symbol(builder, name, *args)

    return plain


cbrt = _from_libm("cbrt")
exp = _from_libm("exp")
log = _from_libm("log")
log10 = _from_libm("log10")
sin = _from_libm("sin")
cos = _from_libm("cos")
tan = _from_libm("tan")
asin = _from_libm("asin")
acos = _from_libm("acos")
atan = _from_libm("atan")
atan2 = _from_libm("atan2")
sinh = _from_libm("sinh")
cosh = _from_libm("cosh")
tanh = _from_libm("tanh")
asinh = _from_libm("asinh")
acosh = _from_libm("acosh")
atanh = _from_libm("atanh")
erf = _from_libm("erf")
erfc = _from_libm("erfc")
tgamma = _from_libm("tgamma")
round_away = _from_libm("round")
pow_float = _from_libm("pow")

"""Functions of a C interface around what Numba compiles: arrays are pointers and strides.

Imported in the process that compiles kernels only, which Numba has been set up for.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core.registry import cpu_target
from numba.np.arrayobj import make_array

_POINTER = ir.IntType(8).as_pointer()
_INT64 = ir.IntType(64)


def entry_module(name: str, compiled: Any) -> ir.Module:
    """A module that defines *name* as a call of *compiled*, a compile result without a return value.

    Where that takes an array, *name* takes its first element's address and the address of its strides.
    It returns 0, or something else if an exception was raised.
    """
    context = cpu_target.target_context
    module = ir.Module(name)
    parameters = [part for item in compiled.signature.args for part in _parameter_types(context, item)]
    function = ir.Function(module, ir.FunctionType(ir.IntType(32), parameters), name)
    builder = ir.IRBuilder(function.append_basic_block())
    rest = iter(function.args)
    values = [_value(context, builder, item, rest) for item in compiled.signature.args]
    callee = context.declare_function(module, compiled.fndesc)
    status, _ = context.call_conv.call_function(
        builder, callee, compiled.signature.return_type, compiled.signature.args, values
    )
    builder.ret(builder.zext(status.is_error, ir.IntType(32)))
    return module


def _parameter_types(context: Any, kind: Any) -> tuple[Any, ...]:
    if isinstance(kind, types.Array):
        return _POINTER, _POINTER
    return (context.get_argument_type(kind),)


def _value(context: Any, builder: Any, kind: Any, rest: Any) -> Any:
    """The value of the next parameter, as Numba keeps it."""
    if not isinstance(kind, types.Array):
        return context.data_model_manager[kind].from_argument(builder, next(rest))
    data, strides = next(rest), next(rest)
    array = make_array(kind)(context, builder)
    array.data = builder.bitcast(data, array.data.type)
    array.strides = builder.load(builder.bitcast(strides, array.strides.type.as_pointer()), align=8)
    return array._getvalue()

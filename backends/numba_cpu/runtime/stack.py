"""Arrays in the stack frame of the kernel that makes them.

They cost no call of an allocator, belong to the thread that runs the kernel, and are gone when it
returns. Nothing guards the end of the stack: who emits them keeps within a budget.
"""

from math import prod
from typing import Any, Final

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel import StructModel
from numba.extending import register_model

from backends.numba_cpu.runtime.machine_code import machine_code

LINE: Final = 64
"""Bytes of a cache line: where rows and their first computed element begin."""

_INT64: Final = ir.IntType(64)
_BYTE: Final = ir.IntType(8)


def stack_unit0(dtype: Any, aligned: int, *sizes: int) -> Any:
    """An array with unit stride on its first axis, whose element *aligned* begins a cache line."""
    return _unset(dtype, sizes)


def stack_unit1(dtype: Any, aligned: int, *sizes: int) -> Any:
    """An array with unit stride on its second axis, whose element *aligned* begins a cache line."""
    return _unset(dtype, sizes)


def stack_unit2(dtype: Any, aligned: int, *sizes: int) -> Any:
    """An array with unit stride on its third axis, whose element *aligned* begins a cache line."""
    return _unset(dtype, sizes)


def stack_save() -> Any:
    """How far the stack reaches."""
    return np.uint64(0)


def stack_restore(token: Any) -> None:
    """Give back all of the stack that was taken since `stack_save` returned *token*."""


def _unset(dtype: Any, sizes: tuple[int, ...]) -> np.ndarray[Any, Any]:
    """Memory is not cleared: something that no result can hide is in its place."""
    bits = np.dtype(dtype)
    fill = np.nan if bits.kind == "f" else False if bits.kind == "b" else np.iinfo(bits).max
    return np.full([max(0, size) for size in sizes], fill, dtype)


class StackArrayType(types.Type):  # type: ignore[misc]  # Numba has no types
    """A pointer to the first element and a stride in bytes for each axis; nobody counts references."""

    def __init__(self, dtype: Any, ndim: int, unit: int) -> None:
        self.dtype, self.ndim, self.unit = dtype, ndim, unit
        super().__init__(f"StackArray({dtype}, {ndim}, unit={unit})")


@register_model(StackArrayType)
class _StackArrayModel(StructModel):  # type: ignore[misc]  # Numba has no types
    def __init__(self, manager: Any, array_type: StackArrayType) -> None:
        strides = [(f"stride{axis}", types.intp) for axis in range(array_type.ndim)]
        super().__init__(manager, array_type, [("data", types.CPointer(array_type.dtype)), *strides])


def _register(plain: Any, unit: int) -> None:
    def result(dtype: Any, aligned: Any, *sizes: Any) -> Any:
        if isinstance(dtype, types.NumberClass) and unit < len(sizes):
            return StackArrayType(dtype.instance_type, len(sizes), unit)
        return None

    machine_code(plain, result, sees_literals=True)(_allocate)


def _allocate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    array_type = sig.return_type
    aligned, *sizes = [
        context.cast(builder, value, kind, types.intp)
        for value, kind in zip(args[1:], sig.args[1:], strict=True)
    ]
    item = context.get_abi_sizeof(context.get_data_type(array_type.dtype))
    constant = _constant_size(array_type.unit, sig.args[2:], item)
    strides, size = _strides(builder, array_type.unit, sizes, item)
    slot = _dynamic_slot(builder, size) if constant is None else _frame_slot(builder, constant)
    before = _remainder(builder, builder.sub(_INT64(0), builder.mul(aligned, _INT64(item))))
    data = builder.gep(slot, [before], inbounds=True)
    result = cgutils.create_struct_proxy(array_type)(context, builder)
    result.data = builder.bitcast(data, context.get_data_type(array_type.dtype).as_pointer())
    for axis, stride in enumerate(strides):
        setattr(result, f"stride{axis}", stride)
    return result._getvalue()


def _constant_size(unit: int, sizes: Any, item: int) -> int | None:
    """The bytes of an array whose sizes are all literals."""
    if not all(isinstance(size, types.IntegerLiteral) for size in sizes):
        return None
    lengths = [size.literal_value for size in sizes]
    rows = prod(length for axis, length in enumerate(lengths) if axis != unit)
    return int(-(-lengths[unit] * item // LINE) * LINE * rows)


def _frame_slot(builder: Any, size: int) -> Any:
    """Memory in the frame, the same however often this is run."""
    with builder.goto_entry_block():
        slot = builder.alloca(ir.ArrayType(_BYTE, size + LINE))
        slot.align = LINE
    return builder.bitcast(slot, _BYTE.as_pointer())


def _dynamic_slot(builder: Any, size: Any) -> Any:
    """Memory where this stands, more each time: callers put it where it runs once, or give it back."""
    # A domain may be too small for what a size takes off it; less than nothing would move the stack up.
    is_some = builder.icmp_signed(">", size, _INT64(0))
    slot = builder.alloca(_BYTE, size=builder.add(builder.select(is_some, size, _INT64(0)), _INT64(LINE)))
    slot.align = LINE
    return slot


def _strides(builder: Any, unit: int, sizes: list[Any], item: int) -> tuple[list[Any], Any]:
    """The strides in bytes and the size of all: rows are padded to whole cache lines."""
    strides = [_INT64(item)] * len(sizes)
    size = _padded(builder, builder.mul(sizes[unit], _INT64(item)))
    for axis in range(len(sizes)):
        if axis != unit:
            strides[axis] = size
            size = builder.mul(size, sizes[axis])
    return strides, size


def _padded(builder: Any, size: Any) -> Any:
    return builder.and_(builder.add(size, _INT64(LINE - 1)), _INT64(-LINE))


def _remainder(builder: Any, size: Any) -> Any:
    return builder.and_(size, _INT64(LINE - 1))


@machine_code(stack_save, lambda: types.uint64)
def _save(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    pointer = _BYTE.as_pointer()
    save = cgutils.get_or_insert_function(builder.module, ir.FunctionType(pointer, []), "llvm.stacksave.p0")
    return builder.ptrtoint(builder.call(save, []), _INT64)


@machine_code(stack_restore, lambda token: types.none)
def _restore(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    pointer = _BYTE.as_pointer()
    restore = cgutils.get_or_insert_function(
        builder.module, ir.FunctionType(ir.VoidType(), [pointer]), "llvm.stackrestore.p0"
    )
    builder.call(restore, [builder.inttoptr(args[0], pointer)])
    return context.get_dummy_value()


for _plain, _unit in ((stack_unit0, 0), (stack_unit1, 1), (stack_unit2, 2)):
    _register(_plain, _unit)

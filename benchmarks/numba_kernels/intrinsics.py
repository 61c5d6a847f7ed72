"""What good kernels need beyond Numba: scratch on the stack, moved origins, prefetches, streaming stores."""

import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array
from numba.np.numpy_support import from_dtype

from tests.catalogue import DTypeLike

LINE: Final = 64
_I8, _I32, _I64 = ir.IntType(8), ir.IntType(32), ir.IntType(64)


def stack_array(shape: tuple[int, ...], dtype: DTypeLike) -> Callable[[], Any]:
    """A function that gives scratch of this shape in the frame of its caller, aligned to 64 bytes."""
    array = types.Array(from_dtype(np.dtype(dtype)), len(shape), "C")
    strides = [math.prod(shape[axis + 1 :]) * np.dtype(dtype).itemsize for axis in range(len(shape))]

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        element = context.get_data_type(array.dtype)
        with builder.goto_entry_block():
            memory = builder.alloca(ir.ArrayType(element, math.prod(shape)))
            memory.align = LINE
        made = make_array(array)(context, builder)
        sizes, steps = (
            [context.get_constant(types.intp, n) for n in numbers] for numbers in (shape, strides)
        )
        data = builder.bitcast(memory, element.as_pointer())
        itemsize = context.get_constant(types.intp, np.dtype(dtype).itemsize)
        populate_array(made, data=data, shape=sizes, strides=steps, itemsize=itemsize, meminfo=None)
        return made._getvalue()

    def scratch(typingctx: Any) -> Any:
        return array(), codegen

    return intrinsic(scratch)  # type: ignore[no-any-return]  # Numba has no types


@intrinsic  # type: ignore[untyped-decorator]  # as above
def shift(typingctx: Any, array: Any, k: Any, j: Any, i: Any) -> Any:
    """The array with its origin at [k, j, i]: of the same shape, so that indices from 0 on stay in range."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = signature.args[0]
        old, new = make_array(kind)(context, builder, arguments[0]), make_array(kind)(context, builder)
        data = _address(context, builder, signature.args, arguments)
        populate_array(
            new, data=data, shape=old.shape, strides=old.strides, itemsize=old.itemsize, meminfo=None
        )
        return new._getvalue()

    return array(array, k, j, i), codegen


@intrinsic  # type: ignore[untyped-decorator]  # as above
def prefetch(typingctx: Any, array: Any, k: Any, j: Any, i: Any) -> Any:
    """Fetch the line of [k, j, i] into the caches; it may lie outside of the array."""
    return types.none(array, k, j, i), _prefetch(3)


@intrinsic  # type: ignore[untyped-decorator]  # as above
def prefetch_to_l2(typingctx: Any, array: Any, k: Any, j: Any, i: Any) -> Any:
    """As `prefetch`, but not into the first level."""
    return types.none(array, k, j, i), _prefetch(2)


def _prefetch(locality: int) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = builder.bitcast(_address(context, builder, signature.args, arguments), _I8.as_pointer())
        kind = ir.FunctionType(ir.VoidType(), [_I8.as_pointer(), _I32, _I32, _I32])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        builder.call(function, [place, _I32(0), _I32(locality), _I32(1)])
        return context.get_dummy_value()

    return codegen


@intrinsic  # type: ignore[untyped-decorator]  # as above
def stream_row(typingctx: Any, target: Any, k: Any, j: Any, i: Any, row: Any, number: Any) -> Any:
    """``target[k, j, i:i+number] = row[:number]`` past the caches; `fence` has to follow at the end."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        element = context.get_data_type(signature.args[0].dtype)
        itemsize = context.get_abi_sizeof(element)
        to = _address(context, builder, signature.args[:4], arguments[:4])
        source = make_array(signature.args[4])(context, builder, arguments[4]).data
        count = context.cast(builder, arguments[5], signature.args[5], types.intp)
        gap = builder.and_(builder.sub(_I64(0), builder.ptrtoint(to, _I64)), _I64(LINE - 1))
        head = builder.udiv(gap, _I64(itemsize))
        head = builder.select(builder.icmp_signed("<", head, count), head, count)
        lines = builder.udiv(builder.sub(count, head), _I64(LINE // itemsize))
        _copy(builder, source, to, _I64(0), head)
        _stream_lines(builder, builder.gep(source, [head]), builder.gep(to, [head]), lines, LINE // itemsize)
        _copy(builder, source, to, builder.add(head, builder.mul(lines, _I64(LINE // itemsize))), count)
        return context.get_dummy_value()

    return types.none(target, k, j, i, row, number), codegen


@intrinsic  # type: ignore[untyped-decorator]  # as above
def fence(typingctx: Any) -> Any:
    """What was streamed is there before what comes next."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = ir.FunctionType(ir.VoidType(), [])
        builder.call(cgutils.get_or_insert_function(builder.module, kind, "llvm.x86.sse.sfence"), [])
        return context.get_dummy_value()

    return types.none(), codegen


def _address(context: Any, builder: Any, kinds: Any, arguments: Any) -> Any:
    """Of array[k, j, i], which may lie outside."""
    array = make_array(kinds[0])(context, builder, arguments[0])
    indices = [
        context.cast(builder, x, kind, types.intp) for x, kind in zip(arguments[1:], kinds[1:], strict=True)
    ]
    return cgutils.get_item_pointer(
        context, builder, kinds[0], array, indices, wraparound=False, boundscheck=False
    )


def _copy(builder: Any, source: Any, target: Any, start: Any, stop: Any) -> None:
    with cgutils.for_range_slice(builder, start, stop, _I64(1), intp=_I64) as (index, _):
        builder.store(builder.load(builder.gep(source, [index])), builder.gep(target, [index]))


def _stream_lines(builder: Any, source: Any, target: Any, lines: Any, lanes: int) -> None:
    vector = ir.VectorType(source.type.pointee, lanes).as_pointer()
    mark = builder.module.add_metadata([_I32(1)])
    with cgutils.for_range(builder, lines, intp=_I64) as loop:
        at = builder.mul(loop.index, _I64(lanes))
        value = builder.load(builder.bitcast(builder.gep(source, [at]), vector), align=LINE // lanes)
        stored = builder.store(value, builder.bitcast(builder.gep(target, [at]), vector), align=LINE)
        stored.set_metadata("nontemporal", mark)

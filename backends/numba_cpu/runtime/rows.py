"""Rows of views as a whole: fetched before they are needed, stored past the caches."""

from typing import Any, Final

from llvmlite import ir
from numba import types
from numba.core import cgutils

from backends.numba_cpu.runtime.machine_code import machine_code
from backends.numba_cpu.runtime.view import ViewType, element_address

LINE: Final = 64
"""Bytes of a cache line."""
SECOND_LEVEL: Final = 2
"""The "locality" of a request. Measured: requests for the first level are slower, since fewer may wait."""

_INT64: Final = ir.IntType(64)
_INT32: Final = ir.IntType(32)
_BYTE_POINTER: Final = ir.IntType(8).as_pointer()


def prefetch_unit0(view: Any, start: int, stop: int, *others: int) -> None:
    """Fetch ``view[start:stop, *others]`` into the second-level cache; a hint that changes no value."""


def prefetch_unit1(view: Any, start: int, stop: int, *others: int) -> None:
    """Fetch ``view[other, start:stop, *others]`` into the second-level cache; a hint: no value changes."""


def prefetch_unit2(view: Any, start: int, stop: int, *others: int) -> None:
    """Fetch ``view[*others, start:stop]`` into the second-level cache; a hint that changes no value."""


def stream_unit0(view: Any, row: Any, start: int, stop: int, *others: int) -> None:
    """``view[start:stop, *others] = row[start:stop]``, past the caches."""
    _copy(view, row, start, stop, 0, others)


def stream_unit1(view: Any, row: Any, start: int, stop: int, *others: int) -> None:
    """``view[other, start:stop, *others] = row[start:stop]``, past the caches."""
    _copy(view, row, start, stop, 1, others)


def stream_unit2(view: Any, row: Any, start: int, stop: int, *others: int) -> None:
    """``view[*others, start:stop] = row[start:stop]``, past the caches."""
    _copy(view, row, start, stop, 2, others)


def fence() -> None:
    """Wait until all that this thread has streamed has arrived in memory."""


def _copy(view: Any, row: Any, start: int, stop: int, unit: int, others: tuple[int, ...]) -> None:
    for at in range(start, stop):
        view[(*others[:unit], at, *others[unit:])] = row[at]


def _register_prefetch(plain: Any, unit: int) -> None:
    def result(view: Any, start: Any, stop: Any, *others: Any) -> Any:
        return types.none if _is_row(view, unit, others) else None

    machine_code(plain, result)(_prefetch)


def _register_stream(plain: Any, unit: int) -> None:
    def result(view: Any, row: Any, start: Any, stop: Any, *others: Any) -> Any:
        return types.none if _is_row(view, unit, others) and _is_row(row, 0, ()) else None

    machine_code(plain, result)(_stream)


def _is_row(view: Any, unit: int, others: tuple[Any, ...]) -> bool:
    """Whether *others* are the indices that leave a row of unit stride of *view*."""
    return isinstance(view, ViewType) and view.unit == unit and view.ndim == 1 + len(others)


def _prefetch(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """One request for each line; no request is wrong, wherever its address is."""
    view_type = sig.args[0]
    start, stop, *others = _indices(context, builder, sig.args[1:], args[1:])
    index = _with_start(view_type, start, others)
    first = element_address(context, builder, view_type, args[0], index, is_inside=False)
    size = builder.mul(builder.sub(stop, start), _INT64(_item(context, view_type)))
    kind = ir.FunctionType(ir.VoidType(), [_BYTE_POINTER, _INT32, _INT32, _INT32])
    request = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
    pointer = builder.bitcast(first, _BYTE_POINTER)
    with cgutils.for_range_slice(builder, _INT64(0), size, _INT64(LINE), intp=_INT64) as (offset, _):
        builder.call(request, [builder.gep(pointer, [offset]), _INT32(0), _INT32(SECOND_LEVEL), _INT32(1)])
    return context.get_dummy_value()


def _stream(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """Whole lines with non-temporal stores, what is before and after them with ordinary ones.

    No line begins with an element of an array that is not aligned: all of its rows are before them.
    """
    view_type, row_type = sig.args[0], sig.args[1]
    start, stop, *others = _indices(context, builder, sig.args[2:], args[2:])
    target = element_address(context, builder, view_type, args[0], _with_start(view_type, start, others))
    source = element_address(context, builder, row_type, args[1], [start])
    item = _item(context, view_type)
    count = _at_least_zero(builder, builder.sub(stop, start))
    to_line = builder.and_(builder.neg(builder.ptrtoint(target, _INT64)), _INT64(LINE - 1))
    is_aligned = builder.icmp_signed("==", builder.urem(to_line, _INT64(item)), _INT64(0))
    before_line = builder.select(is_aligned, builder.udiv(to_line, _INT64(item)), count)
    head = _smaller(builder, before_line, count)
    lines = builder.udiv(builder.sub(count, head), _INT64(LINE // item))
    tail = builder.add(head, builder.mul(lines, _INT64(LINE // item)))
    _copy_items(builder, source, target, _INT64(0), head)
    _copy_lines(builder, source, target, head, lines, LINE // item)
    _copy_items(builder, source, target, tail, count)
    return context.get_dummy_value()


def _copy_items(builder: Any, source: Any, target: Any, start: Any, stop: Any) -> None:
    with cgutils.for_range_slice(builder, start, stop, _INT64(1), intp=_INT64) as (at, _):
        value = builder.load(builder.gep(source, [at]), align=1)
        builder.store(value, builder.gep(target, [at]), align=1)


def _copy_lines(builder: Any, source: Any, target: Any, first: Any, lines: Any, items: int) -> None:
    line = ir.VectorType(source.type.pointee, items).as_pointer()
    flag = builder.module.add_metadata([_INT32(1)])
    with cgutils.for_range(builder, lines, intp=_INT64) as loop:
        at = builder.add(first, builder.mul(loop.index, _INT64(items)))
        value = builder.load(builder.bitcast(builder.gep(source, [at]), line), align=1)
        store = builder.store(value, builder.bitcast(builder.gep(target, [at]), line), align=LINE)
        store.set_metadata("nontemporal", flag)


def _indices(context: Any, builder: Any, kinds: Any, values: Any) -> list[Any]:
    return [context.cast(builder, value, kind, types.intp) for value, kind in zip(values, kinds, strict=True)]


def _with_start(view_type: ViewType, start: Any, others: list[Any]) -> list[Any]:
    return [*others[: view_type.unit], start, *others[view_type.unit :]]


def _item(context: Any, view_type: ViewType) -> int:
    size: int = context.get_abi_sizeof(context.get_data_type(view_type.dtype))
    return size


def _at_least_zero(builder: Any, value: Any) -> Any:
    return builder.select(builder.icmp_signed("<", value, _INT64(0)), _INT64(0), value)


def _smaller(builder: Any, left: Any, right: Any) -> Any:
    return builder.select(builder.icmp_signed("<", left, right), left, right)


@machine_code(fence, lambda: types.none)
def _fence(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    if context.target_data is not None and "x86" in builder.module.triple:
        kind = ir.FunctionType(ir.VoidType(), [])
        builder.call(cgutils.get_or_insert_function(builder.module, kind, "llvm.x86.sse.sfence"), [])
    return context.get_dummy_value()


for _unit, _fetch in enumerate((prefetch_unit0, prefetch_unit1, prefetch_unit2)):
    _register_prefetch(_fetch, _unit)
for _unit, _store in enumerate((stream_unit0, stream_unit1, stream_unit2)):
    _register_stream(_store, _unit)

"""Views of arrays whose index [0, 0, 0] is the domain's first point; in the halo indices are negative.

Compiled, an access is one address computation: no wraparound and no bounds check, so that loops over
any range vectorise. As plain Python, an index outside the array is an `IndexError`.
"""

import operator
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel import StructModel
from numba.core.imputils import lower_builtin
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import register_model
from numba.np.arrayobj import make_array

from backends.numba_cpu.runtime.machine_code import machine_code
from backends.numba_cpu.runtime.stack import StackArrayType


class View:
    """The un-compiled view: *origin* is the index of the domain's first point."""

    def __init__(self, array: np.ndarray[Any, Any], origin: tuple[int, ...]) -> None:
        assert array.ndim == len(origin)
        self.array = array
        self.origin = origin

    def __getitem__(self, index: int | tuple[int, ...]) -> Any:
        return self.array[self._position(index)]

    def __setitem__(self, index: int | tuple[int, ...], value: Any) -> None:
        self.array[self._position(index)] = value

    def _position(self, index: int | tuple[int, ...]) -> tuple[int, ...]:
        own = index if isinstance(index, tuple) else (index,)
        position = tuple(first + step for first, step in zip(self.origin, own, strict=True))
        if not all(0 <= at < length for at, length in zip(position, self.array.shape, strict=True)):
            raise IndexError(f"index {own} leaves an array of shape {self.array.shape}, origin {self.origin}")
        return position


def view(array: Any, *origin: int) -> View:
    """A view of an array of any strides."""
    return View(array, origin)


def view_unit0(array: Any, *origin: int) -> View:
    """A view of an array with unit stride on its first axis."""
    return View(array, origin)


def view_unit1(array: Any, *origin: int) -> View:
    """A view of an array with unit stride on its second axis."""
    return View(array, origin)


def view_unit2(array: Any, *origin: int) -> View:
    """A view of an array with unit stride on its third axis."""
    return View(array, origin)


def view_unit0_of_chunk(array: Any, *origin_and_chunk: int) -> View:
    """A view of what an array holds for one chunk, an index of its last axis; unit stride on the first."""
    *origin, chunk = origin_and_chunk
    return View(array[..., chunk], tuple(origin))


def view_unit1_of_chunk(array: Any, *origin_and_chunk: int) -> View:
    """A view of what an array holds for one chunk, an index of its last axis; unit stride on the second."""
    *origin, chunk = origin_and_chunk
    return View(array[..., chunk], tuple(origin))


def view_unit2_of_chunk(array: Any, *origin_and_chunk: int) -> View:
    """A view of what an array holds for one chunk, an index of its last axis; unit stride on the third."""
    *origin, chunk = origin_and_chunk
    return View(array[..., chunk], tuple(origin))


class ViewType(types.Type):  # type: ignore[misc]  # Numba has no types
    """A pointer to the domain's first point and a stride in bytes for each axis.

    *unit* is the axis whose stride is known to be one element, None if there is none.
    """

    def __init__(self, dtype: Any, ndim: int, unit: int | None) -> None:
        self.dtype, self.ndim, self.unit = dtype, ndim, unit
        self.index = types.UniTuple(types.intp, ndim) if ndim > 1 else types.intp
        super().__init__(f"View({dtype}, {ndim}, unit={unit})")


@register_model(ViewType)
class _ViewModel(StructModel):  # type: ignore[misc]  # Numba has no types
    def __init__(self, manager: Any, view_type: ViewType) -> None:
        strides = [(f"stride{axis}", types.intp) for axis in range(view_type.ndim)]
        super().__init__(manager, view_type, [("data", types.CPointer(view_type.dtype)), *strides])


def _register_view(plain: Any, unit: int | None, chunk_axes: int = 0) -> None:
    def result(array: Any, *origin: Any) -> Any:
        if isinstance(array, types.Array | StackArrayType) and array.ndim == len(origin):
            return ViewType(array.dtype, array.ndim - chunk_axes, unit)
        return None

    machine_code(plain, result)(_make_view)


def _make_view(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    view_type, array_type = sig.return_type, sig.args[0]
    data, strides = _memory(context, builder, array_type, args[0])
    origin = [
        context.cast(builder, value, kind, types.intp)
        for value, kind in zip(args[1:], sig.args[1:], strict=True)
    ]
    result = cgutils.create_struct_proxy(view_type)(context, builder)
    result.data = _address(context, builder, view_type, data, strides, origin)
    for axis in range(view_type.ndim):
        setattr(result, f"stride{axis}", strides[axis])
    return result._getvalue()


def _memory(context: Any, builder: Any, array_type: Any, value: Any) -> tuple[Any, list[Any]]:
    """Where an array begins, and its strides in bytes."""
    if isinstance(array_type, StackArrayType):
        array = cgutils.create_struct_proxy(array_type)(context, builder, value=value)
        return array.data, [getattr(array, f"stride{axis}") for axis in range(array_type.ndim)]
    array = make_array(array_type)(context, builder, value)
    return array.data, cgutils.unpack_tuple(builder, array.strides, array_type.ndim)


def _address(
    context: Any,
    builder: Any,
    view_type: ViewType,
    data: Any,
    strides: list[Any],
    index: list[Any],
    is_inside: bool = True,
) -> Any:
    """The address of an element; strides beyond the view's axes (the chunk) count too."""
    element = context.get_data_type(view_type.dtype)
    size = ir.Constant(ir.IntType(64), context.get_abi_sizeof(element))
    pointer = builder.bitcast(data, ir.IntType(8).as_pointer())
    for axis in reversed(range(len(index))):
        step = size if axis == view_type.unit else strides[axis]
        pointer = builder.gep(pointer, [builder.mul(index[axis], step, flags=["nsw"])], inbounds=is_inside)
    return builder.bitcast(pointer, element.as_pointer())


@infer_global(operator.getitem)
class _TypeOfLoad(AbstractTemplate):  # type: ignore[misc]  # Numba has no types
    def generic(self, args: Any, kws: Any) -> Any:
        if isinstance(args[0], ViewType):
            return signature(args[0].dtype, args[0], args[0].index)
        return None


@infer_global(operator.setitem)
class _TypeOfStore(AbstractTemplate):  # type: ignore[misc]  # Numba has no types
    def generic(self, args: Any, kws: Any) -> Any:
        if isinstance(args[0], ViewType):
            return signature(types.none, args[0], args[0].index, args[0].dtype)
        return None


def element_address(
    context: Any, builder: Any, view_type: ViewType, value: Any, index: list[Any], *, is_inside: bool = True
) -> Any:
    """The address of the element at *index*, one for each axis, which *is_inside* the array or not."""
    struct = cgutils.create_struct_proxy(view_type)(context, builder, value=value)
    strides = [getattr(struct, f"stride{axis}") for axis in range(view_type.ndim)]
    return _address(context, builder, view_type, struct.data, strides, index, is_inside)


def _element(context: Any, builder: Any, view_type: ViewType, value: Any, index: Any) -> Any:
    own = cgutils.unpack_tuple(builder, index, view_type.ndim) if view_type.ndim > 1 else [index]
    return element_address(context, builder, view_type, value, own)


# Arrays of any alignment are accepted; on the supported processors align=1 costs nothing.


def _load(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    address = _element(context, builder, sig.args[0], *args)
    return context.data_model_manager[sig.return_type].load_from_data_pointer(builder, address, align=1)


def _store(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    view_type, (view_value, index, value) = sig.args[0], args
    address = _element(context, builder, view_type, view_value, index)
    data = context.data_model_manager[view_type.dtype].as_data(builder, value)
    builder.store(data, address, align=1)
    return context.get_dummy_value()


for _plain, _unit in ((view, None), (view_unit0, 0), (view_unit1, 1), (view_unit2, 2)):
    _register_view(_plain, _unit)
for _unit, _of_chunk in enumerate((view_unit0_of_chunk, view_unit1_of_chunk, view_unit2_of_chunk)):
    _register_view(_of_chunk, _unit, chunk_axes=1)


lower_builtin(operator.getitem, ViewType, types.Any)(_load)
lower_builtin(operator.setitem, ViewType, types.Any, types.Any)(_store)

"""Tells in compiled code whether objects are arrays of known layouts: one short look at all of them.

Python makes a tuple or an object of each thing that it tells of an array, which for three arrays takes
longer than all else of a call that is not checked again. Compiled code reads the same numbers where
NumPy's interface for C has them.
"""

import ctypes
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any, Final

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.core.datamodel.models import PrimitiveModel
from numba.extending import NativeValue, register_model, unbox

from backends.base import Array, Recogniser
from backends.numba_cpu.runtime.machine_code import machine_code

# Objects of CPython: a head that ends with the type. Tuples go on with the number of items, and the items.
_HEAD: Final = object.__basicsize__
_TYPE: Final = _HEAD - 8
_COUNT: Final = _HEAD
_ITEMS: Final = tuple.__basicsize__
# Arrays go on as the `PyArrayObject_fields` of NumPy; extension modules are compiled for this order.
_ADDRESS: Final = _HEAD
_NDIM: Final = _HEAD + 8
_SHAPE: Final = _HEAD + 16
_STRIDES: Final = _HEAD + 24
_DTYPE: Final = _HEAD + 40
_FLAGS: Final = _HEAD + 48
# Dtypes go on as `PyArray_Descr`: the type of scalars; then kind, character, byte order, a byte for flags and
# the number of the type in one word. Of numbers these two words tell all.
_SCALAR: Final = _HEAD
_KIND: Final = _HEAD + 8
_WORD: Final = 8

_INT64: Final = ir.IntType(64)


def layout_recogniser(arrays: Sequence[Array]) -> Recogniser | None:
    """Tells whether others have the layouts of *arrays*, whose dtypes are those of numbers; None where this
    Python or NumPy has layouts elsewhere, or there is no place to keep what is compiled."""
    agree = _compiled() if _is_as_expected() else None
    if agree is None:
        return None
    numbers = [number for array in arrays for number in _layout(array)]
    return partial(agree, np.array([len(arrays), id(np.ndarray), *numbers], np.int64))


def _layout(array: Array) -> tuple[int, ...]:
    dtype = id(array.dtype)
    kind = word(dtype + _SCALAR), word(dtype + _KIND)
    return *kind, array.flags.num, array.ndim, *array.shape, *array.strides


def _agree(known: Array, objects: tuple[Any, ...]) -> bool:
    """Whether *objects* are as *known*: so many, all of NumPy's type of arrays, each of its `_layout`."""
    if word(id(objects) + _COUNT) != known[0]:
        return False
    at = 2
    for item in range(known[0]):
        array = word(id(objects) + _ITEMS + _WORD * item)
        # Only what is found to be an array is looked at as one.
        if word(array + _TYPE) != known[1]:
            return False
        dtype = word(array + _DTYPE)
        if word(dtype + _SCALAR) != known[at] or word(dtype + _KIND) != known[at + 1]:
            return False
        ndim = known[at + 3]
        if half_word(array + _FLAGS) != known[at + 2] or half_word(array + _NDIM) != ndim:
            return False
        shape, strides = word(array + _SHAPE), word(array + _STRIDES)
        at += 4
        for axis in range(ndim):
            if word(shape + _WORD * axis) != known[at + axis]:
                return False
            if word(strides + _WORD * axis) != known[at + ndim + axis]:
                return False
        at += 2 * ndim
    return True


@cache
def _compiled() -> Callable[[Array, tuple[Any, ...]], bool] | None:
    """The entry point, which does not resolve the types of arguments as a dispatcher does."""
    signature = types.boolean(types.Array(types.int64, 1, "C"), _OBJECT)
    try:
        return njit(cache=True)(_agree).compile(signature)  # type: ignore[no-any-return]  # Numba has no types
    except Exception:  # no folder can be written, and whatever damaged files raise
        return None


@cache
def _is_as_expected() -> bool:
    """Whether everything is where it is looked for, as far as an example shows."""
    array = np.zeros((2, 3, 8), np.float32)[:, ::-1, ::2]
    objects = (array,)
    dtype = array.dtype
    at = id(array)
    return (
        ctypes.sizeof(ctypes.c_void_p) == _WORD
        and (word(id(objects) + _COUNT), word(id(objects) + _ITEMS)) == (1, at)
        and (word(at + _TYPE), word(at + _DTYPE)) == (id(np.ndarray), id(dtype))
        and (word(id(dtype) + _SCALAR), half_word(id(dtype) + _KIND + 4)) == (id(np.float32), dtype.num)
        and ctypes.string_at(id(dtype) + _KIND, 3).decode("ascii", "replace")
        == dtype.kind + dtype.char + dtype.byteorder
        and (half_word(at + _NDIM), half_word(at + _FLAGS)) == (array.ndim, array.flags.num)
        and word(at + _ADDRESS) == array.__array_interface__["data"][0]
        and tuple(word(word(at + _SHAPE) + _WORD * axis) for axis in range(3)) == array.shape
        and tuple(word(word(at + _STRIDES) + _WORD * axis) for axis in range(3)) == array.strides
    )


def word(address: int) -> int:
    """The 64 bits at this address."""
    return ctypes.c_int64.from_address(address).value


def half_word(address: int) -> int:
    """The 32 bits at this address."""
    return ctypes.c_int32.from_address(address).value


class _ObjectType(types.Type):  # type: ignore[misc]  # Numba has no types
    """A Python object that compiled code knows by its address."""

    def __init__(self) -> None:
        super().__init__(name="Object")


_OBJECT: Final = _ObjectType()


@register_model(_ObjectType)
class _ObjectModel(PrimitiveModel):  # type: ignore[misc]  # Numba has no types
    def __init__(self, manager: Any, kind: _ObjectType) -> None:
        super().__init__(manager, kind, _INT64)


@unbox(_ObjectType)  # type: ignore[untyped-decorator]  # Numba has no types
def _unboxed(kind: Any, value: Any, context: Any) -> NativeValue:
    return NativeValue(context.builder.ptrtoint(value, _INT64))


@machine_code(id, lambda value: types.int64 if value == _OBJECT else None)
def _id(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    return arguments[0]


@machine_code(word, lambda address: types.int64)
def _load_word(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    return _load(builder, arguments[0], _INT64)


@machine_code(half_word, lambda address: types.int32)
def _load_half_word(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    return _load(builder, arguments[0], ir.IntType(32))


def _load(builder: Any, address: Any, kind: ir.IntType) -> Any:
    return builder.load(builder.inttoptr(address, kind.as_pointer()))

"""The arrays that `stencil.storage` has made, and the origin that each was made for, as long as they live."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias
from weakref import WeakValueDictionary, finalize

import numpy as np

from backends.base import Array

_Index: TypeAlias = tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class MadeFor:
    """Layout and origin of allocations: one object for all that agree in them, equal to itself only."""

    shape: _Index
    strides: _Index
    origin: _Index


_SHARED: Final[WeakValueDictionary[tuple[_Index, _Index, _Index], MadeFor]] = WeakValueDictionary()
# By address of the first element. An array is an allocation if address, shape and strides are those.
_BY_ADDRESS: Final[dict[int, MadeFor]] = {}
# Objects by id, which spare a call the look at addresses: NumPy takes a microsecond to tell one.
_BUFFERS: Final[set[int]] = set()
_BY_ARRAY: Final[dict[int, MadeFor]] = {}


def remember(array: Array, buffer: Array, origin: _Index) -> None:
    """*array* was made for *origin*; this is forgotten when *buffer*, its memory, is freed."""
    key = (array.shape, array.strides, origin)
    made = _SHARED.setdefault(key, MadeFor(*key))
    address = address_of(array)
    _BY_ADDRESS[address] = made
    _BUFFERS.add(id(buffer))
    _BY_ARRAY[id(array)] = made
    # Both run before the memory of their objects can be used again.
    _at_end_of(buffer, _forget_memory, address, id(buffer))
    _at_end_of(array, _BY_ARRAY.pop, id(array), None)


def allocations(arrays: Sequence[Any]) -> tuple[MadeFor | None, ...]:
    """What each array was made for, if it is an allocation; empty if none is.

    An array whose shape was set since may be among them: `origin_of` tells.
    """
    if not _BY_ADDRESS:
        return ()
    found = []
    for array in arrays:
        made = _BY_ARRAY.get(id(array))
        if made is None:
            return _looked_up(arrays)
        found.append(made)
    return tuple(found)


def origin_of(made: MadeFor | None, shape: _Index, strides: _Index) -> _Index | None:
    """The origin, for an array of just the allocation's layout; a slice of it has another one."""
    return made.origin if made is not None and (made.shape, made.strides) == (shape, strides) else None


def address_of(array: Array) -> int:
    """Where the first element lies."""
    return int(array.__array_interface__["data"][0])


def _looked_up(arrays: Sequence[Any]) -> tuple[MadeFor | None, ...]:
    try:
        for array in arrays:
            # Allocations are parts of buffers; most other arrays own their memory.
            if array.base is not None:
                found = tuple([_BY_ARRAY.get(id(array)) or _at_same_address(array) for array in arrays])
                return found if any(found) else ()
    except Exception:  # no array, and whatever foreign objects raise
        pass
    return ()


def _at_same_address(array: Array) -> MadeFor | None:
    owner = array.base
    if owner is None or (isinstance(owner, np.ndarray) and id(owner) not in _BUFFERS):
        return None
    made = _BY_ADDRESS.get(address_of(array))
    return None if origin_of(made, array.shape, array.strides) is None else made


def _at_end_of(value: Array, function: Callable[..., Any], *arguments: Any) -> None:
    finalize(value, function, *arguments).atexit = False


def _forget_memory(address: int, buffer: int) -> None:
    del _BY_ADDRESS[address]
    _BUFFERS.discard(buffer)

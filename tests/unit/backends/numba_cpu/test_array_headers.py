"""Arrays of known layouts are recognised, and nothing else is."""

import pickle
import sys
import warnings
from collections.abc import Callable
from operator import attrgetter
from typing import Any

import numpy as np
import pytest

from backends.base import Recogniser
from backends.numba_cpu.array_headers import _agree, layout_recogniser


class Named(np.ndarray[Any, Any]):
    """A subclass, which may mean other things by its elements."""


class Unhelpful:
    """An object whose attributes fail."""

    def __getattr__(self, name: str) -> Any:
        raise ValueError(name)


def recogniser(*arrays: Any) -> Recogniser:
    found = layout_recogniser(arrays)
    assert found is not None, "this Python and NumPy have layouts where they are looked for"
    return found


def is_known(array: Any, other: Any) -> bool:
    """What the compiled code says; the same code as plain Python agrees."""
    compiled: Any = recogniser(array)
    answer = bool(compiled((other,)))
    assert _agree(*compiled.args, (other,)) is answer
    return answer


def fresh() -> np.ndarray[Any, Any]:
    return np.zeros((4, 6, 8), order="F")


def unaligned() -> np.ndarray[Any, Any]:
    return np.frombuffer(bytearray(4 * 6 * 8 * 8 + 1), np.float64, offset=1).reshape((4, 6, 8), order="F")


def read_only() -> np.ndarray[Any, Any]:
    array = fresh()
    array.setflags(write=False)
    return array


OTHERS: dict[str, Callable[[], Any]] = {
    "dtype": lambda: fresh().view(np.int64),
    "byte order": lambda: fresh().view(">f8"),
    "shape": lambda: np.zeros((4, 6, 9), order="F"),
    "first axis": lambda: np.zeros((5, 6, 8), order="F"),
    "axes": lambda: np.zeros((4, 6), order="F"),
    "more axes": lambda: np.zeros((4, 6, 8, 1), order="F"),
    "no axes": lambda: np.zeros(()),
    "order": lambda: np.zeros((4, 6, 8)),
    "strides": lambda: np.zeros((4, 6, 16), order="F")[:, :, ::2],
    "reversed": lambda: fresh()[::-1, ::-1, ::-1],
    "broadcast": lambda: np.broadcast_to(1.0, (4, 6, 8)),
    "read-only": read_only,
    "unaligned": unaligned,
    "subclass": lambda: fresh().view(Named),
    "masked": lambda: np.ma.MaskedArray(fresh()),
    "memory": lambda: memoryview(fresh()),
    "list": lambda: fresh().tolist(),
    "number": lambda: 3.0,
    "NumPy's number": lambda: np.float64(3.0),
    "nothing": lambda: None,
    "class": lambda: np.ndarray,
    "unhelpful": Unhelpful,
}


@pytest.mark.parametrize("make", [fresh, *OTHERS.values()][:14], ids=["fresh", *OTHERS][:14])
def test_arrays_of_the_same_layout_are_recognised(make: Callable[[], Any]) -> None:
    assert is_known(make(), make())


@pytest.mark.parametrize("make", OTHERS.values(), ids=OTHERS)
def test_whatever_differs_in_its_layout_is_not_recognised(make: Callable[[], Any]) -> None:
    assert not is_known(fresh(), make())


def test_equal_layouts_are_what_python_calls_equal() -> None:
    arrays = [make() for make in ([fresh, *OTHERS.values()][:14])]
    arrays += [np.zeros(shape, dtype) for shape in [(), (0,), (1,), (1, 1)] for dtype in "fdb"]
    told = attrgetter("shape", "strides", "dtype", "flags.num")
    for array in arrays:
        for other in arrays:
            assert is_known(array, other) is (told(array) == told(other))


def test_large_sizes_and_strides_count_to_the_last_bit() -> None:
    element = np.zeros(1)
    sizes, far = (1 << 40, 3, 1), (0, 0, 1 << 61)
    huge = np.lib.stride_tricks.as_strided(element, sizes, far)
    assert is_known(huge, np.lib.stride_tricks.as_strided(element, sizes, far))
    for other, strides in (((1 << 40) + (1 << 33), 3, 1), far), (sizes, (0, 0, (1 << 61) + 8)):
        assert not is_known(huge, np.lib.stride_tricks.as_strided(element, other, strides))


def test_each_array_has_the_layout_of_its_place() -> None:
    small, large, flat = np.zeros((2, 3)), np.zeros((4, 5, 6)), np.zeros(7, np.float32)
    known = recogniser(small, large, flat)
    assert known((small.copy(), large.copy(), flat.copy()))
    for objects in ((large, small, flat), (small, large, flat.astype(np.int32)), (small, large, large)):
        assert not known(objects)


def test_the_number_of_objects_counts() -> None:
    array = fresh()
    known = recogniser(array, array)
    for objects in ((), (array,), (array, array, array)):
        assert not known(objects)
    assert recogniser()(()) and not recogniser()((array,))


def change_shape(array: np.ndarray[Any, Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        array.shape = (8, 6, 4)


def change_strides(array: np.ndarray[Any, Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        array.strides = (8, 0, 0)


def change_dtype(array: np.ndarray[Any, Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        array.dtype = np.dtype(np.int64)


CHANGES: list[Callable[[np.ndarray[Any, Any]], None]] = [
    change_shape,
    change_strides,
    change_dtype,
    lambda array: array.setflags(write=False),
    lambda array: array.resize((2, 2, 2), refcheck=False),
]


@pytest.mark.parametrize("change", CHANGES, ids=["shape", "strides", "dtype", "flags", "size"])
def test_an_array_that_is_changed_in_place_is_not_recognised(
    change: Callable[[np.ndarray[Any, Any]], None],
) -> None:
    array = np.zeros((4, 6, 8))
    known = recogniser(array)
    assert known((array,))
    change(array)
    assert not known((array,))


def test_dtypes_that_are_equal_are_one() -> None:
    array = np.zeros(3)
    sent = pickle.loads(pickle.dumps(array))
    assert sent.dtype is not array.dtype
    assert is_known(array, sent) and is_known(sent, array)


NUMBERS = [np.dtype(code) for code in "?bBhHiIlLqQefdgFDG"]


@pytest.mark.parametrize("dtype", NUMBERS, ids=str)
def test_dtypes_of_one_size_are_told_apart(dtype: np.dtype[Any]) -> None:
    for other in NUMBERS:
        if dtype != other:
            assert not is_known(
                np.zeros(0, dtype),
                np.lib.stride_tricks.as_strided(np.zeros(1, other), (0,), (dtype.itemsize,)),
            )


def test_arrays_are_not_kept() -> None:
    array = fresh()
    before = sys.getrefcount(array)
    known = recogniser(array)
    assert sys.getrefcount(array) == before and known((array,))

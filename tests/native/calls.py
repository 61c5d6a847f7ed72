"""Calls of a native library through ctypes."""

import ctypes
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from backends.native import BuiltLibrary, NativeLibrary
from backends.native.description import NativeStencil
from iir.dtypes import DType

Array = npt.NDArray[Any]
Triple = tuple[int, int, int]

UNSET, OK, ESETUP, ESHAPE, EBOUNDS, ERUNTIME, EVERIFY = range(7)

_NUMBERS: Final = {
    DType.BOOL: ctypes.c_int8,
    DType.INT8: ctypes.c_int8,
    DType.INT16: ctypes.c_int16,
    DType.INT32: ctypes.c_int32,
    DType.INT64: ctypes.c_int64,
    DType.FLOAT32: ctypes.c_float,
    DType.FLOAT64: ctypes.c_double,
}


class Failure(ctypes.Structure):
    """``stencil_failure``."""

    _fields_ = (
        *((name, ctypes.c_int32) for name in ("status", "field", "axis", "line")),
        *((name, ctypes.c_int64) for name in ("needed", "given")),
        ("index", ctypes.c_int64 * 3),
        ("values", ctypes.c_double * 4),
        ("value_count", ctypes.c_int32),
        ("message", ctypes.c_char * 256),
    )

    @property
    def text(self) -> str:
        return bytes(self.message).decode()


@dataclass(frozen=True, slots=True)
class Loaded:
    """A library in this process."""

    library: NativeLibrary
    built: BuiltLibrary
    code: ctypes.CDLL

    def stencil(self, name: str) -> "Function":
        (found,) = (item for item in self.library.stencils if item.name == name)
        return Function(found, self.code)


def load(library: NativeLibrary, built: BuiltLibrary) -> Loaded:
    assert isinstance(built.shared, Path)
    return Loaded(library, built, ctypes.CDLL(str(built.shared)))


@dataclass(frozen=True, slots=True)
class Function:
    """The functions of one stencil."""

    stencil: NativeStencil
    code: ctypes.CDLL

    def bytes_of(self, kind: str, domain: Triple) -> int:
        """The ``workspace`` or the ``stack`` that calls on *domain* take."""
        function = self.code[f"{self.stencil.symbol}_{kind}_bytes"]
        function.restype = ctypes.c_int64
        return int(function(_triple(domain)))

    def __call__(
        self, arguments: Mapping[str, Any], origin: Triple, domain: Triple, *, workspace: int | None = None
    ) -> Failure:
        """Run it; arrays are Fortran-ordered. *workspace* is an address, of enough memory if None."""
        memory = aligned_memory(self.bytes_of("workspace", domain)) if min(domain) >= 0 else None
        address = memory.ctypes.data if memory is not None and workspace is None else workspace
        failure = Failure()
        status = self.code[f"{self.stencil.symbol}_run"](
            *self.arguments(arguments),
            _triple(origin),
            _triple(domain),
            ctypes.c_void_p(address),
            ctypes.byref(failure),
        )
        assert status == failure.status
        return failure

    def arguments(self, arguments: Mapping[str, Any]) -> list[Any]:
        found: list[Any] = []
        for field in self.stencil.fields:
            array: Array = arguments[field.name]
            assert array.flags.f_contiguous and array.ndim == field.rank
            found += [ctypes.c_void_p(array.ctypes.data), (ctypes.c_int64 * field.rank)(*array.shape)]
        for scalar in self.stencil.scalars:
            found.append(_NUMBERS[scalar.dtype](np.asarray(arguments[scalar.name]).item()))
        return found


def aligned_memory(size: int) -> Array | None:
    """So many bytes at a multiple of 64; None if there are none."""
    if size == 0:
        return None
    buffer = np.full(size + 64, 0xAB, np.uint8)
    start = -buffer.ctypes.data % 64
    return buffer[start : start + size]


def copied(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The same arguments in memory of their own."""
    return {
        name: value.copy(order="F") if isinstance(value, np.ndarray) else value
        for name, value in arguments.items()
    }


def _triple(numbers: Triple) -> Any:
    return (ctypes.c_int64 * 3)(*numbers)

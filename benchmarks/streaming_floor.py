"""The streaming floor: the fields that a kernel reads and writes, each passed over once, and a sum."""

import ctypes
import math
from collections.abc import Iterator
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from benchmarks.candidate import Call
from benchmarks.cases import Case, Traffic
from benchmarks.fortran_library import SOURCES, built
from tests.catalogue import DTypeLike

Fields: TypeAlias = list[npt.NDArray[Any]]

LINE: Final = 64
FLAGS: Final = ("-O3", "-march=native", "-fPIC", "-shared")


def floor_calls(case: Case, needs: Traffic, *, parallel: bool) -> Iterator[tuple[str, Call]]:
    """With ordinary stores, and with stores that go around the caches."""
    number = math.prod(case.domain)
    names = dict.fromkeys((*needs.read, *needs.written))
    fields = {name: _aligned(number, case.dtype, position) for position, name in enumerate(names)}
    for name, flags in (("plain stores", ()), ("non-temporal stores", ("-DNON_TEMPORAL",))):
        library = _library(case.dtype, len(needs.read), len(needs.written), flags, parallel=parallel)
        yield (
            name,
            _call(
                library.stream, number, *([fields[n] for n in part] for part in (needs.read, needs.written))
            ),
        )


def _call(stream: Any, number: int, read: Fields, written: Fields) -> Call:
    length = ctypes.c_ssize_t(number)
    addresses = [
        (ctypes.c_void_p * len(part))(*(field.ctypes.data for field in part)) for part in (read, written)
    ]

    def call() -> object:
        stream(length, *addresses)
        # They live as long as this may be called.
        return read, written

    return call


def _library(
    dtype: DTypeLike, read: int, written: int, flags: tuple[str, ...], *, parallel: bool
) -> ctypes.CDLL:
    options = (
        *FLAGS,
        *flags,
        f"-DREAD={read}",
        f"-DWRITTEN={written}",
        "-fopenmp" if parallel else "-fopenmp-simd",
        *(("-DSINGLE",) if dtype is np.float32 else ()),
    )
    return ctypes.CDLL(str(built("gcc", SOURCES / "stream.c", options)))


def _aligned(number: int, dtype: DTypeLike, position: int) -> npt.NDArray[Any]:
    """*number* ones that begin at a multiple of 64 bytes, at another one of the page for each *position*."""
    itemsize = np.dtype(dtype).itemsize
    memory = np.ones(number + 2 * 4096 // itemsize, dtype)
    start = (-memory.ctypes.data) % LINE + position * 5 * LINE % 4096
    return memory[start // itemsize :][:number]

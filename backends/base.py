"""What a back end is: data with one function for each step, and what a built kernel offers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from iir.nodes import Stencil

Array: TypeAlias = npt.NDArray[Any]
Number: TypeAlias = bool | int | float | np.generic


@dataclass(frozen=True, slots=True)
class FieldLayout:
    """How one array argument lies in memory: shape, byte strides, and the index of the domain's
    first point, each with one entry for every axis that the field has."""

    shape: tuple[int, ...]
    strides: tuple[int, ...]
    origin: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CallShape:
    """Everything about a call but the data: (ni, nj, nk), and the field parameters in order."""

    domain: tuple[int, int, int]
    fields: tuple[FieldLayout, ...]


Runner: TypeAlias = Callable[[Sequence[Array], Sequence[Number]], None]
"""Runs one kernel: field parameters in order, scalar parameters in order. Raises `CheckError`."""


Recogniser: TypeAlias = Callable[[tuple[Any, ...]], bool]
"""Whether these objects are NumPy arrays of the layouts that it was made for, one for one. What counts is
the type, dtype, flags, shape and strides."""


class Executable(Protocol):
    """A built kernel."""

    def prepare(self, shape: CallShape) -> Runner:
        """A runner for calls of this shape. The caller has checked that every access stays inside
        the arrays, that dtypes are the declared ones and that no written field overlaps another."""
        ...


STACK_BUDGET: Final = 256 * 1024
"""Threads that run kernels survive much more; what calls them has its share too."""


@dataclass(frozen=True, slots=True)
class Options:
    """What a user may choose about a back end.

    *parallel*: threads always, never, or when the domain is large enough. *math*: mathematical functions
    are those of the platform's ``"libm"``, or where there are such of `backends.vector_math` (``"vector"``).
    *stack_budget*: bytes that the arrays of a kernel may take of a thread's stack; with 0 none is there.
    *jit*: False runs the emitted source as plain Python (slow; for tests). *prefetch_from*, *stream_from*:
    bytes of the fields of a call from which rows are fetched early, and stored past the caches, where
    the schedule has it and the arrays are laid out for it; 0 is for arrays of any layout. *block_bytes*: so
    large are at most the rows of a field at one level that blocks of rows have. *tune*: what is fastest is
    measured instead, where the back end can.
    """

    parallel: bool | str = "auto"
    fastmath: frozenset[str] = frozenset()
    math: str = "libm"
    jit: bool = True
    stack_budget: int = STACK_BUDGET
    prefetch_from: int = 8 << 20
    stream_from: int = 16 << 20
    block_bytes: int = 144 << 10
    tune: bool = False


@dataclass(frozen=True, slots=True)
class Source:
    """Text for people, and the program it was printed from. *suffix* is that of its file."""

    text: str
    program: Any
    suffix: str


@dataclass(frozen=True, slots=True)
class Origin:
    """What a source follows from, and how it is made from it.

    *steps* tells all that *make* does to *ir* beside what the sources of `iir` and `backends` say.
    """

    ir: Stencil
    steps: str
    make: Callable[[], Source]


@dataclass(frozen=True, slots=True)
class Backend:
    """`schedule`, `lower` and `emit` are pure; `build` is the only step that touches files or
    compilers (it writes *source* below the given folder and returns the callable).

    `reuse` does as `build`, but makes the source only if the folder does not hold what was built from
    it before; None where nothing is kept.
    """

    name: str
    schedule: Callable[[Stencil, Options], Stencil]
    lower: Callable[[Stencil, Options], Any]
    emit: Callable[[Any, Options], Source]
    build: Callable[[Source, Options, Path], Executable]
    reuse: Callable[[Origin, Options, Path], Executable | None] = lambda origin, options, folder: None

"""Decorators of generated functions: compiled by Numba, kept in its disk cache."""

from collections.abc import Callable
from typing import Any, TypeVar

from numba import njit, prange
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.cpu import ParallelOptions

__all__ = ["kernel", "parallel_driver", "prange"]

F = TypeVar("F", bound=Callable[..., Any])


class NoAliasCompiler(CompilerBase):  # type: ignore[misc]  # Numba has no types
    """Promises LLVM that the array arguments of a function do not overlap.

    The call boundary has excluded it for arguments, and workspaces are separate allocations. Without
    the promise a loop over many arrays is not vectorised.
    """

    def define_pipelines(self) -> list[Any]:
        self.state.flags.noalias = True
        pipeline = DefaultPassBuilder.define_nopython_pipeline(self.state)
        pipeline.finalize()
        return [pipeline]


def kernel(*fastmath: str) -> Callable[[F], Callable[..., Any]]:
    """A function with the loops of one multistage; *fastmath* names what its arithmetic may change."""
    flags = set(fastmath) if fastmath else False
    decorate = njit(
        error_model="numpy", nogil=True, cache=True, fastmath=flags, pipeline_class=NoAliasCompiler
    )
    return decorate  # type: ignore[no-any-return]  # Numba has no types


def parallel_driver(function: F) -> Callable[..., Any]:
    """A function that shares the iterations of `prange` loops among threads.

    Each loop is finished before the next one starts. Numba would fuse them: it does not see what a
    call with more than 30 arguments does to arrays.
    """
    # An object, since Numba empties a dictionary when it first reads it.
    options = ParallelOptions({"fusion": False})
    return njit(error_model="numpy", nogil=True, cache=True, parallel=options)(function)  # type: ignore[no-any-return]

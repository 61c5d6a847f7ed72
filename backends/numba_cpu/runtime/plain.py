"""Decorators of generated functions that leave them plain Python."""

from collections.abc import Callable
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


def kernel(*fastmath: str) -> Callable[[F], F]:
    """See `backends.numba_cpu.runtime.compiled.kernel`."""
    return lambda function: function


def parallel_driver(function: F) -> F:
    """See `backends.numba_cpu.runtime.compiled.parallel_driver`."""
    return function


prange = range

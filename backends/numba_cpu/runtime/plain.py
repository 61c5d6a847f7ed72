"""Decorators of generated functions that leave them plain Python."""

from collections.abc import Callable
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


def kernel(*fastmath: str) -> Callable[[F], F]:
    """See `backends.numba_cpu.runtime.compiled.kernel`."""
    return lambda function: function


def driver(function: F) -> F:
    """See `backends.numba_cpu.runtime.compiled.driver`."""
    return function


parallel_driver = driver
prange = range

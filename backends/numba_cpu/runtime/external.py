"""Functions from outside the stencil."""

from collections.abc import Callable
from functools import reduce
from importlib import import_module
from typing import Any

from numba import njit
from numba.core.dispatcher import Dispatcher


def external(place: str) -> Callable[..., Any]:
    """The function at ``module:qualified.name``, compiled when kernels call it."""
    module, _, qualified = place.partition(":")
    function = reduce(getattr, qualified.split("."), import_module(module))
    if isinstance(function, Dispatcher):
        return function
    return njit(error_model="numpy")(function)  # type: ignore[no-any-return]  # Numba has no types

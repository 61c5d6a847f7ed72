"""Functions outside the stencil, called point by point."""

from collections.abc import Callable, Sequence
from functools import reduce
from importlib import import_module
from typing import Any

import numpy as np

from backends.base import Array
from iir.diagnostics import BackendError, Diagnostic
from iir.statements import ExternalCall


def resolve(call: ExternalCall) -> Callable[..., Any]:
    """The function that *call* names as ``module:qualified.name``."""
    module, _, qualified = call.function.partition(":")
    try:
        function = reduce(getattr, qualified.split("."), import_module(module))
    except (ImportError, AttributeError) as error:
        message = f"The external function '{call.function}' cannot be found."
        raise BackendError(Diagnostic(message, "external-call", call.span)) from error
    assert callable(function)
    return function


def check_bundles(call: ExternalCall) -> None:
    """Refuse tags that need a handler."""
    for bundle in call.bundles:
        if bundle.tag != "assume":
            message = f"The bundle '{bundle.tag}' has no handler."
            raise BackendError(Diagnostic(message, "bundle", bundle.span or call.span))


def call_at_points(function: Callable[..., Any], arguments: Sequence[Array], mask: Array, n: int) -> Array:
    """The *n* results of *function* at every point where *mask* holds: one array of objects each.

    Points go level by level, i innermost.
    """
    results = np.zeros((n, *mask.shape), dtype=object)
    columns = [np.broadcast_to(argument, mask.shape) for argument in arguments]
    for k, j, i in np.argwhere(mask.transpose(2, 1, 0)):
        values = function(*(column[i, j, k] for column in columns))
        results[:, i, j, k] = values if n > 1 else (values,)
    return results

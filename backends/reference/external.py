"""Calls of functions outside the stencil, point by point."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from backends.base import Array


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

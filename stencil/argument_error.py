"""How the errors of a call are made: their kinds, and how they name dtypes and allocations."""

from collections.abc import Iterable

import numpy as np

from iir.diagnostics import ArgumentError, Diagnostic
from iir.dtypes import DType, numpy_dtype

CONFORMANCE = "conformance"
ARGUMENT = "argument"
DOMAIN = "domain"
STATUS = "status"


def argument_error(
    kind: str,
    message: str,
    *,
    notes: tuple[str, ...] = (),
    hints: tuple[str, ...] = (),
    field: str | None = None,
    side: str | None = None,
    needed: object = None,
    given: object = None,
) -> ArgumentError:
    """An error about the call itself, which has no place in the stencil's source."""
    diagnostic = Diagnostic(message, kind, notes=notes, hints=hints)
    return ArgumentError(diagnostic, field=field, side=side, needed=needed, given=given)


def dtype_text(dtype: DType) -> str:
    """The NumPy name of *dtype*: ``float64``."""
    return str(numpy_dtype(dtype))


def allocation(shape: Iterable[int], dtype: DType) -> str:
    """The NumPy expression that makes an array of this shape and dtype."""
    return f"np.zeros({tuple(shape)!r}, dtype=np.{dtype_text(dtype)})"


def type_text(value: object) -> str:
    """How a message names the type of *value*."""
    if isinstance(value, np.ndarray):
        return f"array of shape {value.shape}"
    return "None" if value is None else type(value).__name__

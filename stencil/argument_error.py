"""How the errors of a call are worded: sizes, allocations, suggestions."""

from collections.abc import Iterable
from difflib import get_close_matches

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


def counted(number: int, word: str) -> str:
    """``1 level``, ``2 levels``."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def quoted(names: Iterable[str]) -> str:
    """``'a', 'b' and 'c'``."""
    words = [f"'{name}'" for name in names]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def suggestion(name: str, known: Iterable[str]) -> tuple[str, ...]:
    """A hint that offers the known name that *name* was probably meant to be; none if nothing is near."""
    near = get_close_matches(name, tuple(known), n=1)
    return (f"Did you mean '{near[0]}'?",) if near else ()


def type_text(value: object) -> str:
    """How a message names the type of *value*."""
    if isinstance(value, np.ndarray):
        return f"array of shape {value.shape}"
    return "None" if value is None else type(value).__name__

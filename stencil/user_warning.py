"""Warnings about a call: they stand at the line of the user's that made it."""

import functools
import sys
import warnings
from pathlib import Path
from types import FrameType
from typing import Final

from iir.diagnostics import Diagnostic, StencilWarning

_ROOT: Final = Path(__file__).parents[1]
_OWN: Final = (
    *(f"{_ROOT / package}/" for package in ("stencil", "backends", "iir")),
    # Properties that are made once are between our frames.
    functools.__file__,
)


def warn_user(diagnostic: Diagnostic) -> None:
    """Warn at the innermost line that is none of the package's."""
    frame = _users_frame()
    space = frame.f_globals
    warnings.warn_explicit(
        StencilWarning(diagnostic),
        StencilWarning,
        frame.f_code.co_filename,
        frame.f_lineno,
        module=space.get("__name__"),
        registry=space.setdefault("__warningregistry__", {}),
    )


def _users_frame() -> FrameType:
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_OWN):
        frame = frame.f_back
    return frame

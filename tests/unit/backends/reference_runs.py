"""Runs a stencil given as text in the reference."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from backends.base import CallShape, FieldLayout, Options
from backends.reference import BACKEND
from iir.nodes import FieldDecl
from iir.parser import from_text
from iir.verifier import verify
from tests.running import build

Array = npt.NDArray[Any]


def run_text(
    text: str,
    domain: tuple[int, int, int],
    arrays: Mapping[str, Array],
    scalars: Sequence[float] = (),
    origins: Mapping[str, tuple[int, ...]] | None = None,
) -> None:
    """Run the stencil *text*; without an origin a field's first point is the domain's."""
    ir = from_text(text)
    verify(ir, after="text")
    fields = [item.name for item in ir.parameters if isinstance(item, FieldDecl)]
    layouts = (
        FieldLayout(
            arrays[name].shape,
            arrays[name].strides,
            (origins or {}).get(name, (0,) * arrays[name].ndim),
        )
        for name in fields
    )
    executable = build(BACKEND, ir, Options(), Path())
    executable.prepare(CallShape(domain, tuple(layouts)))([arrays[name] for name in fields], scalars)


def column(*values: float, dtype: type[np.generic] = np.float64) -> Array:
    """A field of one column."""
    return np.array(values, dtype).reshape(1, 1, -1)


def row(*values: float, dtype: type[np.generic] = np.float64) -> Array:
    """A field of one level and one point on j."""
    return np.array(values, dtype).reshape(-1, 1, 1)

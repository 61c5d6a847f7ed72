"""Array arguments: what is taken as one, and the dtype, axes and flags that it must have."""

from collections.abc import Sequence
from operator import attrgetter
from typing import Any, Final, NamedTuple

import numpy as np

from backends.base import Array, Recogniser
from iir.dtypes import from_numpy
from iir.nodes import FieldDecl
from stencil.argument_error import CONFORMANCE, allocation, argument_error, dtype_text, type_text
from stencil.placement import FieldUse, Index
from stencil.wording import counted

_ALIGNED: Final = 0x0100
_WRITEABLE: Final = 0x0400


class Layout(NamedTuple):
    """All that a call's checks ask of an array but its address; `flags` are NumPy's bits."""

    type: type
    shape: Index
    strides: Index
    dtype: np.dtype[Any]
    flags: int


layout: Final = attrgetter("__class__", "shape", "strides", "dtype", "flags.num")
"""A `Layout` as a plain tuple, in one fast step; AttributeError on what is no array."""


def layouts(arrays: Sequence[Any]) -> tuple[tuple[Any, ...], ...]:
    """The layout of each array; nothing if one of them is no array."""
    try:
        return tuple(map(layout, arrays))
    except Exception:  # no array, and whatever foreign objects raise
        return ()


def layout_recogniser(arrays: Sequence[Array]) -> Recogniser:
    """Tells whether others have the layouts of *arrays*."""
    known = layouts(arrays)
    return lambda objects: layouts(objects) == known


def as_array(name: str, value: object) -> Array:
    """*value* as a NumPy array over the same memory."""
    if type(value) is np.ndarray:
        return value
    if isinstance(value, np.ma.MaskedArray):
        raise _no_array(name, value, "Its mask would be ignored; pass the array below it, with '.data'.")
    if isinstance(value, np.ndarray):
        return value.view(np.ndarray)
    try:
        if getattr(value, "__array_interface__", None) is not None:
            return np.asarray(value)
    except Exception as error:  # whatever the foreign object raises
        raise _no_array(name, value, f"Its '__array_interface__' does not work: {error}.") from None
    raise _no_array(name, value, "Pass a NumPy array, or an object that has '__array_interface__'.")


def refuse_unfit(use: FieldUse, array: Layout) -> None:
    """The array has the field's dtype and number of axes, is aligned, and writable if it must be."""
    declaration = use.declaration
    _refuse_dtype(use, array.dtype)
    if len(array.shape) != len(use.axes):
        raise _wrong_axes(declaration, array.shape)
    if use.is_written and not array.flags & _WRITEABLE:
        raise argument_error(
            CONFORMANCE,
            f"Field '{use.name}' is written, but its array is read-only.",
            hints=(f"Allocate it as {allocation(array.shape, declaration.dtype)}.",),
            field=use.name,
            needed="writable",
            given="read-only",
        )
    if not array.flags & _ALIGNED:
        boundary = counted(array.dtype.itemsize, "byte")
        fresh = f"Allocate it as {allocation(array.shape, declaration.dtype)}."
        hint = fresh if use.is_written else f"Copy it once: {use.name}.copy()."
        raise argument_error(
            CONFORMANCE,
            f"Field '{use.name}' is not aligned: each element must start at a multiple of {boundary}.",
            hints=(hint,),
            field=use.name,
            needed="aligned",
            given="unaligned",
        )


def _refuse_dtype(use: FieldUse, given: np.dtype[Any]) -> None:
    dtype = use.declaration.dtype
    needed = dtype_text(dtype)
    if from_numpy(given) is dtype:
        return
    # Dtypes of other kinds have no byte order to change.
    if given.kind in "iuf" and from_numpy(given.newbyteorder("=")) is dtype:
        message = (
            f"Field '{use.name}' is not in the machine's byte order: {needed} needed, {given.str} given."
        )
    else:
        message = f"Field '{use.name}' has the wrong dtype: {needed} needed, {given} given."
    convert = f"Convert it once: {use.name}.astype(np.{needed})."
    hint = f"Allocate it with dtype=np.{needed}." if use.is_written else convert
    raise argument_error(CONFORMANCE, message, hints=(hint,), field=use.name, needed=needed, given=str(given))


def _wrong_axes(declaration: FieldDecl, shape: Index) -> Exception:
    letters = declaration.axes.value
    axes = f"{len(letters)} ({', '.join(letters)})"
    sizes = ", ".join(f"n{letter.lower()}" for letter in letters) + ("," if len(letters) == 1 else "")
    return argument_error(
        CONFORMANCE,
        f"Field '{declaration.name}' has the wrong number of axes: {axes} needed, {len(shape)} given.",
        notes=(f"'{declaration.name}' has the shape {shape}.",),
        hints=(f"Allocate it with a shape of the form ({sizes}).",),
        field=declaration.name,
        needed=len(letters),
        given=len(shape),
    )


def _no_array(name: str, value: object, hint: str) -> Exception:
    given = type_text(value) if value is None else type(value).__name__
    return argument_error(
        CONFORMANCE,
        f"Field '{name}' is not an array: {given} given.",
        hints=(hint,),
        field=name,
        needed="array",
        given=given,
    )

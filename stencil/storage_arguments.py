"""What a caller says of an array to allocate: domain, halo, axes, data dimensions and dtype."""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import index
from typing import Any, Final, TypeAlias

import numpy as np

from iir.axes import Axes
from iir.dtypes import DType, from_numpy, numpy_dtype
from stencil.argument_error import CONFORMANCE, argument_error, type_text
from stencil.language import AxesName
from stencil.placement import Index

Sizes: TypeAlias = int | Sequence[int]
Halo: TypeAlias = int | Sequence[int | Sequence[int]]
Sides: TypeAlias = tuple[tuple[int, int], ...]

_LETTERS: Final = "IJK"


@dataclass(frozen=True, slots=True)
class Request:
    """An array to allocate. *shape* has the grid's axes first, for which *origin* has an index each."""

    shape: Index
    origin: Index
    dtype: np.dtype[Any]


def request(domain: Sizes, dtype: Any, halo: Halo, axes: AxesName, data_dims: Sizes) -> Request:
    """The array for a field of these *axes* on *domain*."""
    letters = axis_letters(axes)
    sizes, sides = _sizes(domain, letters), own_halo(halo, letters)
    grid = tuple(low + size + high for size, (low, high) in zip(sizes, sides, strict=True))
    return Request(grid + _data_dims(data_dims), tuple(low for low, _ in sides), language_dtype(dtype))


def axis_letters(axes: Any) -> str:
    """The letters of *axes*, a name of the language."""
    if isinstance(axes, AxesName):
        return axes.axes.value
    names = ", ".join(item.value for item in Axes)
    given = repr(axes) if isinstance(axes, str) else type_text(axes)
    raise argument_error(
        CONFORMANCE,
        f"The axes must be one of {names}: {given} given.",
        hints=("Pass a name of the language, as in axes=stencil.IJ.",),
        needed=names,
        given=axes,
    )


def language_dtype(dtype: Any) -> np.dtype[Any]:
    """*dtype* as NumPy's, in native byte order; one that fields may have."""
    try:
        found: np.dtype[Any] | None = None if dtype is None else np.dtype(dtype)
    except (TypeError, ValueError):
        found = None
    if found is not None and from_numpy(found) is not None:
        return found
    known = ", ".join(str(numpy_dtype(item)) for item in DType)
    raise argument_error(
        CONFORMANCE,
        f"The dtype must be one of {known}: {_shown(dtype) if found is None else found.str} given.",
        hints=("Pass a dtype that fields may have, as in dtype=np.float32.",),
        needed=known,
        given=dtype,
    )


def own_halo(halo: Any, letters: str) -> Sides:
    """The points below and above on each of the axes *letters*."""
    try:
        sides = _sides(halo, letters)
    except (TypeError, ValueError):
        raise _bad_halo(halo, letters) from None
    if any(points < 0 for side in sides for points in side):
        raise _bad_halo(halo, letters)
    return sides


def _sides(halo: Any, letters: str) -> Sides:
    if isinstance(halo, int | np.integer):
        return ((int(halo), int(halo)),) * len(letters)
    return tuple(_side(entry) for entry in _own(tuple(halo), letters))


def _side(entry: Any) -> tuple[int, int]:
    low, high = (entry, entry) if isinstance(entry, int | np.integer) else entry
    return index(low), index(high)


def _own(entries: tuple[Any, ...], letters: str) -> tuple[Any, ...]:
    """The entries for the axes *letters*, of which all three may be listed; ValueError for other lengths."""
    if len(entries) == len(letters):
        return entries
    if len(entries) != len(_LETTERS):
        raise ValueError
    return tuple(entries[_LETTERS.index(letter)] for letter in letters)


def _sizes(domain: Any, letters: str) -> Index:
    try:
        sizes = tuple(map(index, _own(_listed(domain), letters)))
    except (TypeError, ValueError):
        raise _bad_domain(domain, letters) from None
    if min(sizes) < 0:
        raise _bad_domain(domain, letters)
    return sizes


def _data_dims(lengths: Any) -> Index:
    try:
        dims = tuple(map(index, _listed(lengths)))
    except TypeError:
        dims = (0,)
    if min(dims, default=1) < 1:
        raise argument_error(
            CONFORMANCE,
            f"The data dimensions must be integers of at least 1: {_shown(lengths)} given.",
            hints=("Pass the length of each, as in data_dims=(3,).",),
            given=lengths,
        )
    return dims


def _listed(value: Any) -> tuple[Any, ...]:
    """The entries of *value*; a number is the one entry."""
    return (value,) if isinstance(value, int | np.integer) else tuple(value)


def _bad_domain(domain: object, letters: str) -> Exception:
    needed = " or ".join(dict.fromkeys((_names("n", letters), _names("n", _LETTERS))))
    return argument_error(
        CONFORMANCE,
        f"The domain must be integers of at least 0 for {needed}: {_shown(domain)} given.",
        hints=(f"Pass {_names('n', letters)}.",),
        needed=needed,
        given=domain,
    )


def _bad_halo(halo: object, letters: str) -> Exception:
    needed = " or ".join(dict.fromkeys((str(len(letters)), str(len(_LETTERS)))))
    example = ", ".join(["(1, 1)"] * len(letters)) + ("," if len(letters) == 1 else "")
    return argument_error(
        CONFORMANCE,
        f"The halo must be a number of at least 0, or a number or pair for each of {needed} axes: "
        f"{_shown(halo)} given.",
        hints=(
            f"Pass the points below and above, as in halo=({example}), or the halo of a stencil's field.",
        ),
        given=halo,
    )


def _names(prefix: str, letters: str) -> str:
    names = ", ".join(prefix + letter.lower() for letter in letters)
    return f"({names},)" if len(letters) == 1 else f"({names})"


def _shown(value: object) -> str:
    return repr(value) if isinstance(value, tuple | list | int | float | str) else type_text(value)

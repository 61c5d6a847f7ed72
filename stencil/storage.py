"""Arrays laid out for kernels: padded rows, an aligned first point of the domain, spread planes."""

from collections.abc import Callable
from itertools import count
from typing import Any, Final, TypeVar

import numpy as np

from backends.base import Array
from iir.diagnostics import StencilError
from iir.dtypes import from_numpy
from iir.nodes import ScalarDecl
from stencil.allocations import address_of, remember
from stencil.argument_error import CONFORMANCE, argument_error
from stencil.arrays import as_array
from stencil.language import IJ, IJK, AxesName, K
from stencil.memory_layout import LINE, PAGE, strides_and_size
from stencil.scalars import scalar_converter
from stencil.storage_arguments import Halo, Request, Sizes, axis_letters, language_dtype, own_halo, request

# Lines between the page offsets of an allocation and the next: odd, so that all 64 offsets occur, and
# near the golden section of a page, so that a few in a row are far apart.
_STAGGER: Final = 39 * LINE

_T = TypeVar("_T")

_numbers: Final = count()


def zeros(
    domain: Sizes,
    dtype: Any = np.float64,
    *,
    halo: Halo = 0,
    axes: AxesName = IJK,
    data_dims: Sizes = (),
) -> Array:
    """An array of zeros for a field on *domain*, with a *halo* around it.

    *domain* and *halo* list i, j and k, or just the field's *axes*. An entry of the halo is a number for
    both sides or a pair, below and above; one number stands for all sides. *data_dims* are further
    dimensions after those of the grid. A call that is given no origin finds the one of this array.
    """
    return _checked(lambda: _allocated(request(domain, dtype, halo, axes, data_dims), np.zeros))


def ones(
    domain: Sizes,
    dtype: Any = np.float64,
    *,
    halo: Halo = 0,
    axes: AxesName = IJK,
    data_dims: Sizes = (),
) -> Array:
    """As `zeros`, of ones."""
    array = empty(domain, dtype, halo=halo, axes=axes, data_dims=data_dims)
    array[...] = 1
    return array


def empty(
    domain: Sizes,
    dtype: Any = np.float64,
    *,
    halo: Halo = 0,
    axes: AxesName = IJK,
    data_dims: Sizes = (),
) -> Array:
    """As `zeros`, of whatever the memory holds."""
    return _checked(lambda: _allocated(request(domain, dtype, halo, axes, data_dims), np.empty))


def full(
    domain: Sizes,
    value: Any,
    dtype: Any = np.float64,
    *,
    halo: Halo = 0,
    axes: AxesName = IJK,
    data_dims: Sizes = (),
) -> Array:
    """As `zeros`, of *value*, which fits *dtype* as an argument fits a scalar parameter."""
    number = _checked(lambda: _number(value, dtype))
    array = empty(domain, dtype, halo=halo, axes=axes, data_dims=data_dims)
    array[...] = number
    return array


def from_array(array: Any, *, halo: Halo = 0, axes: AxesName | None = None) -> Array:
    """A copy of *array*, whose outermost points are the *halo*, so that its shape is the same.

    Dimensions after those of *axes* are data dimensions. Without *axes* they are IJK, of arrays of two
    dimensions IJ, of one K.
    """
    return _checked(lambda: _copied(as_array("array", array), halo, axes))


def _copied(array: Array, halo: Halo, axes: AxesName | None) -> Array:
    letters = axis_letters({1: K, 2: IJ}.get(array.ndim, IJK) if axes is None else axes)
    sides = own_halo(halo, letters)
    grid = array.shape[: len(letters)]
    if len(grid) < len(letters) or any(low + high > n for n, (low, high) in zip(grid, sides, strict=True)):
        raise argument_error(
            CONFORMANCE,
            f"An array of shape {array.shape} has no room for a halo of {sides} "
            f"along {', '.join(letters.lower())}.",
            hints=("Pass an array that has the points of the halo, too.",),
            needed=sides,
            given=array.shape,
        )
    dtype = language_dtype(array.dtype.newbyteorder("="))
    result = _allocated(Request(array.shape, tuple(low for low, _ in sides), dtype), np.empty)
    result[...] = array
    return result


def _number(value: Any, dtype: Any) -> np.generic:
    known = from_numpy(language_dtype(dtype))
    assert known is not None, "a dtype of the language"
    return scalar_converter(ScalarDecl("value", known))(value)


def _checked(make: Callable[[], _T]) -> _T:
    """What *make* makes; its errors do not show where in here they come from."""
    try:
        return make()
    except StencilError as error:
        raise error.with_traceback(None) from None


def _allocated(wanted: Request, fresh: Callable[[int, type[np.uint8]], Array]) -> Array:
    """A new array whose first point of the domain begins a line, at another page offset than the last's."""
    strides, size = strides_and_size(wanted.shape, len(wanted.origin), wanted.dtype.itemsize)
    buffer = fresh(size + PAGE, np.uint8)
    place = next(_numbers) * _STAGGER - wanted.origin[0] * wanted.dtype.itemsize
    offset = (place - address_of(buffer)) % PAGE
    array: Array = np.ndarray(wanted.shape, wanted.dtype, buffer, offset, strides)
    remember(array, buffer, wanted.origin)
    return array

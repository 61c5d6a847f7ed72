"""Allocated arrays: where their points lie in memory, and that calls find the origin they were made for."""

import gc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import stencil
from iir.dtypes import DType, numpy_dtype
from stencil import IJ, IJK, IK, JK, ArgumentError, I, J, K, allocations, from_iir, storage
from stencil.stencil_object import StencilObject

AXES = (I, J, K, IJ, IK, JK, IJK)
DTYPES = tuple(map(numpy_dtype, DType))

SMOOTH = from_iir(
    """\
stencil smooth(u: f64[IJK], area: f64[IJ], out: f64[IJK])
  multistage parallel
    stage
      do [start, end)
        out = area * (u[-1, 0, 0] + u[1, 0, 0] + u[0, -1, 0] + u[0, 1, 0])
""",
    backend="reference",
)
ADD = from_iir(
    """\
stencil add(u: f64[IJK], v: f64[IJK], out: f64[IJK])
  multistage parallel
    stage
      do [start, end)
        out = u + v
""",
    backend="reference",
)

sizes = st.tuples(*[st.integers(1, 40)] * 3)
halos = st.tuples(*[st.tuples(st.integers(0, 3), st.integers(0, 3))] * 3)


def address(array: Any) -> int:
    return int(array.__array_interface__["data"][0])


def first_point(array: Any, origin: tuple[int, ...]) -> int:
    return address(array) + sum(map(np.multiply, origin, array.strides))


def letters(axes: Any) -> str:
    return str(axes.axes.value)


def own(entries: Any, axes: Any) -> Any:
    return tuple(entries["IJK".index(letter)] for letter in letters(axes))


def refused(make: Callable[[], Any]) -> ArgumentError:
    with pytest.raises(ArgumentError) as caught:
        make()
    return caught.value


def written(f: StencilObject, out: Any, *fields: Any, **options: Any) -> list[list[int]]:
    """The first and the last point that a call stores to."""
    out[...] = np.nan
    f(*fields, out, **options)
    points = np.argwhere(~np.isnan(out))
    return [points.min(axis=0).tolist(), points.max(axis=0).tolist()]


@given(sizes, halos, st.sampled_from(AXES), st.sampled_from(DTYPES), st.lists(st.integers(1, 3), max_size=2))
def test_layout(domain: Any, halo: Any, axes: Any, dtype: Any, data_dims: list[int]) -> None:
    array = stencil.zeros(domain, dtype, halo=halo, axes=axes, data_dims=data_dims)
    sides, grid = own(halo, axes), len(letters(axes))
    shape = tuple(low + size + high for size, (low, high) in zip(own(domain, axes), sides, strict=True))
    assert type(array) is np.ndarray
    assert array.shape == (*shape, *data_dims)
    assert array.dtype == dtype
    assert array.flags.aligned and array.flags.writeable
    assert not array.any()
    assert first_point(array, tuple(low for low, _ in sides)) % 64 == 0
    steps = array.strides
    assert steps[0] == array.itemsize
    assert all(step % 64 == 0 and step % 4096 for step in steps[1:])
    assert all(step >= size * below for step, size, below in zip(steps[1:], array.shape, steps, strict=False))
    assert steps[1:2] <= (64 * -(-shape[0] * array.itemsize // 64) + 64,)
    if grid == 3 and shape[1] > 1 and shape[2] > 1:
        assert steps[2].bit_count() > 1
        assert steps[2] <= (shape[1] + shape[1] // 8 + 1) * steps[1]


@pytest.mark.parametrize("dtype", (np.float32, np.float64))
@pytest.mark.parametrize("size", (64, 128, 256, 512))
def test_levels_of_a_strip_spread_over_the_sets_of_the_caches(size: int, dtype: Any) -> None:
    step = stencil.empty((size, size, 80), dtype).strides[2]
    strip = min(size * np.dtype(dtype).itemsize, 1024)
    lines = np.add.outer(np.arange(80) * step, np.arange(0, strip, 64)) // 64 % 1024
    assert np.bincount(lines.ravel()).max() <= 1 + 80 * strip // 65536 + 1


def test_small_arrays_of_one_level_or_row_are_not_padded_with_rows() -> None:
    assert stencil.zeros((8, 8, 1)).strides == (8, 64, 512)
    assert stencil.zeros((8, 1, 80)).strides == (8, 64, 64)


def test_allocations_in_a_row_begin_at_all_offsets_of_lines_in_a_page() -> None:
    arrays = [stencil.zeros((4, 4, 4), halo=1) for _ in range(64)]
    offsets = [first_point(array, (1, 1, 1)) - array.strides[1] - array.strides[2] for array in arrays]
    assert sorted(offset % 4096 for offset in offsets) == list(range(0, 4096, 64))


@pytest.mark.parametrize("axes", AXES, ids=letters)
def test_domain_and_halo_may_list_all_axes_or_just_those_of_the_field(axes: Any) -> None:
    whole = stencil.zeros((5, 6, 7), halo=((1, 2), 3, (0, 4)), axes=axes)
    just = stencil.zeros(own((5, 6, 7), axes), halo=own(((1, 2), 3, (0, 4)), axes), axes=axes)
    assert whole.shape == just.shape == own((8, 12, 11), axes)


def test_one_number_is_the_halo_of_all_sides() -> None:
    assert stencil.zeros((5, 6, 7), halo=2).shape == (9, 10, 11)


def test_a_domain_on_one_axis_may_be_a_number() -> None:
    assert stencil.zeros(7, axes=K, halo=1).shape == (9,)


def test_the_halo_of_a_stencil_is_one_for_its_arrays() -> None:
    assert SMOOTH.halo["u"] == ((1, 1), (1, 1), (0, 0))
    assert stencil.zeros((5, 6, 7), halo=SMOOTH.halo["u"]).shape == (7, 8, 7)
    assert stencil.zeros((5, 6, 7), halo=SMOOTH.halo["area"], axes=IJ).shape == (5, 6)


@given(sizes, halos)
def test_stores_to_all_points_touch_no_padding(domain: Any, halo: Any) -> None:
    array = stencil.zeros(domain, np.int8, halo=halo, data_dims=(2,))
    array[...] = 1
    assert np.count_nonzero(array.base) == array.size


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_values(dtype: Any) -> None:
    assert (stencil.ones((3, 4, 5), dtype) == 1).all()
    number = dtype.type(1)
    array = stencil.full((3, 4, 5), number, dtype, halo=1)
    assert array.dtype == dtype and array.shape == (5, 6, 7) and (array == number).all()
    assert stencil.empty((3, 4, 5), dtype).dtype == dtype


@given(st.lists(st.integers(0, 6), min_size=1, max_size=5), st.sampled_from(DTYPES), st.booleans())
def test_a_copy_has_the_values_of_its_array(shape: list[int], dtype: Any, is_swapped: bool) -> None:
    values = np.arange(np.prod(shape)).reshape(shape).astype(dtype)
    source = values.astype(dtype.newbyteorder()) if is_swapped else values[..., ::-1]
    array = stencil.from_array(source)
    assert array.dtype == dtype and np.array_equal(array, source)
    assert not np.shares_memory(array, source)
    assert array.size == 0 or address(array) % 64 == 0


def test_a_copy_takes_the_outermost_points_for_the_halo() -> None:
    source = np.random.default_rng(0).random((10, 8, 3))
    u, out = stencil.from_array(source, halo=(2, 1, 0)), stencil.zeros((6, 6, 3))
    assert np.array_equal(u, source) and first_point(u, (2, 1, 0)) % 64 == 0
    area = stencil.from_array(np.ones((7, 8)), halo=(1, 1, 5))
    assert written(SMOOTH, out, u, area, domain=(6, 6, 3)) == [[0, 0, 0], [5, 5, 2]]
    inside = source[1:9]
    expected = inside[:-2, 1:-1] + inside[2:, 1:-1] + inside[1:-1, :-2] + inside[1:-1, 2:]
    assert np.array_equal(out, expected)
    assert stencil.from_array(np.zeros((3, 9)), axes=JK, halo=(7, 1, 2)).shape == (3, 9)


def test_a_call_finds_the_origin_that_each_array_was_made_for() -> None:
    u, out = stencil.ones((6, 5, 3), halo=2), stencil.zeros((6, 5, 3), halo=(1, 0, 0))
    area = stencil.ones((6, 5), halo=3, axes=IJ)
    assert written(SMOOTH, out, u, area, domain=(6, 5, 3)) == [[1, 0, 0], [6, 4, 2]]


def test_results_are_the_bits_of_other_layouts() -> None:
    u, area = np.random.default_rng(1).random((8, 7, 3)), np.random.default_rng(2).random((6, 5))
    plain = np.zeros((8, 7, 3))
    SMOOTH(u, area, plain)
    out = stencil.zeros((6, 5, 3), halo=(1, 1, 0))
    for backend in ("reference", "numba"):
        SMOOTH.with_options(backend=backend)(
            stencil.from_array(u, halo=(1, 1, 0)), stencil.from_array(area), out
        )
        assert out.tobytes() == plain.tobytes()


def test_a_given_origin_comes_first() -> None:
    u, v, out = (stencil.ones((4, 4, 4), halo=1) for _ in range(3))
    assert written(ADD, out, u, v, domain=(4, 4, 4))[0] == [1, 1, 1]
    assert written(ADD, out, u, v, domain=(4, 4, 4), origin=(2, 0, 0))[0] == [2, 0, 0]
    assert written(ADD, out, u, v, domain=(4, 4, 4), origin={"out": (0, 2, 0)})[0] == [0, 2, 0]
    everywhere = {"u": (0, 0, 0), "_all_": (0, 0, 2)}
    assert written(ADD, out, u, v, domain=(4, 4, 4), origin=everywhere)[0] == [0, 0, 2]


def test_where_the_halo_is_too_small_all_arrays_begin_further_in() -> None:
    u, out, area = stencil.ones((6, 5, 3)), stencil.zeros((6, 5, 3), halo=1), stencil.ones((6, 5), axes=IJ)
    area[0, 0] = area[1, 0] = area[0, 1] = np.nan
    assert written(SMOOTH, out, u, area) == [[2, 2, 1], [5, 4, 3]]


def test_other_arrays_take_the_origin_of_allocations_on_their_axes() -> None:
    u, v, out = stencil.ones((4, 4, 4), halo=1), np.ones((6, 6, 6)), np.zeros((6, 6, 6))
    assert written(ADD, out, u, v, domain=(4, 4, 4)) == [[1, 1, 1], [4, 4, 4]]


def test_the_origin_of_other_arrays_is_refused_if_it_is_not_clear() -> None:
    u, v, out = stencil.ones((4, 4, 4), halo=1), stencil.ones((4, 4, 4)), np.zeros((6, 6, 6))
    assert str(refused(lambda: ADD(u, v, out))) == (
        "The origin of 'out' is not clear: the arrays of 'u' and 'v' were made for different ones. "
        "[conformance]\n"
        "  note: The origin of 'u' is (1, 1, 1).\n"
        "  note: The origin of 'v' is (0, 0, 0).\n"
        "  hint: Pass origin={'out': ...}, or allocate 'out' with stencil.zeros, too."
    )
    assert written(ADD, out, u, v, domain=(4, 4, 4), origin={"out": (2, 0, 0)})[0] == [2, 0, 0]


class Foreign:
    """An object that lends an array's memory."""

    def __init__(self, array: Any) -> None:
        self.__array_interface__ = array.__array_interface__
        self.owner = array


@pytest.mark.parametrize(
    "same", (lambda u: u[:], lambda u: u.view(np.ma.MaskedArray).view(np.ndarray), Foreign)
)
def test_all_of_an_allocation_is_the_allocation(same: Callable[[Any], Any]) -> None:
    u, v, out = (stencil.ones((4, 4, 4), halo=1) for _ in range(3))
    out[...] = np.nan
    ADD(same(u), same(v), same(out), domain=(4, 4, 4))
    assert np.argwhere(~np.isnan(out)).min(axis=0).tolist() == [1, 1, 1]


@pytest.mark.parametrize(
    "part", (lambda u: u[:, :, :5], lambda u: u[1:], lambda u: u[::-1], lambda u: u.copy(), lambda u: u.T)
)
def test_parts_and_copies_of_allocations_are_arrays_as_others(part: Callable[[Any], Any]) -> None:
    u, v, out = (part(stencil.ones((4, 4, 4), halo=1)) for _ in range(3))
    assert written(ADD, out, u, v)[0] == [0, 0, 0]


def test_the_layout_elsewhere_in_the_memory_of_an_allocation_is_not_the_allocation() -> None:
    array = stencil.zeros((4, 4, 4), halo=1)
    offset = address(array) - address(array.base)
    for place, is_found in ((offset, True), (offset + (-8 if offset else 8), False)):
        other = np.ndarray(array.shape, array.dtype, array.base, place, array.strides)
        assert (allocations.allocations([other]) != ()) is is_found


def test_an_allocation_of_another_shape_is_not_recognised() -> None:
    buffer = stencil.ones((8, 2, 2), halo=(1, 0, 0), data_dims=(1,))
    parts = [buffer[..., 0], np.ones((10, 2, 2)), np.zeros((10, 2, 2))]
    assert written(ADD, parts.pop(), *parts)[0] == [0, 0, 0]


def test_calls_with_and_without_allocations_of_one_layout_are_told_apart() -> None:
    made = [stencil.ones((4, 4, 4), halo=1) for _ in range(3)]
    others = [np.lib.stride_tricks.as_strided(np.ones(1000), a.shape, a.strides) for a in made]
    for f in (ADD, ADD.freeze(), ADD.freeze(domain=(4, 4, 4))):
        for _ in range(2):
            for fields, first in ((made, [1, 1, 1]), (others, [0, 0, 0])):
                assert written(f, fields[2], *fields[:2])[0] == first


def test_an_origin_is_forgotten_with_its_memory() -> None:
    gc.collect()
    before = [len(items) for items in (allocations._BY_ADDRESS, allocations._BUFFERS, allocations._BY_ARRAY)]
    array = stencil.zeros((4, 4, 4), halo=1)
    whole, part, place = array[:], array[1:], address(array)
    assert allocations._BY_ADDRESS[place].origin == (1, 1, 1)
    del array
    assert allocations.allocations([whole]) == (allocations._BY_ADDRESS[place],)
    del whole
    assert place in allocations._BY_ADDRESS
    del part
    assert place not in allocations._BY_ADDRESS
    after = [len(items) for items in (allocations._BY_ADDRESS, allocations._BUFFERS, allocations._BY_ARRAY)]
    assert after == before


def test_no_new_array_has_the_origin_of_a_freed_one() -> None:
    for _ in range(50):
        made = [stencil.zeros((4, 4, 4), halo=1) for _ in range(3)]
        buffers = [(len(array.base), array.strides) for array in made]
        del made
        fields = []
        for size, strides in buffers:
            buffer = np.zeros(size, np.uint8)
            fields.append(np.ndarray((6, 6, 6), np.float64, buffer, -address(buffer) % 64, strides))
        assert allocations.allocations(fields) == ()


@pytest.mark.parametrize(
    "make, message",
    [
        (
            lambda: storage.zeros((1, 2)),
            "The domain must be integers of at least 0 for (ni, nj, nk): (1, 2) given. [conformance]\n"
            "  hint: Pass (ni, nj, nk).",
        ),
        (
            lambda: storage.zeros((4, -1, 2), axes=IJ),
            "The domain must be integers of at least 0 for (ni, nj) or (ni, nj, nk): (4, -1, 2) given. "
            "[conformance]\n  hint: Pass (ni, nj).",
        ),
        (
            lambda: storage.empty(None, axes=K),
            "The domain must be integers of at least 0 for (nk,) or (ni, nj, nk): None given. [conformance]\n"
            "  hint: Pass (nk,).",
        ),
        (
            lambda: storage.zeros((4, 4, 4), complex),
            "The dtype must be one of bool, int8, int16, int32, int64, float32, float64: <c16 given. "
            "[conformance]\n  hint: Pass a dtype that fields may have, as in dtype=np.float32.",
        ),
        (
            lambda: storage.full((4, 4, 4), 1, "number"),
            "The dtype must be one of bool, int8, int16, int32, int64, float32, float64: 'number' given. "
            "[conformance]\n  hint: Pass a dtype that fields may have, as in dtype=np.float32.",
        ),
        (
            lambda: storage.zeros((4, 4, 4), halo=-1),
            "The halo must be a number of at least 0, or a number or pair for each of 3 axes: -1 given. "
            "[conformance]\n  hint: Pass the points below and above, as in halo=((1, 1), (1, 1), (1, 1)), "
            "or the halo of a stencil's field.",
        ),
        (
            lambda: storage.ones(4, axes=K, halo=(1, 2)),
            "The halo must be a number of at least 0, or a number or pair for each of 1 or 3 axes: (1, 2) "
            "given. [conformance]\n  hint: Pass the points below and above, as in halo=((1, 1),), "
            "or the halo of a stencil's field.",
        ),
        (
            lambda: storage.zeros((4, 4, 4), axes="IJ"),
            "The axes must be one of I, J, K, IJ, IK, JK, IJK: 'IJ' given. [conformance]\n"
            "  hint: Pass a name of the language, as in axes=stencil.IJ.",
        ),
        (
            lambda: storage.zeros((4, 4, 4), data_dims=(3, 0)),
            "The data dimensions must be integers of at least 1: (3, 0) given. [conformance]\n"
            "  hint: Pass the length of each, as in data_dims=(3,).",
        ),
        (
            lambda: storage.full((4, 4, 4), 0.5, int),
            "Scalar 'value' has the wrong type: int64 needed, float given. [argument]\n"
            "  hint: Pass an integer: a float is not rounded.",
        ),
        (
            lambda: storage.from_array([1.0, 2.0]),
            "Field 'array' is not an array: list given. [conformance]\n"
            "  hint: Pass a NumPy array, or an object that has '__array_interface__'.",
        ),
        (
            lambda: storage.from_array(np.zeros((4, 1)), halo=1),
            "An array of shape (4, 1) has no room for a halo of ((1, 1), (1, 1)) along i, j. [conformance]\n"
            "  hint: Pass an array that has the points of the halo, too.",
        ),
    ],
)
def test_what_cannot_be_allocated_is_refused(make: Callable[[], Any], message: str) -> None:
    assert str(refused(make)) == message

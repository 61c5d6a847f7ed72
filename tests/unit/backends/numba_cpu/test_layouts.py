"""The loops that suit the arrays of a call."""

from dataclasses import replace

import numpy as np
import pytest

from backends.base import Array, CallShape, FieldLayout, Options
from backends.loopnest.layout import FORTRAN, Layout
from backends.numba_cpu.layouts import suitable_layout
from iir.dtypes import DType, from_numpy
from iir.nodes import Axes, FieldDecl
from iir.schedule import Axis
from stencil import from_array, zeros

C_ORDER = Layout(Axis.K, Axis.K)
J_ORDER = Layout(Axis.J, Axis.J)
USUAL = Options()
ALWAYS = Options(prefetch_from=0, stream_from=0)


def _layout(
    *arrays: Array,
    domain: tuple[int, ...] = (4, 5, 6),
    threads: int = 1,
    options: Options = USUAL,
) -> Layout:
    fields = [FieldDecl(f"u{n}", _dtype(array)) for n, array in enumerate(arrays)]
    own = tuple(FieldLayout(array.shape, array.strides, (0, 0, 0)) for array in arrays)
    ni, nj, nk = domain
    return suitable_layout(fields, CallShape((ni, nj, nk), own), threads, options)


def _dtype(array: Array) -> DType:
    dtype = from_numpy(array.dtype)
    assert dtype is not None
    return dtype


@pytest.mark.parametrize(
    ("order", "layout"), [((2, 1, 0), FORTRAN), ((0, 1, 2), C_ORDER), ((0, 2, 1), J_ORDER)]
)
def test_lanes_go_along_the_axis_of_unit_stride(order: tuple[int, int, int], layout: Layout) -> None:
    shape = tuple((4, 5, 6)[axis] for axis in order)
    assert _layout(np.zeros(shape).transpose(np.argsort(order))) == layout


def test_axes_of_length_one_match_anything() -> None:
    assert _layout(np.zeros((4, 5, 1)), domain=(4, 5, 1)) == J_ORDER
    assert _layout(np.zeros((4, 1, 1)), domain=(4, 1, 1)) == FORTRAN
    assert _layout(np.zeros((1, 5, 6), order="F"), domain=(1, 5, 6)) == J_ORDER
    assert _layout(np.zeros((1, 1, 6), order="F"), domain=(1, 1, 6)) == C_ORDER


def test_lanes_have_more_than_one_point_whatever_the_halo() -> None:
    assert _layout(np.zeros((4, 5, 3)), domain=(4, 5, 1)) == Layout(Axis.K, Axis.J)
    assert _layout(np.zeros((4, 5, 3)), domain=(1, 1, 1)).unit is Axis.K


def test_layouts_that_differ_leave_the_closest_axis() -> None:
    mixed = np.zeros((4, 5, 6), order="F"), np.zeros((4, 5, 6)), np.zeros((4, 5, 6))
    assert _layout(*mixed).unit is None
    assert _layout(np.zeros((4, 5, 12))[:, :, ::2]) == Layout(None, Axis.K)
    assert _layout(np.zeros((4, 5, 6), order="F")[::-1]) == Layout(None, Axis.I)


def test_fewer_levels_than_threads_are_flat_unless_rows_are_outermost_anyway() -> None:
    assert _layout(np.zeros((4, 5, 6), order="F"), threads=7) == Layout(Axis.I, Axis.I, is_flat=True)
    assert _layout(np.zeros((4, 5, 6), order="F"), threads=6) == FORTRAN
    assert _layout(np.zeros((4, 5, 6)), threads=7) == C_ORDER


def test_axes_that_a_field_lacks_do_not_matter() -> None:
    fields = (FieldDecl("a", DType.FLOAT64, Axes.IJ), FieldDecl("p", DType.FLOAT64, Axes.K))
    a, p = np.zeros((4, 5), order="F"), np.zeros(12)[::2]
    own = FieldLayout(a.shape, a.strides, (0, 0)), FieldLayout(p.shape, p.strides, (0,))
    assert suitable_layout(fields, CallShape((4, 5, 6), own), 1, Options()) == FORTRAN


def _large(rows: int, levels: int, options: Options | None = None) -> Layout:
    """The layout for a field of 128 x 128 x 128 points with these strides in bytes."""
    layout = FieldLayout((128, 128, 128), (8, rows, levels), (0, 0, 0))
    shape = CallShape((128,) * 3, (layout,))
    return suitable_layout([FieldDecl("u", DType.FLOAT64)], shape, 1, options or Options())


def test_large_fields_of_padded_rows_and_spread_levels_are_fetched_early_and_streamed() -> None:
    layout = _large(1088, 1088 * 129)
    assert layout.prefetches and layout.streams


def test_fields_whose_rows_share_lines_or_whose_levels_compete_for_them_are_not_streamed() -> None:
    for rows, levels in ((1032, 1032 * 128), (1024, 1024 * 128)):
        layout = _large(rows, levels)
        assert layout.prefetches and not layout.streams


def test_options_say_from_which_size_on() -> None:
    layout = _large(1088, 1088 * 129, Options(prefetch_from=1 << 20, stream_from=1 << 30))
    assert layout.prefetches and not layout.streams
    assert _large(1024, 1024 * 128, Options(stream_from=0)).streams


def test_rows_that_are_fetched_early_and_streamed_are_in_blocks_if_levels_are_large() -> None:
    wide, narrow = zeros((256, 256, 32)), zeros((128, 128, 128))
    assert _layout(wide, domain=wide.shape).block == 64
    assert _layout(from_array(wide.astype(np.float32)), domain=wide.shape, options=ALWAYS).block == 128
    assert _layout(narrow, domain=narrow.shape, options=ALWAYS).block is None
    assert _layout(wide.transpose(2, 1, 0), domain=(32, 256, 256), options=ALWAYS).block is None
    for options in (replace(ALWAYS, prefetch_from=1 << 30), replace(ALWAYS, stream_from=1 << 30)):
        assert _layout(wide, domain=wide.shape, options=options).block is None


@pytest.mark.parametrize(
    ("dtype", "ni", "strip"),
    [
        (np.float64, 32, 32),
        (np.float64, 96, 32),
        (np.float64, 80, None),
        (np.float32, 64, 64),
        (np.float32, 96, None),
    ],
)
def test_rows_of_whole_short_strips_have_such(dtype: type, ni: int, strip: int | None) -> None:
    array = zeros((ni, 2, 2), dtype)
    assert _layout(array, domain=(ni, 2, 2)).strip == strip
    assert _layout(array.transpose(2, 1, 0), domain=(2, 2, ni)).strip is None


@pytest.mark.parametrize(("ni", "whole"), [(16, 16), (64, 16), (80, 16), (72, None)])
def test_rows_of_whole_vectors_are_such(ni: int, whole: int | None) -> None:
    array = np.zeros((ni, 2, 3), order="F")
    assert _layout(array, domain=array.shape).whole == whole
    assert _layout(array.transpose(1, 2, 0), domain=(2, 3, ni)).whole is None


@pytest.mark.parametrize(("ni", "strip"), [(64, 32), (128, 128), (384, 128), (80, None)])
def test_rows_of_levels_that_compete_for_lines_have_long_strips(ni: int, strip: int | None) -> None:
    array = np.zeros((ni, 512, 2), order="F")
    assert _layout(array, domain=array.shape).strip == strip


def test_stencil_without_fields_suits_any_loops() -> None:
    assert suitable_layout((), CallShape((32, 4, 3), ()), 1, ALWAYS).unit is Axis.I

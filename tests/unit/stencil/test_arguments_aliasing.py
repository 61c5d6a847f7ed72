"""Which arguments may share memory."""

from itertools import combinations, product
from textwrap import dedent
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stencil import ArgumentError, from_iir
from stencil.aliasing import overlaps_itself

SHIFT = from_iir(
    dedent("""\
    stencil shift(u: f64[IJK], out: f64[IJK])
      multistage parallel
        stage
          do [start, end)
            out = u[1, 0, 0]
    """),
    backend="reference",
)
TWO_OUTPUTS = from_iir(
    dedent("""\
    stencil two(a: f64[IJK], b: f64[IJK])
      multistage parallel
        stage
          do [start, end)
            a = 1.0
          do [start, start+1)
            b = 2.0
    """),
    backend="reference",
)
SUM = from_iir(
    dedent("""\
    stencil sum(u: f64[IJK], v: f64[IJK], surface: f64[IJ], out: f64[IJK])
      multistage parallel
        stage
          do [start, end)
            out = u + v + surface
    """),
    backend="reference",
)


def test_interleaved_views_are_apart() -> None:
    q = np.arange(3.0 * 4 * 5 * 2).reshape(3, 4, 5, 2)
    before = q.copy()
    for _ in range(2):
        SHIFT(q[..., 0], q[..., 1])
    np.testing.assert_array_equal(q[:2, ..., 1], before[1:, ..., 0])
    np.testing.assert_array_equal(q[..., 0], before[..., 0])


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_every_other_row_is_apart(axis: int) -> None:
    q = np.moveaxis(np.zeros((8, 6, 6)), 0, axis)
    even, odd = np.moveaxis(q, axis, 0)[::2], np.moveaxis(q, axis, 0)[1::2]
    SHIFT(even, odd)


def test_views_are_apart_if_what_is_touched_is_apart() -> None:
    q = np.zeros((9, 2, 2))
    # The domain of 4 rows stores rows 0 to 3; read are 1 to 4 of the rows from the third or fourth on.
    SHIFT(q[3:], q[:6], domain=(4, 2, 2))
    with pytest.raises(ArgumentError, match="share memory"):
        SHIFT(q[2:], q[:6], domain=(4, 2, 2))


def test_array_over_itself_is_refused_on_every_call() -> None:
    q, other = np.zeros((4, 4, 4)), np.zeros((4, 4, 4))
    for _ in range(3):
        SHIFT(q, other)
        with pytest.raises(ArgumentError, match="'u' and 'out' share memory"):
            SHIFT(q, q)


def test_distance_of_the_arrays_decides_each_time() -> None:
    q = np.zeros((40, 4, 4))
    for start in (10, 20, 10):
        SHIFT(q[start : start + 5], q[:5])
    with pytest.raises(ArgumentError, match="share memory"):
        SHIFT(q[2:7], q[:5])


def test_two_outputs_may_not_meet_but_may_where_only_one_stores() -> None:
    q = np.zeros((2, 2, 6))
    with pytest.raises(ArgumentError, match="'a' and 'b' share memory"):
        TWO_OUTPUTS(q, q)
    with pytest.raises(ArgumentError, match="'a' and 'b' share memory"):
        TWO_OUTPUTS(q[:, :, :3], q[:, :, 2:], domain=(2, 2, 3))
    TWO_OUTPUTS(q[:, :, 1:], q[:, :, :3], domain=(2, 2, 3))
    assert q[0, 0].tolist() == [2.0, 1.0, 1.0, 1.0, 0.0, 0.0]


def test_inputs_may_share_memory_with_each_other() -> None:
    q, out = np.ones((3, 3, 3)), np.zeros((3, 3, 3))
    SUM(q, q, q[:, :, 0], out)
    assert np.all(out == 3.0)


def test_field_of_fewer_axes_may_not_share_an_output() -> None:
    q = np.ones((3, 3, 3))
    with pytest.raises(ArgumentError, match="'surface' and 'out' share memory"):
        SUM(q.copy(), q.copy(), q[:, :, 0], q)


def test_arrays_that_touch_nothing_may_be_the_same() -> None:
    q = np.zeros((2, 2, 2))
    SHIFT(q, q, domain=(0, 2, 2))


SHAPES = st.tuples(*[st.integers(0, 4)] * 3)
STRIDES = st.tuples(*[st.integers(-6, 6).map(lambda number: 4 * number)] * 3)


@given(SHAPES, STRIDES, st.sampled_from([4, 8]))
def test_layout_overlaps_itself_exactly_if_two_points_share_a_byte(
    shape: tuple[int, ...], strides: tuple[int, ...], itemsize: int
) -> None:
    points = list(product(*map(range, shape)))
    starts = [sum(n * stride for n, stride in zip(point, strides, strict=True)) for point in points]
    expected = any(abs(left - right) < itemsize for left, right in combinations(starts, 2))
    assert overlaps_itself(shape, strides, itemsize) == expected


@given(
    shapes=st.tuples(SHAPES, SHAPES),
    strides=st.tuples(*[st.tuples(*[st.sampled_from([1, 2, 3, 5, 7, 8])] * 3)] * 2),
    starts=st.tuples(st.integers(0, 9), st.integers(0, 9)),
)
def test_call_is_refused_exactly_if_an_element_is_stored_and_touched(
    shapes: Any, strides: Any, starts: tuple[int, int]
) -> None:
    memory = np.zeros(200)
    u, out = (
        np.lib.stride_tricks.as_strided(memory[start:], shape, [8 * step for step in steps])
        for start, shape, steps in zip(starts, shapes, strides, strict=True)
    )
    domain = tuple(map(min, (u.shape[0] - 1, *u.shape[1:]), out.shape))
    if min(domain) < 1 or overlaps_itself(out.shape, out.strides, 8):
        return
    ni, nj, nk = domain
    memory[:] = 0
    out[:ni, :nj, :nk] = 1
    meets = bool(u[1 : ni + 1, :nj, :nk].any())
    try:
        SHIFT(u, out, domain=domain, origin=(0, 0, 0))
    except ArgumentError as error:
        assert meets and error.kind == "argument"
    else:
        assert not meets

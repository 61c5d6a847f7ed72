"""Frozen calls: what they take without a check, and that everything else is checked."""

import sys
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from textwrap import dedent
from typing import Any

import numpy as np
import pytest

import stencil
from stencil import ArgumentError, from_iir
from stencil.frozen import FrozenStencil

Array = np.ndarray[Any, np.dtype[Any]]

TWICE = from_iir(
    dedent("""\
    stencil twice(u: f64[IJK], out: f64[IJK])
      multistage parallel
        stage
          do [start, end)
            out = 2.0 * u
    """)
)
MIXED = from_iir(
    dedent("""\
    stencil mixed(alpha: f64, u: f64[IJK], n: i64, out: f64[IJK])
      multistage parallel
        stage
          do [start, n)
            out = alpha * u
    """)
)
FILL = from_iir(
    dedent("""\
    stencil fill(out: f64[IJK])
      multistage parallel
        stage
          do [start, end)
            out = 1.0
    """)
)
SHAPE = (3, 4, 5)
PLACE: dict[str, Any] = {"domain": (3, 4, 5), "origin": (0, 0, 0)}

# Compiled code looks at arrays for the first; the others compare what Python tells of them.
WAYS: dict[str, dict[str, Any]] = {
    "numba": {"backend": "numba"},
    "plain": {"backend": "numba", "jit": False},
    "reference": {"backend": "reference"},
}


@pytest.fixture(params=WAYS.values(), ids=WAYS)
def twice(request: pytest.FixtureRequest) -> FrozenStencil:
    """A frozen stencil that has run once, on arrays in C order."""
    frozen = TWICE.with_options(**request.param).freeze(**PLACE)
    frozen(values(), np.zeros(SHAPE))
    return frozen


def values() -> Array:
    return np.random.default_rng(1).random(SHAPE)


def test_other_arrays_of_the_same_layout_are_used(twice: FrozenStencil) -> None:
    u, out = values(), np.zeros(SHAPE)
    for _ in range(3):
        twice(u, out)
        u, out = out, u
    np.testing.assert_array_equal(u, 8.0 * values())


@pytest.mark.parametrize(
    "change",
    [
        np.asfortranarray,
        lambda array: np.repeat(array, 2, axis=2)[:, :, ::2],
        lambda array: array[::-1, :, ::-1].copy()[::-1, :, ::-1],
        lambda array: np.pad(array, 1)[1:-1, 1:-1, 1:-1],
        lambda array: np.pad(array, ((0, 2), (0, 0), (0, 1))),
    ],
    ids=["order", "strides", "reversed", "padded", "larger"],
)
def test_another_layout_that_fits_gives_the_same(
    twice: FrozenStencil, change: Callable[[Array], Array]
) -> None:
    for _ in range(2):
        u, out = change(values()), change(np.zeros(SHAPE))
        twice(u, out)
        np.testing.assert_array_equal(out, 2.0 * u if out.shape == SHAPE else change(2.0 * values()))


def read_only() -> Array:
    out = np.zeros(SHAPE)
    out.setflags(write=False)
    return out


REFUSED: dict[str, tuple[Callable[[], Any], str]] = {
    "dtype": (lambda: np.zeros(SHAPE, np.int64), "wrong dtype"),
    "byte order": (lambda: np.zeros(SHAPE, ">f8"), "byte order"),
    "shape": (lambda: np.zeros((3, 4, 4)), "too small along k"),
    "axes": (lambda: np.zeros((3, 4)), "wrong number of axes"),
    "read-only": (read_only, "read-only"),
    "unaligned": (lambda: np.ndarray(SHAPE, np.float64, bytearray(8 * 60 + 1), 1), "not aligned"),
    "repeated": (
        lambda: np.lib.stride_tricks.as_strided(np.zeros(1), SHAPE, (0, 0, 0)),
        "several points of its array are one element",
    ),
    "masked": (lambda: np.ma.MaskedArray(np.zeros(SHAPE)), "Its mask would be ignored"),
    "list": (lambda: np.zeros(SHAPE).tolist(), "not an array"),
    "number": (lambda: 1.0, "not an array"),
    "nothing": (lambda: None, "not an array"),
}


@pytest.mark.parametrize(("make", "message"), REFUSED.values(), ids=REFUSED)
def test_what_does_not_fit_is_refused_and_changes_nothing(
    twice: FrozenStencil, make: Callable[[], Any], message: str
) -> None:
    for _ in range(2):
        with pytest.raises(ArgumentError, match=message):
            twice(values(), make())
    u, out = values(), np.zeros(SHAPE)
    twice(u, out)
    np.testing.assert_array_equal(out, 2.0 * u)


def shrink(array: Array) -> None:
    array.resize((3, 2, 2), refcheck=False)


def reshape(array: Array) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        array.shape = (5, 4, 3)


def retype(array: Array) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        array.dtype = np.dtype(np.int64)


def lock(array: Array) -> None:
    array.setflags(write=False)


@pytest.mark.parametrize(
    ("change", "message"),
    [(shrink, "too small"), (reshape, "too small"), (retype, "wrong dtype"), (lock, "read-only")],
    ids=["size", "shape", "dtype", "flags"],
)
def test_arrays_that_are_changed_in_place_are_checked(
    twice: FrozenStencil, change: Callable[[Array], None], message: str
) -> None:
    u, out = values(), np.zeros(SHAPE)
    twice(u, out)
    change(out)
    with pytest.raises(ArgumentError, match=message):
        twice(u, out)


class Named(np.ndarray[Any, Any]):
    """A subclass that means other things by its attributes."""

    @property
    def shape(self) -> Any:
        return SHAPE


def test_subclasses_are_seen_as_the_arrays_that_they_are(twice: FrozenStencil) -> None:
    u, out = values(), np.zeros(SHAPE)
    for _ in range(2):
        twice(u.view(Named), out.view(Named))
    np.testing.assert_array_equal(out, 2.0 * u)
    with pytest.raises(ArgumentError, match="too small along k"):
        twice(u, np.zeros((3, 4, 4)).view(Named))


@pytest.mark.parametrize("count", [0, 1, 3])
def test_the_number_of_arguments_is_checked(twice: FrozenStencil, count: int) -> None:
    arrays = [np.zeros(SHAPE) for _ in range(count)]
    with pytest.raises(ArgumentError, match=r"\[status\]"):
        twice(*arrays)
    assert not np.any(arrays)


def test_keywords_are_checked(twice: FrozenStencil) -> None:
    u, out = values(), np.zeros(SHAPE)
    with pytest.raises(ArgumentError, match="given twice"):
        twice(u, out, u=u)
    with pytest.raises(ArgumentError, match="There is no argument 'v'"):
        twice(u, v=out)
    assert not out.any()


def test_arguments_by_keyword_are_those_by_position(twice: FrozenStencil) -> None:
    u = values()
    for call in (
        lambda out: twice(u, out),
        lambda out: twice(u, out=out),
        lambda out: twice(out=out, u=u),
    ):
        out = np.zeros(SHAPE)
        call(out)
        np.testing.assert_array_equal(out, 2.0 * u)


@pytest.mark.parametrize("options", WAYS.values(), ids=WAYS)
def test_scalars_may_stand_between_fields(options: dict[str, Any]) -> None:
    frozen = MIXED.with_options(**options).freeze(**PLACE)
    u = values()
    for alpha, levels in ((2.0, 5), (3, 5), (np.float32(0.5), 2), (2.0, 0)):
        for call in (
            lambda out, a=alpha, n=levels: frozen(a, u, n, out),
            lambda out, a=alpha, n=levels: frozen(a, u, out=out, n=n),
        ):
            out = np.zeros(SHAPE)
            call(out)
            np.testing.assert_array_equal(out[..., :levels], float(alpha) * u[..., :levels])
            assert not out[..., levels:].any()
    for bad, message in ((6, "0 to 5 needed"), (2.0, "wrong type"), (u, "wrong type")):
        with pytest.raises(ArgumentError, match=message):
            frozen(2.0, u, bad, np.zeros(SHAPE))


@pytest.mark.parametrize("options", WAYS.values(), ids=WAYS)
def test_a_stencil_of_one_field_is_frozen(options: dict[str, Any]) -> None:
    frozen = FILL.with_options(**options).freeze(domain=(2, 3, 1), origin=(1, 0, 0))
    for _ in range(2):
        out = np.zeros((4, 3, 1))
        frozen(out)
        assert out.sum() == out[1:3].sum() == 6.0
    with pytest.raises(ArgumentError, match="too small along i"):
        frozen(np.zeros((2, 3, 1)))


def test_without_an_origin_that_of_the_allocation_counts_each_time() -> None:
    frozen = TWICE.with_options(backend="numba").freeze(domain=(2, 2, 2))
    made = [stencil.ones((2, 2, 2), halo=1) for _ in range(2)]
    others = [np.lib.stride_tricks.as_strided(np.ones(9000), a.shape, a.strides) for a in made]
    for _ in range(2):
        for (u, out), first in ((made, 1), (others, 0)):
            out[...] = 0.0
            frozen(u, out)
            assert np.argwhere(out).min(axis=0).tolist() == [first] * 3


def test_threads_with_arrays_of_different_layouts_do_not_meet(twice: FrozenStencil) -> None:
    def run(number: int) -> bool:
        u, out = values() + number, np.zeros(SHAPE)
        if number % 2:
            u, out = np.asfortranarray(u), np.asfortranarray(out)
        if number % 3:
            twice(u, out)
        else:
            twice(out=out, u=u)
        return np.array_equal(out, 2.0 * u)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as pool:
            assert all(pool.map(run, range(200)))
    finally:
        sys.setswitchinterval(interval)


def test_a_frozen_call_keeps_no_array(twice: FrozenStencil) -> None:
    u, out = values(), np.zeros(SHAPE)
    before = sys.getrefcount(u), sys.getrefcount(out)
    twice(u, out)
    assert (sys.getrefcount(u), sys.getrefcount(out)) == before

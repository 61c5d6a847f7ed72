"""Calls that fit: what they compute, and that they touch nothing else."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from textwrap import dedent
from typing import Any

import numpy as np
import pytest

from stencil import ArgumentError, from_iir
from stencil.stencil_object import StencilObject


def make(text: str) -> StencilObject:
    return from_iir(dedent(text), backend="reference")


SMOOTH = make("""\
    stencil smooth(u: f64[IJK], out: f64[IJK], alpha: f64)
      multistage parallel
        stage
          do [start, end)
            out = u + alpha * (u[-1, 0, 0] + u[1, 0, 0] + u[0, -2, 0])
    """)
INCREMENT = make("""\
    stencil increment(a: f64[IJK], unused: f32[IJ])
      multistage parallel
        stage
          do [start+1, end)
            a = a + 1.0
    """)
UP_TO = make("""\
    stencil up_to(out: f64[IJK], n: i64)
      multistage parallel
        stage
          do [start, n)
            out = 1.0
    """)
SHAPE = (7, 8, 4)


def values(shape: tuple[int, ...] = SHAPE) -> np.ndarray[Any, np.dtype[np.float64]]:
    return np.random.default_rng(1).random(shape)


def smoothed(u: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """What SMOOTH stores on the largest domain, for alpha = 0.5."""
    return u[1:-1, 2:] + 0.5 * (u[:-2, 2:] + u[2:, 2:] + u[1:-1, :-2])


def c_order(shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
    return np.zeros(shape)


def fortran_order(shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
    return np.zeros(shape, order="F")


def mixed_order(shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
    return np.zeros((shape[1], shape[2], shape[0])).transpose(2, 0, 1)


def sliced(shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
    return np.zeros([2 * size + 3 for size in shape])[tuple(slice(1, 1 + 2 * size, 2) for size in shape)]


def reversed_axes(shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
    return np.zeros(shape)[::-1, :, ::-1]


LAYOUTS = [c_order, fortran_order, mixed_order, sliced, reversed_axes]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_arrays_of_any_strides_give_the_same_bits(
    layout: Callable[[tuple[int, ...]], np.ndarray[Any, Any]],
) -> None:
    u, out = layout(SHAPE), layout(SHAPE)
    u[...] = values()
    SMOOTH(u, out, 0.5)
    np.testing.assert_array_equal(out[1:-1, 2:], smoothed(u))


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(
    ("domain", "origin"),
    [(None, None), ((3, 4, 2), None), ((3, 4, 2), (2, 3, 1)), ((1, 1, 1), {"out": (0, 0, 3)})],
)
def test_nothing_outside_the_domain_changes(
    layout: Callable[[tuple[int, ...]], np.ndarray[Any, Any]], domain: Any, origin: Any
) -> None:
    sentinel = -12345.0
    u, out = values(), layout(SHAPE)
    memory = out if out.base is None else out.base
    memory[...] = sentinel
    before = u.copy()
    SMOOTH(u, out, 0.5, domain=domain, origin=origin)
    ni, nj, nk = domain or (5, 6, 4)
    i, j, k = origin["out"] if isinstance(origin, dict) else origin or (1, 2, 0)
    assert np.all(out[i : i + ni, j : j + nj, k : k + nk] != sentinel)
    assert np.count_nonzero(memory != sentinel) == ni * nj * nk
    np.testing.assert_array_equal(u, before)


def test_levels_outside_the_interval_do_not_change() -> None:
    a = np.zeros((2, 2, 3))
    INCREMENT(a, np.zeros((2, 2), np.float32))
    np.testing.assert_array_equal(a[0, 0], [0.0, 1.0, 1.0])


def test_field_that_is_not_used_may_have_any_size() -> None:
    a = np.zeros((2, 2, 3))
    INCREMENT(a, np.zeros((0, 1), np.float32))
    assert a.sum() == 8.0


class Foreign:
    """An array of another package."""

    def __init__(self, array: np.ndarray[Any, Any]) -> None:
        self.array = array

    @property
    def __array_interface__(self) -> dict[str, Any]:
        return dict(self.array.__array_interface__)


class Named(np.ndarray[Any, Any]):
    """A subclass, as packages for units or labels have them."""


def test_objects_with_the_array_interface_are_used_in_place() -> None:
    u, out = Foreign(values()), Foreign(np.zeros(SHAPE))
    for _ in range(2):
        SMOOTH(u, out, 0.5)
    np.testing.assert_array_equal(out.array[1:-1, 2:], smoothed(u.array))


def test_subclasses_of_arrays_are_used_in_place() -> None:
    out = np.zeros(SHAPE)
    SMOOTH(values().view(Named), out.view(Named), 0.5)
    np.testing.assert_array_equal(out[1:-1, 2:], smoothed(values()))


def test_inputs_may_be_read_only_and_repeat_elements() -> None:
    u, out = np.broadcast_to(3.0, SHAPE), np.zeros(SHAPE)
    SMOOTH(u, out, 0.0)
    assert np.all(out[1:-1, 2:] == 3.0)


@pytest.mark.parametrize("domain", [(0, 4, 2), (4, 0, 2), (4, 4, 0), (0, 0, 0)])
def test_empty_domain_computes_nothing(domain: tuple[int, int, int]) -> None:
    out = np.zeros((1, 1, 1))
    SMOOTH(np.zeros((1, 1, 1)), out, 0.5, domain=domain)
    assert not out.any()


def test_empty_domain_still_needs_the_levels_that_intervals_name() -> None:
    with pytest.raises(ArgumentError, match="too few levels: 1 needed, 0 given"):
        INCREMENT(np.zeros((2, 2, 2)), np.zeros((2, 2), np.float32), domain=(0, 0, 0))


def test_arrays_that_hold_a_halo_only_have_an_empty_domain() -> None:
    out = np.zeros((2, 3, 4))
    SMOOTH(np.zeros((2, 3, 4)), out, 0.5)
    assert not out.any()


@pytest.mark.parametrize(
    "number",
    [2, 2.0, np.float64(2), np.float32(2), np.int8(2), np.array(2.0)],
    ids=lambda item: type(item).__name__,
)
def test_float_parameter_takes_any_real_number(number: Any) -> None:
    u, out = values(), np.zeros(SHAPE)
    SMOOTH(u, out, number)
    expected = np.zeros(SHAPE)
    SMOOTH(u, expected, 2.0)
    np.testing.assert_array_equal(out, expected)


@pytest.mark.parametrize(
    "number", [2, np.int64(2), np.uint8(2), np.array(2)], ids=lambda item: type(item).__name__
)
def test_integer_parameter_takes_integers(number: Any) -> None:
    out = np.zeros((1, 1, 3))
    UP_TO(out, number)
    np.testing.assert_array_equal(out[0, 0], [1.0, 1.0, 0.0])


def test_run_time_bounds_are_checked_on_every_call() -> None:
    out = np.zeros((1, 1, 3))
    for n in (0, 3):
        UP_TO(out, n)
    for n in (-1, 4):
        with pytest.raises(ArgumentError, match=f"0 to 3 needed, {n} given"):
            UP_TO(out, n)


def test_frozen_call_runs_on_its_domain_and_origin() -> None:
    u, out, expected = values(), np.zeros(SHAPE), np.zeros(SHAPE)
    place: dict[str, Any] = {"domain": (2, 3, 1), "origin": (2, 3, 2)}
    frozen = SMOOTH.freeze(**place)
    for alpha in (0.25, 0.5):
        frozen(u, out=out, alpha=alpha)
    SMOOTH(u, expected, 0.5, **place)
    np.testing.assert_array_equal(out, expected)


def test_frozen_call_checks_arrays_of_another_layout() -> None:
    frozen = SMOOTH.freeze(domain=(2, 2, 2))
    frozen(values(), np.zeros(SHAPE), 0.5)
    with pytest.raises(ArgumentError, match="too small along i"):
        frozen(values((3, 8, 4)), np.zeros(SHAPE), 0.5)
    with pytest.raises(ArgumentError, match="wrong dtype"):
        frozen(values().astype(np.float32), np.zeros(SHAPE), 0.5)
    with pytest.raises(ArgumentError, match="not an array"):
        frozen([1.0], np.zeros(SHAPE), 0.5)


def test_frozen_call_checks_run_time_bounds() -> None:
    out = np.zeros((1, 1, 3))
    frozen = UP_TO.freeze()
    frozen(out, 2)
    with pytest.raises(ArgumentError, match="0 to 3 needed, 4 given"):
        frozen(out, 4)


def test_frozen_call_checks_aliasing_of_its_first_arrays_only() -> None:
    u = values()
    frozen = SMOOTH.freeze()
    with pytest.raises(ArgumentError, match="share memory"):
        frozen(u, u, 0.5)
    frozen(u, np.zeros(SHAPE), 0.5)
    frozen(u, u, 0.5)


def test_freezing_refuses_a_bad_domain_or_origin_at_once() -> None:
    with pytest.raises(ArgumentError, match="three integers"):
        SMOOTH.freeze(domain=(1, 2))
    with pytest.raises(ArgumentError, match="must be integers"):
        SMOOTH.freeze(origin=(1.5, 2))
    with pytest.raises(ArgumentError, match="names 'oot', which is no field of this stencil"):
        SMOOTH.freeze(origin={"oot": (0, 0, 0)})
    with pytest.raises(ArgumentError, match="wrong length: 3 needed, 2 given"):
        SMOOTH.freeze(origin=(1, 2))


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ({}, ""),
        ({"domain": (2, 3, 1)}, ", domain=(2, 3, 1)"),
        ({"domain": [2, 3, 1], "origin": (1, 1, 0)}, ", domain=(2, 3, 1), origin=(1, 1, 0)"),
        ({"origin": {"out": (1, 1, 0)}}, ", origin={'out': (1, 1, 0)}"),
    ],
)
def test_frozen_call_says_what_it_is(place: dict[str, Any], text: str) -> None:
    assert repr(SMOOTH.freeze(**place)) == f"<frozen stencil {SMOOTH.__name__}{text}>"


def test_frozen_origin_does_not_change_with_the_mapping_that_gave_it() -> None:
    u, out = values(), np.zeros(SHAPE)
    origin = {"_all_": (2, 3, 1)}
    frozen = SMOOTH.freeze(domain=(1, 1, 1), origin=origin)
    origin["_all_"] = (0, 0, 0)
    frozen(u, out, 0.5)
    assert np.flatnonzero(out).tolist() == [np.ravel_multi_index((2, 3, 1), SHAPE)]


@pytest.mark.parametrize("wrap", [Foreign, lambda array: array.view(Named)], ids=["foreign", "subclass"])
def test_frozen_call_checks_objects_that_are_no_plain_arrays_each_time(wrap: Callable[[Any], Any]) -> None:
    frozen = SMOOTH.freeze(domain=(2, 2, 2))
    out = np.zeros(SHAPE)
    for _ in range(2):
        frozen(wrap(values()), wrap(out), 0.5)
    assert np.count_nonzero(out) == 8
    with pytest.raises(ArgumentError, match="too small along i"):
        frozen(wrap(values((3, 8, 4))), wrap(out), 0.5)


def test_more_shapes_than_are_remembered_work() -> None:
    for size in range(1, 300):
        out = np.zeros((1, 1, size))
        UP_TO(out, size)
        assert out.all()


def test_calls_from_many_threads_agree() -> None:
    f = SMOOTH.with_options(backend="reference")
    u = values()

    def run(number: int) -> np.ndarray[Any, Any]:
        out = np.zeros((*SHAPE[:2], number % 4 + 1))
        f(u[:, :, : number % 4 + 1], out, 0.5)
        return out[1:-1, 2:]

    with ThreadPoolExecutor(8) as pool:
        for number, out in enumerate(pool.map(run, range(64))):
            np.testing.assert_array_equal(out, smoothed(u)[:, :, : number % 4 + 1])

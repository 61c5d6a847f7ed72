"""Arrays of one size that would begin at different points are told of, once for each stencil."""

import warnings
from collections.abc import Callable
from textwrap import dedent
from typing import Any

import numpy as np
import pytest

from stencil import StencilError, StencilWarning, from_iir
from stencil.stencil_object import StencilObject


def masked(reads: str = "u[1, 0, 0] + u[-1, -1, 0]", more: str = "") -> StencilObject:
    text = f"""\
        stencil masked(u: f64[IJK], mask: f64[IJ], eta: f64[K], out: f64[IJK])
          multistage parallel
            stage
              do [start, end)
                out = mask * eta * ({reads})
        """
    return from_iir(dedent(text), backend="reference")


def arguments(mask: tuple[int, int] = (6, 5), eta: int = 3) -> tuple[Any, ...]:
    u = np.random.default_rng(0).random((6, 5, 3))
    return u, np.ones(mask), np.ones(eta), np.zeros_like(u)


def told(call: Callable[[], object]) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    assert all(item.category is StencilWarning and item.filename == __file__ for item in caught)
    return [str(item.message) for item in caught]


MASK = (
    "Field 'mask' has the size of 'u', but its domain begins at another point. [origin-differs]\n"
    "  note: The origin of 'mask' is (0, 0), the smallest that leaves its halo; that of 'u' is (1, 1, 0).\n"
    "  hint: If equal indices are the same point in all arrays, pass origin=(1, 1, 0).\n"
    "  hint: If not, pass origin={'mask': (0, 0)}."
)


def test_field_of_fewer_axes_that_is_as_large_as_another_is_told_of() -> None:
    f, call = masked(), arguments()
    assert told(lambda: f(*call)) == [MASK]


def test_domain_and_origin_of_the_other_field_do_not_silence_it() -> None:
    f, call = masked(), arguments()
    assert told(lambda: f(*call, domain=(2, 2, 2), origin={"u": (1, 1, 0)})) == [MASK]


def test_frozen_stencil_tells_at_its_first_call() -> None:
    step, call = masked().freeze(), arguments()
    assert told(lambda: step(*call)) == [MASK]


def test_field_that_begins_further_in_is_told_of_too() -> None:
    f = masked("mask[-1, 0] * u[0, 0, -1]")
    u, mask, _, out = arguments()
    (text,) = told(lambda: f(u, mask, np.ones(2), out))
    assert text.splitlines()[1:3] == [
        "  note: The origin of 'mask' is (1, 0), the smallest that leaves its halo; "
        "that of 'u' is (0, 0, 1).",
        "  hint: If equal indices are the same point in all arrays, pass origin=(1, 0, 1).",
    ]
    f(*arguments(), origin=(1, 0, 1))


def test_one_warning_is_enough_for_a_stencil() -> None:
    f = masked()
    assert told(lambda: f(*arguments())) == [MASK]
    assert told(lambda: (f(*arguments()), f(*arguments(), domain=(1, 1, 1)))) == []


def test_warning_that_is_an_error_is_raised_at_every_call_and_nothing_is_written() -> None:
    f, call = masked(), arguments()
    for _ in range(2):
        with pytest.raises(StencilWarning, match="origin-differs"):
            f(*call)
    assert not call[-1].any()


def test_column_that_is_as_high_as_another_field_is_told_of() -> None:
    f = masked("u[0, 0, -1]")
    assert told(lambda: f(*arguments()))[0].startswith("Field 'eta' has the size of 'u'")


@pytest.mark.parametrize(
    "call",
    [
        lambda: masked()(*arguments(), origin={"mask": (1, 1)}),
        lambda: masked()(*arguments(), origin={"mask": (0, 0)}),
        lambda: masked()(*arguments(), origin=(1, 1, 0)),
        lambda: masked()(*arguments(), origin={"_all_": (1, 1, 0)}),
        lambda: masked()(*arguments(mask=(4, 4))),
        lambda: masked()(*arguments(mask=(6, 4))),
        lambda: masked("u")(*arguments()),
        lambda: masked("u[1, 1, 0]")(*arguments()),
    ],
)
def test_what_is_chosen_smaller_or_aligned_is_not_told_of(call: Callable[[], object]) -> None:
    assert told(call) == []


def test_call_that_is_refused_is_not_told_of() -> None:
    def refused() -> None:
        with pytest.raises(StencilError):
            masked()(*arguments(), domain=(9, 9, 9))

    assert told(refused) == []

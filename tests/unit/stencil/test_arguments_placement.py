"""Origin and domain of a call: what is inferred, and that it is the smallest and the largest that fits."""

from dataclasses import dataclass, field
from inspect import Parameter, Signature
from textwrap import dedent
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from backends.base import CallShape, Runner
from iir.diagnostics import ArgumentError
from iir.nodes import Stencil
from iir.parser import from_text
from stencil.arguments import Caller


@dataclass
class Recorder:
    """A kernel that computes nothing and keeps the shapes of its calls."""

    scheduled: Stencil
    is_within: bool = False
    shapes: list[CallShape] = field(default_factory=list)

    def prepare(self, shape: CallShape) -> Runner:
        self.shapes.append(shape)
        return lambda arrays, scalars: None


def placed(text: str, *args: Any, domain: Any = None, origin: Any = None) -> CallShape:
    """Where a call of the stencil puts its domain."""
    ir = from_text(dedent(text))
    kernel = Recorder(ir)
    parameters = [Parameter(item.name, Parameter.POSITIONAL_OR_KEYWORD) for item in ir.parameters]
    Caller(ir, Signature(parameters), kernel)(args, {}, domain, origin)
    (shape,) = kernel.shapes
    return shape


def origins(shape: CallShape) -> list[tuple[int, ...]]:
    return [layout.origin for layout in shape.fields]


def copies(*reads: tuple[int, int, int], interval: str = "[start, end)") -> str:
    """A stencil with a field for each offset read, and an output."""
    names = [f"f{number}" for number, _ in enumerate(reads)]
    terms = " + ".join(f"{name}[{i}, {j}, {k}]" for name, (i, j, k) in zip(names, reads, strict=True))
    parameters = ", ".join(f"{name}: f64[IJK]" for name in (*names, "out"))
    return dedent(f"""\
        stencil copies({parameters})
          multistage parallel
            stage
              do {interval}
                out = {terms}
        """)


WITH_PLANE = """\
    stencil planes(u: f64[IJK], area: f64[IJ], eta: f64[K], out: f64[IJK])
      multistage parallel
        stage
          do [start, end)
            out = u[-2, 1, 0] * area[-1, 0] + eta[1]
    """


def test_fields_of_equal_axes_share_the_smallest_origin_that_leaves_every_halo() -> None:
    u = np.zeros((6, 6, 4))
    shape = placed(copies((-1, 0, 0), (0, -2, 0), (1, 1, -1)), u, u.copy(), u.copy(), u.copy())
    assert origins(shape) == [(1, 2, 1)] * 4
    assert shape.domain == (4, 3, 3)


def test_fields_of_other_axes_have_their_own_origin() -> None:
    u = np.zeros((6, 6, 4))
    shape = placed(WITH_PLANE, u, np.zeros((5, 6)), np.zeros(5), u.copy())
    assert origins(shape) == [(2, 0, 0), (1, 0), (0,), (2, 0, 0)]
    assert shape.domain == (4, 5, 4)


def test_origin_for_all_is_taken_axis_by_axis() -> None:
    u = np.zeros((9, 9, 9))
    shape = placed(WITH_PLANE, u, np.zeros((9, 9)), np.zeros(9), u.copy(), origin=(3, 2, 1))
    assert origins(shape) == [(3, 2, 1), (3, 2), (1,), (3, 2, 1)]
    assert shape.domain == (6, 6, 7)


def test_origins_by_name_come_before_that_for_all() -> None:
    u = np.zeros((9, 9, 9))
    origin = {"_all_": (3, 2, 1), "area": (4, 5), "eta": (6, 7, 2), "out": np.array([0, 0, 0])}
    shape = placed(WITH_PLANE, u, np.zeros((9, 9)), np.zeros(9), u.copy(), origin=origin)
    assert origins(shape) == [(3, 2, 1), (4, 5), (2,), (0, 0, 0)]
    assert shape.domain == (6, 4, 6)


@pytest.mark.filterwarnings("ignore:Field 'area' has the size of 'u':stencil.StencilWarning")
def test_fields_not_named_keep_the_inferred_origin() -> None:
    u = np.zeros((9, 9, 9))
    shape = placed(WITH_PLANE, u, np.zeros((9, 9)), np.zeros(9), u.copy(), origin={"out": [0, 0, 0]})
    assert origins(shape) == [(2, 0, 0), (1, 0), (0,), (0, 0, 0)]


def test_field_on_half_levels_may_have_one_level_more() -> None:
    full, half = np.zeros((3, 3, 5)), np.zeros((3, 3, 6))
    assert placed(copies((0, 0, 0), (0, 0, 1)), half, half.copy(), full).domain == (3, 3, 5)


def test_levels_that_are_not_touched_do_not_limit_the_domain() -> None:
    short, full = np.zeros((3, 3, 1)), np.zeros((3, 3, 5))
    text = """\
        stencil bottom(surface: f64[IJK], out: f64[IJK])
          multistage parallel
            stage
              do [start, end)
                out = 0.0
              do [start, start+1)
                out = surface
        """
    assert placed(text, short, full).domain == (3, 3, 5)


def test_domain_is_never_larger_than_the_largest_array() -> None:
    u = np.zeros((3, 3, 5))
    assert placed(copies((0, 0, 0), interval="[start, end-1)"), u, u.copy()).domain == (3, 3, 5)


def test_levels_below_the_first_interval_need_no_halo() -> None:
    u = np.zeros((3, 3, 5))
    shape = placed(copies((0, 0, -1), interval="[start+1, end)"), u, u.copy())
    assert origins(shape) == [(0, 0, 0)] * 2
    assert shape.domain == (3, 3, 5)


def test_run_time_bounds_decide_how_many_levels_are_touched() -> None:
    text = """\
        stencil upto(a: f64[IJK], out: f64[IJK], n: i64)
          multistage parallel
            stage
              do [start, n)
                out = a[0, 0, 1]
        """
    a, out = np.zeros((2, 2, 5)), np.zeros((2, 2, 5))
    assert placed(text, a, out, 4).domain == (2, 2, 5)
    with pytest.raises(ArgumentError, match="'a' is too small along k: 6 points needed, 5 given"):
        placed(text, a, out, 5, domain=(2, 2, 5))


def test_axis_that_no_field_has_is_one_point() -> None:
    text = """\
        stencil plane(z: f64[IJ])
          multistage forward
            stage
              do [start, end)
                z = z + 1.0
        """
    assert placed(text, np.zeros((3, 4))).domain == (3, 4, 1)
    assert placed(text, np.zeros((3, 4)), domain=(3, 4, 7)).domain == (3, 4, 7)


def test_domain_may_be_a_list_of_numpy_integers() -> None:
    u = np.zeros((6, 6, 4))
    domain = list(np.array([2, 3, 4]))
    assert placed(copies((0, 0, 0)), u, u.copy(), domain=domain).domain == (2, 3, 4)


OFFSETS = st.tuples(st.integers(-2, 2), st.integers(-2, 2), st.integers(-2, 2))
INTERVALS = st.sampled_from(
    ["[start, end)", "[start+1, end)", "[start, end-1)", "[start+1, end-2)", "[start, start+1)"]
)


@given(st.lists(OFFSETS, min_size=1, max_size=3), INTERVALS, st.data())
def test_inferred_domain_fits_and_no_larger_one_does(
    reads: list[tuple[int, int, int]], interval: str, data: st.DataObject
) -> None:
    text = copies(*reads, interval=interval)
    sizes = st.tuples(st.integers(1, 9), st.integers(1, 9), st.integers(1, 9))
    arrays = [np.zeros(data.draw(sizes)) for _ in range(len(reads) + 1)]
    try:
        inferred = placed(text, *arrays)
    except (ArgumentError, ValueError):  # refused, or empty and so not run
        assume(False)
    (origin,) = set(origins(inferred))
    assert placed(text, *arrays, domain=inferred.domain).domain == inferred.domain
    for axis, size in enumerate(inferred.domain):
        larger = tuple(n + (own == axis) for own, n in enumerate(inferred.domain))
        most = max(array.shape[axis] for array in arrays) - origin[axis]
        if size < most:
            with pytest.raises(ArgumentError):
                placed(text, *arrays, domain=larger)


@given(st.lists(OFFSETS, min_size=1, max_size=3), st.data())
def test_inferred_origin_is_the_smallest(reads: list[tuple[int, int, int]], data: st.DataObject) -> None:
    text = copies(*reads)
    arrays = [np.zeros((9, 9, 9)) for _ in range(len(reads) + 1)]
    (origin,) = set(origins(placed(text, *arrays)))
    axis = data.draw(st.integers(0, 2))
    smaller = tuple(n - (own == axis) for own, n in enumerate(origin))
    with pytest.raises(ArgumentError):
        placed(text, *arrays, domain=(1, 1, 1), origin=smaller)
    assert placed(text, *arrays, domain=(1, 1, 1), origin=origin).domain == (1, 1, 1)

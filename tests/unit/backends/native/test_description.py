"""What a library offers, before it is built."""

import pytest

from backends.native.description import NativeSource, native_library
from iir.diagnostics import BackendError
from iir.dtypes import DType
from iir.nodes import Axes
from iir.parser import from_text
from iir.passes import DEFAULT
from iir.pipeline import run

TEXT = """stencil s(a: f64, u: f64[IJK], n: i32, p: f32[IJ])
  multistage parallel
    stage
      do [start + 1, end)
        u = u + a * f64(p[-1, 2]) + f64(n)
"""


def source(text: str = TEXT) -> NativeSource:
    ir = from_text(text)
    return NativeSource(ir, run(ir, DEFAULT))


def test_fields_come_first_then_scalars() -> None:
    (stencil,) = native_library([source()], "model").stencils
    assert [(item.name, item.position, item.dtype) for item in (*stencil.fields, *stencil.scalars)] == [
        ("u", 0, DType.FLOAT64),
        ("p", 1, DType.FLOAT32),
        ("a", 2, DType.FLOAT64),
        ("n", 3, DType.INT32),
    ]


def test_fields_tell_axes_halo_and_whether_they_are_written() -> None:
    (stencil,) = native_library([source()], "model").stencils
    u, p = stencil.fields
    assert (u.axes, u.rank, u.halo, u.is_written) == (Axes.IJK, 3, ((0, 0), (0, 0), (0, 0)), True)
    assert (p.axes, p.rank, p.halo, p.is_written) == (Axes.IJ, 2, ((1, 0), (0, 2), (0, 0)), False)
    assert stencil.required_levels == 1


@pytest.mark.parametrize("name", ["", "a/b", "-x", "a b", ".."])
def test_name_of_a_library_can_name_files(name: str) -> None:
    with pytest.raises(BackendError, match=f"'{name}' cannot name a library"):
        native_library([source()], name)


def test_stencils_of_a_library_have_names_of_their_own() -> None:
    with pytest.raises(BackendError, match="2 stencils of the library are called 's'"):
        native_library([source(), source()], "model")


def test_target_is_a_known_one() -> None:
    with pytest.raises(BackendError, match="no target 'pdp11'") as caught:
        native_library([source()], "model", "pdp11")
    assert "x86-64-v3" in str(caught.value)


def test_external_functions_exist() -> None:
    text = TEXT.replace("u = u + a * f64(p[-1, 2]) + f64(n)", 'u = call "os:nothing"(u)')
    with pytest.raises(BackendError, match="'os:nothing' cannot be found"):
        native_library([source(text)], "model")

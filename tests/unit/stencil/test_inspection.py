"""What a stencil tells about itself."""

from textwrap import dedent

import numpy as np
import pytest

from iir.parser import from_text
from stencil import (
    PARALLEL,
    AccessMode,
    ArgumentError,
    Field,
    Intent,
    StencilError,
    computation,
    from_iir,
    interval,
    stencil,
)

F = from_iir(
    dedent("""\
    stencil mix(u: f64[IJK], area: f32[IJ], out: f64[IJK], sum: f64[IJ], spare: i32[K], n: i64, unused: bool)
      multistage forward
        stage
          do [start+2, end)
            out = u[-1, 0, 0] + u[2, 0, 1]
            sum = sum + f64(area[0, -1])
          do [start, n)
            out = 0.0
    """),
    backend="reference",
)


def test_field_info_tells_access_halo_axes_and_dtype() -> None:
    info = F.field_info
    assert list(info) == ["u", "area", "out", "sum", "spare"]
    assert [str(item.access) for item in info.values()] == ["read", "read", "write", "read-write", "none"]
    assert info["u"].access is AccessMode.READ
    assert info["u"].boundary == ((1, 2), (0, 0), (0, 1)) == F.halo["u"]
    assert info["area"].boundary == ((0, 0), (1, 0), (0, 0))
    assert (info["area"].axes, info["area"].dtype, info["area"].data_dims) == (("I", "J"), np.float32, ())
    assert (info["area"].mask, info["area"].ndim) == ((True, True, False), 2)
    assert (info["spare"].domain_mask, info["spare"].domain_ndim) == ((False, False, True), 1)


def test_parameter_info_tells_access_and_dtype() -> None:
    info = F.parameter_info
    assert list(info) == ["n", "unused"]
    assert (info["n"].access, info["n"].dtype) == (AccessMode.READ, np.int64)
    assert (info["unused"].access, info["unused"].dtype) == (AccessMode.NONE, np.bool_)


def test_domain_info_tells_axes_and_levels() -> None:
    info = F.domain_info
    assert (info.parallel_axes, info.sequential_axis, info.ndim) == (("I", "J"), "K", 3)
    assert info.min_sequential_axis_size == F.required_levels == 2


def test_intents_are_those_of_the_stencil_and_of_its_nodes() -> None:
    assert F.intents["sum"].intent is Intent.INOUT
    assert F.intents is F.intents
    inner = F.iir.multistages[0].stages[0].do_methods[1]
    assert F.intents_of(inner)["out"].intent is Intent.OUT
    assert F.intents_of(inner)["sum"].intent is Intent.NONE


def test_intents_of_a_node_of_another_tree_are_refused() -> None:
    other = from_text(F.source)
    with pytest.raises(StencilError) as caught:
        F.intents_of(other)
    assert str(caught.value) == (
        "This node is not one of the stencil's IIR. [foreign-node]\n"
        "  hint: Nodes are found by identity: take one from '.iir', not a copy, nor one of '.optimized'."
    )


def test_intents_for_one_call_take_scalars_by_name_or_as_a_mapping() -> None:
    # Of two levels the sweep from the third on has none.
    assert F.intents_for(domain=(3, 3, 2), n=2)["u"].intent is Intent.NONE
    assert F.intents_for((3, 3, 3), {"n": 2})["u"].intent is Intent.IN


def test_intents_for_refuse_what_is_no_argument() -> None:
    with pytest.raises(ArgumentError, match="There is no scalar 'm'"):
        F.intents_for((3, 3, 3), m=2)
    with pytest.raises(ArgumentError, match="'n' has the wrong type: int64 needed, str given"):
        F.intents_for((3, 3, 3), n="2")
    with pytest.raises(ArgumentError, match="three integers"):
        F.intents_for((3, 3), n=2)


def test_annotated_text_is_the_iir_with_comments() -> None:
    assert from_text(F.annotated) == F.iir
    assert "# sum: inout, read-write" in F.annotated


def test_repr_is_the_signature() -> None:
    assert repr(F) == (
        "<stencil mix(u: f64[IJK], area: f32[IJ], out: f64[IJK], sum: f64[IJ], spare: i32[K], n: i64, "
        "unused: bool) on 'reference'>"
    )


def test_notes_are_empty_where_nothing_is_remarkable() -> None:
    assert F.notes == ()


def test_note_where_a_written_field_keeps_the_callers_values() -> None:
    @stencil
    def doubled(u: Field[float], out: Field[float]):
        with computation(PARALLEL), interval(...):
            u = 2.0 * u
            out = u[-1, 0, 0]

    (note,) = doubled.notes
    assert (note.code, note.span and note.span.file) == ("halo-in", __file__)

"""Every statement runs where later statements need it, and no further."""

import pytest

from iir.analyses.accesses import nested
from iir.analyses.extents import extents
from iir.diagnostics import StencilError
from iir.extent import DOMAIN, Extent
from iir.nodes import Stencil
from tests.unit.iir.textual import computation, parallel, program

T = "temporary t: f64[IJK]"
W = "temporary w: f64[IJK]"
Z = "temporary z: f64[IJ]"


def boxes(ir: Stencil) -> list[Extent]:
    """The box of each statement in program order."""
    found = extents(ir)
    return [
        found.box(statement)
        for multistage in ir.multistages
        for stage in multistage.stages
        for do_method in stage.do_methods
        for statement in nested(do_method.body)
    ]


def at(i: tuple[int, int], j: tuple[int, int] = (0, 0)) -> Extent:
    return Extent(i, j)


def test_store_to_an_argument_runs_on_the_domain() -> None:
    assert boxes(parallel("b = a", "out = b[1, 0, 0]")) == [DOMAIN, DOMAIN]


def test_store_to_a_temporary_runs_on_the_hull_of_its_reads() -> None:
    ir = parallel(T, "t = a", "out = t[-1, 0, 0] + t[2, 1, 0]")
    assert boxes(ir) == [at((-1, 2), (0, 1)), DOMAIN]


def test_needs_pass_through_temporaries() -> None:
    ir = parallel(T, W, "t = a", "w = t[1, 0, 0]", "out = w[1, 0, 0]")
    assert boxes(ir) == [at((2, 2)), at((1, 1)), DOMAIN]


def test_covering_store_ends_a_need() -> None:
    assert boxes(parallel(T, "t = a", "t = t[1, 0, 0]", "out = t")) == [at((1, 1)), DOMAIN, DOMAIN]


def test_conditional_store_ends_no_need() -> None:
    ir = parallel(T, "t = a", "if c", "  t = t[1, 0, 0]", "out = t")
    assert boxes(ir) == [at((0, 1)), DOMAIN, DOMAIN, DOMAIN]


def test_store_on_fewer_levels_ends_the_need_of_those_alone() -> None:
    ir = program("""
        temporary t: f64[IJK]
        multistage parallel
          stage
            do [start, start+1)
              t = a
            do [start+1, end)
              t = b
            do [start, start+1)
              t = t[1, 0, 0]
            do [start, end)
              out = t
    """)
    assert boxes(ir) == [at((1, 1)), DOMAIN, DOMAIN, DOMAIN]


def test_temporary_that_nobody_reads_runs_on_the_domain() -> None:
    assert boxes(parallel(T, "t = a", "out = b")) == [DOMAIN, DOMAIN]


def test_conditional_runs_on_the_hull_of_its_body() -> None:
    ir = parallel(T, "if a > 0.0", "  t = a", "  out = b", "out = out + t[2, 0, 0]")
    assert boxes(ir) == [at((0, 2)), at((2, 2)), DOMAIN, DOMAIN]


def test_condition_is_needed_on_the_box_of_its_conditional() -> None:
    ir = parallel(T, W, "t = a", "if t > 0.0", "  w = a", "out = w[1, 0, 0]")
    assert boxes(ir)[0] == at((1, 1))


def test_check_runs_on_the_domain_at_least() -> None:
    ir = parallel(T, 'check user(a > 0.0, "bad") guard(t = a) key(0, 0)', "out = t[1, 0, 0]")
    assert boxes(ir) == [at((0, 1)), DOMAIN]


@pytest.mark.parametrize(("order", "k"), [("forward", -1), ("backward", 1)])
def test_sweep_reads_behind_itself_what_stands_later_in_the_text(order: str, k: int) -> None:
    ir = computation(order, T, f"out = t[1, 0, {k}]", "t = a")
    assert boxes(ir) == [DOMAIN, at((1, 1))]


@pytest.mark.parametrize(("order", "k"), [("forward", 1), ("backward", -1)])
def test_sweep_reads_ahead_of_itself_what_was_there_before(order: str, k: int) -> None:
    ir = program(f"""
        temporary t: f64[IJK]
        multistage parallel
          stage
            do [start-1, end+1)
              t = a
        multistage {order}
          stage
            do [start, end)
              out = t[1, 0, {k}]
              t = b
              b = t
    """)
    assert boxes(ir) == [at((1, 1)), DOMAIN, DOMAIN, DOMAIN]


def test_sweep_is_a_fixpoint_over_its_levels() -> None:
    ir = computation("forward", T, W, "w = t[1, 0, -1]", "t = w[0, 0, -1] + a", "out = w")
    with pytest.raises(StencilError, match="unbounded-extent"):
        extents(ir)
    ir = computation("forward", T, W, "w = t[1, 0, -1] + a", "t = a[0, 0, -1]", "out = w[0, 1, -1]")
    assert boxes(ir) == [at((0, 0), (1, 1)), at((1, 1), (1, 1)), DOMAIN]


def test_temporary_that_needs_itself_ever_wider_is_an_error_with_its_cycle() -> None:
    ir = computation("forward", T, W, "w = t[1, 0, -1]", "t = w + a", "out = t")
    with pytest.raises(StencilError) as caught:
        extents(ir)
    diagnostic = caught.value.diagnostic
    assert diagnostic.code == "unbounded-extent"
    assert diagnostic.message == "Temporary 'w' depends on itself at a horizontal offset through the sweep."
    assert [note.split(",")[0] for note in diagnostic.notes] == ["'w' reads 't[1", "'t' reads 'w[0"]
    assert diagnostic.span is not None


def test_need_that_goes_round_through_names_and_levels_without_leading_sideways_is_bounded() -> None:
    """Each level adds as many steps as there are names."""
    names = [f"t{n}" for n in range(6)]
    lines = [f"temporary {name}: f64[IJK]" for name in names]
    lines += ["multistage forward", "  stage", "    do [start, start+1)", *(f"      {t} = a" for t in names)]
    for level in range(1, 12):
        lines.append(f"    do [start+{level}, start+{level + 1})")
        lines += [f"      {t} = a + {names[(n + 1) % 6]}[0, 0, -1]" for n, t in enumerate(names)]
    ir = program("\n".join([*lines, "      out = t0[1, 0, 0]"]))
    assert set(boxes(ir)) == {DOMAIN, at((1, 1))}


def test_same_level_of_a_sweep_is_straight_line_code() -> None:
    ir = computation("forward", T, "t = a", "t = t[1, 0, 0]", "out = t")
    assert boxes(ir) == [at((1, 1)), DOMAIN, DOMAIN]


def test_plane_carries_its_needs_through_a_sweep() -> None:
    ir = computation("forward", Z, "out = z[1, 0]", "z = a")
    assert boxes(ir) == [DOMAIN, at((1, 1))]


def test_plane_that_needs_its_neighbours_through_a_sweep_is_unbounded() -> None:
    with pytest.raises(StencilError, match="unbounded-extent"):
        extents(computation("forward", Z, "z = z[1, 0] + a", "out = z"))


def test_plane_is_one_plane_whatever_the_interval() -> None:
    ir = program("""
        temporary z: f64[IJ]
        multistage parallel
          stage
            do [start, start+1)
              z = a
            do [start+2, start+3)
              out = z[0, 1]
    """)
    assert boxes(ir) == [at((0, 0), (1, 1)), DOMAIN]

"""IIR in, loops out."""

from textwrap import dedent

import pytest

from backends.loopnest.expressions import Affine
from backends.loopnest.layout import Layout
from backends.loopnest.nodes import Allocate, LaneAllocate, MakeView
from backends.loopnest.steps import all_steps
from iir.diagnostics import BackendError
from iir.schedule import Axis
from iir.traversal import walk
from tests.unit.backends.loopnest.lowered import kernel_text, kernels_before_passes, lowered, scheduled

C_ORDER = Layout(Axis.K, Axis.K)
HEAD = "stencil s(u: f64[IJK], v: f64[IJK], n: i32)\n"


def _expect(actual: str, expected: str) -> None:
    assert actual == dedent(expected).strip("\n")


def test_parallel_multistage_runs_each_level_row_by_row_through_all_stages() -> None:
    text = f"""{HEAD}\
  temporary t: f64[IJK]
  multistage parallel
    stage
      do [start, end)
        t = u
    stage
      do [start, end)
        v = t[1, 0, 0] + t[0, -1, 0]
"""
    _expect(
        kernel_text(text),
        """
        allocate t_array: f64 (ni + 1) x 2, unit stride on axis 0 on the stack
        serial k in [first, last)
            serial j in [-1, nj)
                lanes i in [0, ni + 1)
                    t[i, (j) mod 2] = u[i, j, k]
                if j in [0, nj)
                    lanes i in [0, ni)
                        v[i, j, k] = (t[i + 1, (j) mod 2] + t[i, (j - 1) mod 2])
        """,
    )


def test_statements_of_one_box_share_their_loops() -> None:
    text = (
        f"{HEAD}  multistage parallel\n    stage\n      do [start, end)\n        u = 1.0\n        v = 2.0\n"
    )
    _expect(
        kernel_text(text),
        """
        serial k in [first, last)
            serial j in [0, nj)
                lanes i in [0, ni)
                    u[i, j, k] = 1.0:f64
                    v[i, j, k] = 2.0:f64
        """,
    )


SWEEP = f"""{HEAD}\
  multistage backward
    stage
      do [end-1, end)
        v = u
      do [n, end-1)
        v = v[0, 0, 1] + u
"""


def test_sweep_runs_row_by_row_in_strips_of_lanes_with_guards_for_intervals() -> None:
    _expect(
        kernel_text(SWEEP),
        """
        n_level = i64(n)
        serial j in [first, last)
            serial strip in [0, ni) by 64
                serial k in [min(nk - 1, n_level), nk) descending
                    if k in [nk - 1, nk)
                        lanes i in [strip, min(strip + 64, ni))
                            v[i, j, k] = u[i, j, k]
                    if k in [n_level, nk - 1)
                        lanes i in [strip, min(strip + 64, ni))
                            v[i, j, k] = (v[i, j, k + 1] + u[i, j, k])
        """,
    )


def test_sweep_over_columns_that_lie_in_memory_solves_those_of_a_row_together() -> None:
    _expect(
        kernel_text(SWEEP, C_ORDER),
        """
        n_level = i64(n)
        serial i in [first, last)
            serial strip in [0, nj) by 32
                serial k in [min(nk - 1, n_level), nk) descending
                    if k in [nk - 1, nk)
                        lanes j in [strip, min(strip + 32, nj))
                            v[i, j, k] = u[i, j, k]
                    if k in [n_level, nk - 1)
                        lanes j in [strip, min(strip + 32, nj))
                            v[i, j, k] = (v[i, j, k + 1] + u[i, j, k])
        """,
    )


def test_sweep_that_needs_neighbouring_rows_finishes_each_level() -> None:
    text = f"{HEAD}  multistage forward\n    stage\n      do [start+1, end)\n        v = v[0, 1, -1]\n"
    _expect(
        kernel_text(text),
        """
        serial k in [1, nk)
            serial j in [0, nj)
                lanes i in [0, ni)
                    v[i, j, k] = v[i, j + 1, k - 1]
        """,
    )


def test_stages_that_need_what_others_store_are_kernels_of_their_own_where_i_is_outermost() -> None:
    text = f"""{HEAD}\
  multistage parallel
    stage
      do [start, end)
        u = 1.0
    stage
      do [start, end)
        v = u[1, 0, 0]
"""
    assert [kernel.name for kernel in lowered(text, C_ORDER).kernels] == ["s_0", "s_1"]
    _expect(
        kernel_text(text, C_ORDER, 1),
        """
        serial i in [first, last)
            serial j in [0, nj)
                lanes k in [0, nk)
                    v[i, j, k] = u[i + 1, j, k]
        """,
    )


def test_chunks_compute_beyond_their_ends_what_they_need_of_temporaries() -> None:
    text = f"""{HEAD}\
  temporary t: f64[IJK]
  multistage parallel
    stage
      do [start, end)
        t = u
    stage
      do [start, end)
        v = t[-1, 0, 0] + t[1, 0, 0]
"""
    _expect(
        kernel_text(text, C_ORDER),
        """
        allocate t_array: f64 4 x nj x nk, unit stride on axis 2 on the stack
        serial i in [first - 2, last)
            serial j in [0, nj)
                lanes k in [0, nk)
                    t[(i + 1) mod 4, j, k] = u[i + 1, j, k]
            if i in [first, last)
                serial j in [0, nj)
                    lanes k in [0, nk)
                        v[i, j, k] = (t[(i - 1) mod 4, j, k] + t[(i + 1) mod 4, j, k])
        """,
    )


NEIGHBOURS = f"""{HEAD}\
  temporary t: f64[IJK]
  multistage parallel
    stage
      do [start, end)
        t = u
    stage
      do [start, end)
        v = t[0, 1, 0]
"""


def test_levels_of_arrays_with_unit_stride_on_j_have_lanes_along_j() -> None:
    _expect(
        kernel_text(NEIGHBOURS, Layout(Axis.J, Axis.J)),
        """
        allocate t_array: f64 nj, unit stride on axis 0 on the stack
        serial k in [first, last)
            serial i in [0, ni)
                lanes j in [1, nj + 1)
                    t[j] = u[i, j, k]
                lanes j in [0, nj)
                    v[i, j, k] = t[j + 1]
        """,
    )


def test_sweeps_over_arrays_with_unit_stride_on_j_have_lanes_along_j() -> None:
    text = kernel_text(SWEEP, Layout(Axis.J, Axis.J))
    loops = [line.split(" in ")[0].strip() for line in text.splitlines() if " in [" in line]
    assert [loop for loop in loops if not loop.startswith("if")] == [
        *("serial i", "serial strip", "serial k"),
        *("lanes j", "lanes j"),
    ]


def test_rows_are_shared_where_levels_are_few() -> None:
    flat = Layout(Axis.I, Axis.I, is_flat=True)
    assert not lowered(NEIGHBOURS, flat).workspaces
    _expect(
        kernel_text(NEIGHBOURS, flat),
        """
        allocate t_array: f64 ni x nk, unit stride on axis 0 on the stack
        serial j in [first, last)
            serial k in [0, nk)
                lanes i in [0, ni)
                    t[i, k] = u[i, j + 1, k]
            serial k in [0, nk)
                lanes i in [0, ni)
                    v[i, j, k] = t[i, k]
        """,
    )


def test_temporary_of_one_row_is_kept_for_a_row_in_every_layout() -> None:
    text = f"""{HEAD}\
  temporary t: f64[IJK]
  multistage forward
    stage
      do [start, end)
        t = u
  multistage backward
    stage
      do [start, end)
        v = t
"""
    for axis, index in ((Axis.I, "i"), (Axis.J, "j"), (Axis.K, "j")):
        program = lowered(text, Layout(axis, axis))
        assert program.workspaces == ()
        (array,) = (node for node in walk(program.kernels[0]) if isinstance(node, Allocate))
        assert (array.fastest, array.sizes[1:]) == (0, (Affine("nk"),))
        assert f"t[{index}, k] = u[i, j, k]" in kernel_text(text, Layout(axis, axis))


def test_sweeps_that_follow_each_other_run_row_by_row_together() -> None:
    text = f"""{HEAD}\
  temporary t: f64[IJK]
  multistage forward
    stage
      do [start+1, end)
        u = u[0, 0, -1]
        t = u * 2.0
  multistage parallel
    stage
      do [start+1, end)
        v = t[1, 0, 0]
"""
    _expect(
        kernel_text(text),
        """
        allocate t_array: f64 ni x (nk - 1), unit stride on axis 0 on the stack
        serial j in [first, last)
            serial k in [1, nk)
                lanes i in [0, ni)
                    u[i, j, k] = u[i, j, k - 1]
                lanes i in [1, ni + 1)
                    t[i, k] = (u[i, j, k] * 2.0:f64)
            serial k in [1, nk)
                lanes i in [0, ni)
                    v[i, j, k] = t[i + 1, k]
        """,
    )
    assert len(lowered(text).kernels) == 1


def test_narrow_integers_are_wrapped_after_every_operation() -> None:
    text = """stencil s(a: i8[IJK], b: i64[IJK])
  multistage parallel
    stage
      do [start, end)
        a = -(a + a) // a
        b = b * b
"""
    assert "a[i, j, k] = (i8((- i8((a[i, j, k] + a[i, j, k])))) // a[i, j, k])" in kernel_text(text)
    assert "b[i, j, k] = (b[i, j, k] * b[i, j, k])" in kernel_text(text)


def test_value_that_a_point_needs_again_is_held_and_stored_when_it_is_the_last() -> None:
    text = f"""{HEAD}\
  multistage forward
    stage
      do [start+1, end)
        u = v
        u = u * 2.0 + u[0, 0, -1]
        v = u
"""
    _expect(
        kernel_text(text),
        """
        serial j in [first, last)
            serial strip in [0, ni) by 64
                serial k in [1, nk)
                    lanes i in [strip, min(strip + 64, ni))
                        new_u = v[i, j, k]
                        new_u = ((new_u * 2.0:f64) + u[i, j, k - 1])
                        u[i, j, k] = new_u
                        v[i, j, k] = new_u
        """,
    )


def test_value_that_a_branch_may_replace_is_not_held() -> None:
    text = f"""{HEAD}\
  multistage parallel
    stage
      do [start, end)
        u = v
        if u > 0.0
          u = 1.0
        v = u
"""
    _expect(
        kernel_text(text),
        """
        serial k in [first, last)
            serial j in [0, nj)
                lanes i in [0, ni)
                    u[i, j, k] = v[i, j, k]
                    if (u[i, j, k] > 0.0:f64)
                        u[i, j, k] = 1.0:f64
                    v[i, j, k] = u[i, j, k]
        """,
    )


def test_casts_saturate_from_float_to_integer_only() -> None:
    text = """stencil s(a: i8[IJK], b: i8[IJK], u: f64[IJK], v: f64[IJK], c: bool[IJK])
  multistage parallel
    stage
      do [start, end)
        a = i8(u)
        v = f64(b)
        c = bool(u)
"""
    printed = kernel_text(text)
    assert "a[i, j, k] = i8.saturated(u[i, j, k])" in printed
    assert "v[i, j, k] = f64(b[i, j, k])" in printed
    assert "c[i, j, k] = (u[i, j, k] != 0.0:f64)" in printed


def test_lower_dimensional_fields_have_their_own_indices_only() -> None:
    text = """stencil s(u: f64[IJK], a: f64[IJ], p: f64[K])
  multistage parallel
    stage
      do [start, end)
        u = a[1, 0] + p[-1]
"""
    assert "u[i, j, k] = (a[i + 1, j] + p[k - 1])" in kernel_text(text)


def test_failed_check_is_recorded_under_its_key_and_its_guards_are_set() -> None:
    text = f"""{HEAD}\
  temporary t: f64[IJK]
  temporary r: f64[IJK]
  multistage backward
    stage
      do [start, end)
        check user(u > 0.0, "%g", u) guard(t = v, r = u) key(2, 3)
    stage
      do [start, end)
        v = t[1, 0, 0] + r
"""
    _expect(
        kernel_text(text),
        """
        allocate t_array: f64 (ni + 1), unit stride on axis 0 on the stack
        allocate r_array: f64 (ni + 1), unit stride on axis 0 on the stack
        serial j in [first, last)
            serial k in [0, nk) descending
                lanes i in [0, ni + 1)
                    if i in [0, ni)
                        if j in [0, nj)
                            if (not (u[i, j, k] > 0.0:f64))
                                report 1 at (2, -k, 3, j, i): u[i, j, k], 0:i64, 0:i64, 0:i64
                    new_t = v[i, j, k]
                    new_r = u[i, j, k]
                    t[i] = new_t
                    r[i] = new_r
                lanes i in [0, ni)
                    v[i, j, k] = (t[i + 1] + r[i])
        """,
    )


def test_results_of_external_functions_get_the_dtype_of_their_targets() -> None:
    text = f"""{HEAD}\
  multistage parallel
    stage
      do [start, end)
        u, v = call "package.module:split"(u, 2.0)
"""
    _expect(
        kernel_text(text),
        """
        serial k in [first, last)
            serial j in [0, nj)
                lanes i in [0, ni)
                    new_u, new_v = split(u[i, j, k], 2.0:f64)
                    u[i, j, k] = f64(new_u)
                    v[i, j, k] = f64(new_v)
        """,
    )


def test_workspace_is_big_enough_for_every_access() -> None:
    text = f"""{HEAD}\
  temporary t: f64[IJK]
  multistage parallel
    stage
      do [start, end)
        t = u
  multistage parallel
    stage
      do [start+2, end-1)
        v = t[2, -1, -2] + t[0, 0, 1]
"""
    program = lowered(text)
    (workspace,) = program.workspaces
    assert workspace.sizes == (Affine("ni", 2), Affine("nj", 1), Affine("nk"))
    for kernel in program.kernels:
        (origin,) = (node.origin for node in walk(kernel) if isinstance(node, MakeView) and node.name == "t")
        assert origin == (Affine(None, 0), Affine(None, 1), Affine(None, 0))


def test_names_that_mean_something_else_are_escaped() -> None:
    text = """stencil range(i: f64[IJK], np: f64[IJK], lambda: f64[IJK], first: f64)
  multistage parallel
    stage
      do [start, end)
        i = np + `lambda` * first
"""
    assert "i_[i, j, k] = (np_[i, j, k] + (lambda_[i, j, k] * first_))" in kernel_text(text)


def test_functions_with_effects_are_refused() -> None:
    text = f"""{HEAD}\
  multistage parallel
    stage
      do [start, end)
        u = call "tests:f"(u) effects(any)
"""
    with pytest.raises(BackendError, match="has effects"):
        lowered(text)


def test_strips_that_fill_rows_have_loops_of_a_constant_length() -> None:
    text = f"{HEAD}  multistage forward\n    stage\n      do [start+1, end)\n        v = v[0, 0, -1]\n"
    _expect(
        kernel_text(text, Layout(Axis.I, Axis.I, strip=32)),
        """
        serial j in [first, last)
            serial strip in [0, ni) by 32
                serial k in [1, nk)
                    lanes i in [strip, strip + 32)
                        v[i, j, k] = v[i, j, k - 1]
        """,
    )


BLOCKS = f"""{HEAD}\
  multistage parallel  @ parallel(k) blocks
    stage
      do [start, end)
        v = u[1, 1, 1]
"""


def test_strips_of_rows_that_begin_before_the_domain_have_no_constant_length() -> None:
    text = f"""{HEAD}\
  temporary t: f64[IJK]
  multistage forward  @ parallel(j) strip(64)
    stage
      do [start+1, end)
        v = v[0, 0, -1]
        t = u
  multistage parallel  @ parallel(k)
    stage
      do [start, end)
        v = v + t[-2, 1, 0] + t[1, 0, 0]
"""
    loops = [line.strip() for line in kernel_text(text, Layout(Axis.I, Axis.I, strip=32)).splitlines()]
    assert "serial strip in [-2, ni + 1) by 32" in loops
    assert "lanes i in [max(strip, 0), min(strip + 32, ni))" in loops


def test_levels_in_blocks_of_rows_come_before_the_next_rows() -> None:
    _expect(
        kernel_text(BLOCKS, Layout(Axis.I, Axis.I, block=16)),
        """
        serial block in [0, nj) by 16
            serial k in [first, last)
                serial j in [block, min(block + 16, nj))
                    lanes i in [0, ni)
                        v[i, j, k] = u[i + 1, j + 1, k + 1]
        """,
    )


def test_rows_that_need_others_are_in_no_blocks() -> None:
    text = f"""{HEAD}\
  temporary t: f64[IJK]
  multistage parallel  @ parallel(k) blocks
    stage
      do [start, end)
        t = u[0, 0, 1]
    stage
      do [start, end)
        v = t[0, 1, 0]
"""
    assert "block" not in kernel_text(text, Layout(Axis.I, Axis.I, block=16))
    assert "block" not in kernel_text(BLOCKS, Layout(Axis.K, Axis.K, block=16))


def test_rows_of_whole_vectors_are_told() -> None:
    text = f"""{HEAD}\
  temporary t: f64[IJK]
  multistage parallel
    stage
      do [start, end)
        t = u[0, 0, 1]
    stage
      do [start, end)
        v = t[1, 0, 0]
"""
    loops = [line.strip() for line in kernel_text(text, Layout(Axis.I, Axis.I, whole=16)).splitlines()]
    assert "lanes i in [0, whole(ni, 16))" in loops
    assert "lanes i in [1, ni + 1)" in loops


def test_schedule_with_shorter_strips_than_usual_has_them() -> None:
    text = (
        f"{HEAD}  multistage forward  @ parallel(j) strip(16)\n    stage\n      do [start+1, end)\n"
        "        v = v[0, 0, -1]\n"
    )
    assert "by 16" in kernel_text(text, Layout(Axis.I, Axis.I, strip=32))


def test_each_lane_of_a_strip_has_what_sweeps_leave_to_each_other_for_itself() -> None:
    """The levels of a ring take turns; a value that only its level needs has no axis at all."""
    text = """\
stencil s(u: f64[IJK], v: f64[IJK])
  temporary column: f64[IJK]  @ column
  temporary ring: f64[IJK]  @ ring
  multistage forward  @ parallel(j) strip(100)
    stage
      do [start+1, end)
        ring = u
        column = ring[0, 0, -1]
  multistage backward  @ parallel(j) strip(100)
    stage
      do [start+1, end)
        v = column
"""
    (kernel,) = kernels_before_passes(scheduled(text))
    assert [str(step) for step in all_steps(kernel.body) if isinstance(step, LaneAllocate)] == [
        "allocate column_array: f64 (nk - 1) for each of 100 lanes from strip",
        "allocate ring_array: f64 2 for each of 100 lanes from strip",
    ]

"""Where temporaries are kept, and which loops threads may share."""

import pytest

from backends.loopnest.nests import STRIP
from iir.diagnostics import BackendError
from iir.schedule import Axis, Schedule, Storage
from tests.unit.backends.loopnest.lowered import scheduled


def _storage(body: str, declaration: str = "t: f64[IJK]") -> Storage | None:
    return (
        scheduled(f"stencil s(u: f64[IJK], v: f64[IJK])\n  temporary {declaration}\n{body}")
        .temporaries[0]
        .storage
    )


def test_temporary_of_one_point_is_a_register() -> None:
    body = "  multistage parallel\n    stage\n      do [start, end)\n        t = u\n        v = t + t\n"
    assert _storage(body) is Storage.REGISTER


@pytest.mark.parametrize(
    ("order", "storage"), [("parallel", Storage.ROW), ("forward", Storage.RING), ("backward", Storage.RING)]
)
def test_temporary_that_must_be_on_the_heap_is_no_register(order: str, storage: Storage) -> None:
    body = f"  multistage {order}\n    stage\n      do [start, end)\n        t = u\n        v = t + t\n"
    assert _storage(body, "t: f64[IJK] heap") is storage


def test_register_may_be_set_anew_in_other_bodies() -> None:
    body = """\
  multistage forward
    stage
      do [start, start+1)
        t = u
        v = t
      do [start+1, end)
        t = u[0, 0, -1]
        v = t
"""
    assert _storage(body) is Storage.REGISTER


def test_register_may_be_set_in_both_branches() -> None:
    body = """\
  multistage parallel
    stage
      do [start, end)
        if u > 0.0
          t = u
        else
          t = 1.0
        v = t
"""
    assert _storage(body) is Storage.REGISTER


def test_temporary_that_another_body_may_have_set_is_no_register() -> None:
    body = """\
  multistage parallel
    stage
      do [start, end)
        t = 0.0
      do [start+1, end)
        if u > 0.0
          t = u
        v = t
"""
    assert _storage(body) is Storage.ROW


def test_temporary_read_beside_its_point_in_one_parallel_multistage_is_kept_for_rows() -> None:
    body = """\
  multistage parallel
    stage
      do [start, end)
        t = u
    stage
      do [start, end)
        v = t[1, -2, 0]
"""
    assert _storage(body) is Storage.ROW


@pytest.mark.parametrize("order", ["forward", "backward"])
def test_temporary_of_a_sweep_is_kept_for_the_levels_still_needed(order: str) -> None:
    assert _storage(_SWEEP.format(order=order, i=1, j=0)) is Storage.RING


@pytest.mark.parametrize("order", ["forward", "backward"])
def test_temporary_of_a_sweep_that_needs_other_rows_is_a_field(order: str) -> None:
    assert _storage(_SWEEP.format(order=order, i=0, j=1)) is Storage.FIELD


_SWEEP = """\
  multistage {order}
    stage
      do [start, end)
        t = u
    stage
      do [start, end)
        v = t[{i}, {j}, 0]
"""


def test_sweeps_that_follow_each_other_share_columns() -> None:
    body = """\
  multistage forward
    stage
      do [start, end)
        t = u
  multistage backward
    stage
      do [start, end-1)
        v = t[1, 0, 1]
"""
    assert _storage(body) is Storage.COLUMN


def test_temporary_of_two_multistages_is_a_field() -> None:
    body = """\
  multistage parallel
    stage
      do [start, end)
        t = u
  multistage parallel
    stage
      do [start, end)
        v = t
"""
    assert _storage(body) is Storage.FIELD


def test_decisions_that_are_there_stay() -> None:
    body = "  multistage parallel\n    stage\n      do [start, end)\n        t = u\n        v = t + t\n"
    assert _storage(body, "t: f64[IJK]  @ field") is Storage.FIELD


@pytest.mark.parametrize("storage", [Storage.RING, Storage.COLUMN, Storage.FIELD])
def test_more_than_is_needed_may_be_kept(storage: Storage) -> None:
    sweep = _SWEEP.format(order="forward", i=1, j=0)
    assert _storage(sweep, f"t: f64[IJK]  @ {storage.value}") is storage


def _shared(statement: str, order: str) -> Schedule | None:
    text = f"stencil s(u: f64[IJK], v: f64[IJK])\n  multistage {order}\n    stage\n      do [start+1, end)\n"
    return scheduled(f"{text}        {statement}\n").multistages[0].schedule


def test_threads_share_the_levels_of_a_parallel_multistage() -> None:
    assert _shared("v = u[1, 1, 0]", "parallel") == Schedule(Axis.K, prefetch=True, stream=True)


def test_levels_that_wait_for_memory_and_need_each_other_are_in_blocks_of_rows() -> None:
    schedule = _shared("v = u[0, 0, 1]", "parallel")
    assert schedule == Schedule(Axis.K, prefetch=True, stream=True, blocks=True)


def test_rows_that_others_need_are_in_no_blocks() -> None:
    text = """\
stencil s(u: f64[IJK], v: f64[IJK])
  temporary t: f64[IJK]
  multistage parallel
    stage
      do [start, end)
        t = u[0, 0, 1]
    stage
      do [start, end)
        v = t[0, 1, 0]
"""
    schedule = scheduled(text).multistages[0].schedule
    assert schedule is not None and schedule.prefetch and not schedule.blocks


def test_threads_share_the_rows_of_a_sweep() -> None:
    assert _shared("v = v[0, 0, -1] + u[1, 1, 0]", "forward") == Schedule(
        Axis.J, strip=STRIP, prefetch=True, stream=True
    )


def test_sweep_that_needs_neighbouring_rows_is_not_shared() -> None:
    schedule = _shared("v = v[0, 1, -1] + u", "forward")
    assert schedule is not None and schedule.parallel is None


def test_levels_with_much_arithmetic_do_not_wait_for_memory() -> None:
    assert _shared("v = u * u + u * u + u * u - u * u * u", "parallel") == Schedule(Axis.K)


def test_storage_that_would_lose_values_is_refused() -> None:
    body = """\
  multistage parallel
    stage
      do [start, end)
        t = u
    stage
      do [start, end)
        v = t[1, 0, 0]
"""
    for storage in ("register", "ring", "column"):
        with pytest.raises(BackendError, match=f"'t' cannot be kept as a {storage}"):
            _storage(body, f"t: f64[IJK]  @ {storage}")

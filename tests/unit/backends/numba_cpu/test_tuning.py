"""How kernels are measured, and which of them is taken."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from backends.base import Array, CallShape, FieldLayout, Number, Runner
from backends.loopnest.layout import FORTRAN, Layout
from backends.numba_cpu.layouts import variants
from backends.numba_cpu.manifest import Manifest, read_manifest, write_manifest
from backends.numba_cpu.tuning import (
    MOST_ROUNDS,
    NOISE,
    Candidate,
    Copies,
    FirstCall,
    Tuning,
    fastest,
    kind_of_call,
    median_seconds,
    processor_name,
    tune,
)
from iir.parser import from_text
from iir.schedule import Axis

PREFETCHING = replace(FORTRAN, prefetches=True)
STREAMING = replace(FORTRAN, streams=True)
BOTH = replace(PREFETCHING, streams=True)
PLAIN = Candidate(FORTRAN, 1)
DOMAIN = (4, 3, 2)


def test_layouts_of_unit_stride_have_all_ways_to_fetch_and_store_the_usual_one_first() -> None:
    assert variants(FORTRAN) == (FORTRAN, STREAMING, PREFETCHING, BOTH)
    assert variants(BOTH) == (BOTH, FORTRAN, STREAMING, PREFETCHING)
    flat = Layout(Axis.J, Axis.J, is_flat=True)
    assert all(item.is_flat and item.lanes is Axis.J for item in variants(flat)) and len(variants(flat)) == 4


def test_rows_may_consist_of_strips_of_other_lengths() -> None:
    strips = [item.strip for item in variants(FORTRAN, 64) if item not in variants(FORTRAN)]
    assert strips == [32, 64]
    assert variants(FORTRAN, 65) == variants(FORTRAN)
    assert str(Candidate(replace(BOTH, strip=32), 1)) == "prefetching and streaming in strips of 32"


def test_levels_may_be_whole_where_they_usually_are_in_blocks() -> None:
    layout = replace(BOTH, block=64)
    assert [item for item in variants(layout) if item.block is None] == [BOTH]
    assert str(Candidate(layout, 2)) == "prefetching and streaming in blocks of 64 rows on 2 threads"


@pytest.mark.parametrize("layout", [Layout(None, Axis.K), Layout(Axis.K, Axis.J)])
def test_other_layouts_have_one_way(layout: Layout) -> None:
    assert variants(layout) == (layout,)


def test_fastest_candidate_is_taken() -> None:
    seconds = {PLAIN: 3.0, Candidate(BOTH, 1): 1.0, Candidate(STREAMING, 1): 2.0}
    assert fastest(seconds) == Candidate(BOTH, 1)


def test_usual_candidate_is_taken_if_the_difference_may_be_noise() -> None:
    usual, other = PLAIN, Candidate(BOTH, 1)
    assert fastest({usual: 1.0, other: 1.0 - NOISE / 2}) == usual
    assert fastest({usual: 1.0, other: 1.0 - 2 * NOISE}) == other


def _tuned(by_threads: Sequence[Candidate], seconds: dict[tuple[Layout, int], float]) -> Tuning:
    return tune(
        DOMAIN,
        by_threads,
        lambda item: [replace(item, layout=layout) for layout in variants(item.layout)],
        lambda items: [seconds[item.layout, item.threads] for item in items],
    )


def test_variants_are_those_of_the_best_number_of_threads() -> None:
    others = {(layout, 2): 3.0 for layout in (FORTRAN, PREFETCHING, BOTH)}
    tuning = _tuned([PLAIN, Candidate(FORTRAN, 2)], {(FORTRAN, 1): 9.0, **others, (STREAMING, 2): 1.0})
    assert tuning.chosen == Candidate(STREAMING, 2) and tuning.domain == DOMAIN
    assert [(item.layout, item.threads) for item in tuning.seconds] == [
        (FORTRAN, 1),
        *((layout, 2) for layout in variants(FORTRAN)),
    ]


def test_what_was_measured_twice_is_told_with_the_smaller_time_and_compared_with_the_later_one() -> None:
    rounds = iter(((1.0, 2.0), (4.0, 3.0)))
    by_threads = PLAIN, Candidate(FORTRAN, 2)
    pair = PLAIN, Candidate(STREAMING, 1)
    tuning = tune(DOMAIN, by_threads, lambda item: pair, lambda items: next(rounds))
    assert tuning == Tuning(DOMAIN, {PLAIN: 1.0, by_threads[1]: 2.0, pair[1]: 3.0}, pair[1])


def test_number_of_threads_that_is_given_is_not_measured() -> None:
    seconds = {(layout, 4): 1.0 for layout in variants(FORTRAN)}
    assert _tuned([Candidate(FORTRAN, 4)], seconds).seconds.keys() == {
        Candidate(layout, 4) for layout in variants(FORTRAN)
    }


def test_nothing_is_measured_where_there_is_no_choice() -> None:
    only = Candidate(Layout(None, Axis.K), 1)
    assert _tuned([only], {}) == Tuning(DOMAIN, {}, only)


def test_measurements_are_told_in_a_sentence() -> None:
    seconds = {PLAIN: 2.414e-3, Candidate(BOTH, 2): 1.5e-3, Candidate(PREFETCHING, 1): 12e-6}
    assert str(Tuning(DOMAIN, seconds, Candidate(BOTH, 2))) == (
        "Calls on 4x3x2 took: plain 2.41 ms, prefetching and streaming on 2 threads 1.5 ms, "
        "prefetching 0.012 ms; prefetching and streaming on 2 threads is used."
    )


def test_runs_take_turns_from_the_same_start_after_a_round_that_does_not_count() -> None:
    log: list[str] = []
    runs = [lambda: log.append("a"), lambda: log.append("b")]
    taken = median_seconds(runs, lambda: log.append("reset"))
    assert len(taken) == 2 and min(taken) >= 0.0
    round_ = ["reset", "a", "reset", "b"]
    count = len(log) // 4
    assert log == round_ * count and 2 <= count <= 1 + MOST_ROUNDS


IR = from_text("""stencil s(a: f64[IJK], b: f32[IJK], c: f64[IJ])
  multistage forward
    stage
      do [start, end)
        a = a + c
        b = 2.0f32
""")


def _arrays(order: str) -> tuple[Array, Array, Array]:
    a, b, c = np.random.default_rng(1).random((3, 6, 8, 10))
    narrow = b.astype(np.float32)
    match order:
        case "reversed":
            return a[::-1, 1::2, ::-3], narrow[:, ::-1], c[..., 0].T
        case "broadcast":
            return a, narrow, np.broadcast_to(c[0, 0, 0], (6, 8))
        case _:
            return a[1:, 2:, 3:], narrow.T, c[..., 0]


@pytest.mark.parametrize("order", ["plain", "reversed", "broadcast"])
def test_copies_hold_the_same_at_the_same_places_of_other_memory(order: str) -> None:
    arrays = _arrays(order)
    for copy, array in zip(Copies(IR, arrays).arrays, arrays, strict=True):
        assert not np.may_share_memory(copy, array)
        assert (copy == array).all() and copy.dtype == array.dtype
        assert (copy.shape, copy.strides) == (array.shape, array.strides)
        places = [item.__array_interface__["data"][0] % 4096 for item in (copy, array)]
        assert places[0] == places[1]
        assert copy.flags.writeable


def test_only_what_is_read_and_written_has_to_be_reset() -> None:
    arrays = _arrays("plain")
    copies = Copies(IR, arrays)
    for copy in copies.arrays:
        copy[...] = 7.0
    copies.reset()
    assert (copies.arrays[0] == arrays[0]).all()
    assert all((copy == 7.0).all() for copy in copies.arrays[1:])


class Runs:
    """Runners that tell which of them ran."""

    def __init__(self) -> None:
        self.log: list[str] = []

    def usual(self, arrays: Sequence[Array], scalars: Sequence[Number]) -> None:
        self.log.append("usual")

    def best(self, arrays: Sequence[Array], scalars: Sequence[Number]) -> None:
        self.log.append("best")


def test_first_call_searches_and_runs_what_is_found() -> None:
    runs = Runs()

    def search(arrays: Sequence[Array], scalars: Sequence[Number]) -> Runner:
        runs.log.append(f"search {scalars}")
        return runs.best

    runner = FirstCall(runs.usual, search)
    runner([], [1])
    runner([], [2])
    assert runs.log == ["search [1]", "best", "best"]


def test_search_that_finds_nothing_is_made_again_by_the_next_call() -> None:
    runs = Runs()
    found = iter((None, runs.best))
    runner = FirstCall(runs.usual, lambda arrays, scalars: next(found))
    for _ in range(3):
        runner([], [])
    assert runs.log == ["usual", "best", "best"]


def _shape(domain: tuple[int, int, int], *strides: tuple[int, ...]) -> CallShape:
    return CallShape(domain, tuple(FieldLayout((9, 9, 9), own, (0, 0, 0)) for own in strides))


def test_kinds_of_calls_are_told_apart_by_all_that_decides() -> None:
    calls = [
        (_shape((4, 3, 2), (8, 32, 96)), (1,)),
        (_shape((4, 2, 3), (8, 32, 96)), (1,)),
        (_shape((4, 3, 2), (8, 64, 96)), (1,)),
        (_shape((4, 3, 2), (8, 32, 96), (8, 32, 96)), (1,)),
        (_shape((4, 3, 2), (8, 32, 96)), (1, 2)),
    ]
    kinds = {kind_of_call(*call) for call in calls}
    assert len(kinds) == len(calls)
    assert processor_name() and all(processor_name() in kind for kind in kinds)


def test_axes_of_one_point_are_kinds_of_their_own() -> None:
    """Such a stride may be any, so that a kernel for it need not suit an axis of several points."""
    kinds = {
        kind_of_call(CallShape((1, 4, 1), (FieldLayout(shape, strides, (0, 0, 0)),)), (1,))
        for shape in ((1, 4, 1), (2, 4, 1))
        for strides in ((1000, 16, 8), (0, 16, 8))
    }
    assert len(kinds) == 3


def test_measurements_are_read_as_they_were_written(tmp_path: Path) -> None:
    large = replace(BOTH, is_flat=True, is_large=True)
    tunings = {
        "one": Tuning(DOMAIN, {PLAIN: 0.1, Candidate(large, 3): 1e-7 / 3}, Candidate(large, 3)),
        "two": Tuning((1, 1, 1), {}, Candidate(Layout(None, Axis.K), 1)),
    }
    path = tmp_path / "s.json"
    write_manifest(path, Manifest(True, {}, tunings))
    found = read_manifest(path)
    assert found == Manifest(True, {}, tunings)
    assert list(found.tunings["one"].seconds) == [PLAIN, Candidate(large, 3)]

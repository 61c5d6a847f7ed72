"""Temporaries that must be on the heap: the same bits, and memory for each of them that is needed."""

from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from backends import numba_cpu
from backends.base import Backend, Options
from backends.loopnest.layout import FORTRAN
from backends.loopnest.lowering import lower
from backends.loopnest.schedule import schedule
from backends.loopnest.stack_rules import Rule
from backends.loopnest.storage_report import storage_report
from backends.reference import BACKEND as REFERENCE
from iir.nodes import Stencil
from iir.parser import from_text
from iir.passes import DEFAULT
from iir.passes.eliminate_dead_code import eliminate_dead_code
from iir.passes.fold_constants import fold_constants
from iir.passes.prune_unreachable import prune_unreachable
from iir.pipeline import run as run_passes
from iir.printer import to_text
from tests.running import assert_same_memory, build, explain, run
from tests.strategies import COUNT, SEED, Program, mixed_program

INDICES: Final = range(0, COUNT, 3)
COMPILED: Final = range(1, COUNT, max(1, COUNT // 4))
PLAIN: Final = Options(parallel=False, jit=False)
CLEANING: Final = (fold_constants, prune_unreachable, eliminate_dead_code)


def on_heap(ir: Stencil) -> Stencil:
    """*ir* with all its temporaries on the heap."""
    return replace(ir, temporaries=tuple(replace(item, on_heap=True) for item in ir.temporaries))


@pytest.mark.parametrize("parallel", [False, True])
@pytest.mark.parametrize("start", range(4))
def test_bits_do_not_depend_on_the_heap(start: int, parallel: bool, tmp_path: Path) -> None:
    for index in INDICES[start::4]:
        item = mixed_program(SEED, index)
        for options in (PLAIN, replace(PLAIN, prefetch_from=0, stream_from=0)):
            _assert_agreement(item, numba_cpu.BACKEND, replace(options, parallel=parallel), tmp_path)


def test_the_reference_knows_no_heap(tmp_path: Path) -> None:
    for index in INDICES:
        _assert_agreement(mixed_program(SEED, index), REFERENCE, PLAIN, tmp_path)


@pytest.mark.parametrize("index", COMPILED)
def test_compiled_kernels_with_threads_have_the_same_bits(index: int, tmp_path: Path) -> None:
    _assert_agreement(mixed_program(SEED, index), numba_cpu.BACKEND, Options(parallel=True), tmp_path)


@pytest.mark.parametrize("start", range(4))
def test_all_that_is_needed_is_in_memory_of_the_heap(start: int) -> None:
    """No pass takes a temporary away but because nobody needs it."""
    for index in INDICES[start::4]:
        source = on_heap(mixed_program(SEED, index).ir)
        needed = {item.name for item in run_passes(source, CLEANING).temporaries}
        ir = run_passes(source, DEFAULT)
        kept = {item.name for item in ir.temporaries if item.on_heap}
        assert kept == needed, to_text(ir)
        report = storage_report(source, lower(schedule(ir), FORTRAN))
        for name in kept:
            found = report[name]
            assert (found.place, found.place_rule) == ("heap", Rule.MUST_BE_HEAP.value), to_text(ir)
            assert found.kind != "register"


def test_the_text_keeps_the_wish() -> None:
    for index in INDICES:
        ir = on_heap(mixed_program(SEED, index).ir)
        assert from_text(to_text(ir)) == ir


def _assert_agreement(item: Program, backend: Backend, options: Options, folder: Path) -> None:
    """The reference runs the program as it is, *backend* that with its temporaries on the heap."""
    expected, actual = item.call.copied(), item.call.copied()
    error = run(build(REFERENCE, item.ir, options, folder), item.ir, expected)
    ir = run_passes(on_heap(item.ir), DEFAULT)
    failed = run(build(backend, ir, options, folder), ir, actual)
    text = explain(item.ir, item.call, {"program": (item.seed, item.index), "options": options})
    assert str(failed) == str(error), text
    if error is None:
        assert_same_memory(actual, expected, text)

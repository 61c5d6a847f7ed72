"""Tuned calls of random stencils: whichever candidate is taken, the results are those of the reference."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Final

from backends import numba_cpu, reference
from backends.base import Options
from backends.numba_cpu.executable import NumbaStencil
from iir.dtypes import numpy_dtype
from iir.nodes import ScalarDecl
from iir.passes import DEFAULT
from iir.pipeline import run as run_passes
from tests.running import assert_same_memory, build, explain, run
from tests.strategies import COUNT, SEED, Program, program

SHARE: Final = max(3, COUNT // 100)
"""How many random programs are tuned: each compiles the kernels of all its candidates."""


def _programs() -> Iterator[Program]:
    """Programs whose calls leave a choice of how rows are fetched and stored."""
    for index in range(COUNT):
        item = program(SEED, index)
        if item.call.domain[0] > 1 and set(item.call.layouts.values()) == {"Fortran"}:
            yield item


def test_all_candidates_and_reference_agree_bit_for_bit(tmp_path: Path) -> None:
    counts = [_candidates_that_agree(item, tmp_path) for item in islice(_programs(), SHARE)]
    assert len(counts) == SHARE and max(counts) > 1


def _candidates_that_agree(item: Program, folder: Path) -> int:
    """How many candidates the first call had; it has agreed, and so has each candidate by itself."""
    expected, actual = item.call.copied(), item.call.copied()
    text = explain(item.ir, item.call, {"program": (item.seed, item.index)})
    run(build(reference.BACKEND, item.ir, Options(), folder), item.ir, expected)
    ir = run_passes(item.ir, DEFAULT)
    executable = build(numba_cpu.BACKEND, ir, Options(parallel=False, tune=True), folder)
    assert isinstance(executable, NumbaStencil)
    run(executable, ir, actual)
    assert_same_memory(actual, expected, text)
    (tuning,) = executable._tunings.values()
    scalars = [declared for declared in ir.parameters if isinstance(declared, ScalarDecl)]
    numbers = [numpy_dtype(it.dtype).type(item.call.scalars[it.name]) for it in scalars]
    for candidate in tuning.seconds:
        again = item.call.copied()
        runner = executable._prepared(candidate, again.shape(ir))
        runner([again.arrays[it.name] for it in ir.parameters if it not in scalars], numbers)
        assert_same_memory(again, expected, f"{candidate}\n{text}")
    return len(tuning.seconds)

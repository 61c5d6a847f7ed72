"""Ways to run a stencil that may not change a bit: threads, lanes, fetching and streaming, layouts."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

from backends.base import Options
from iir.nodes import Stencil
from tests.properties.kernel_runs import COMPILED, ORDERS, SAMPLE, Outcome, outcome, program
from tests.random_calls import memory_of
from tests.running import explain, same_bits
from tests.strategies import Program

COLUMNS: Final = 17
"""Points of a row of most calls: strips of seven of them are two whole ones and a part."""
HALF: Final = SAMPLE[::2]
PLAIN: Final = Options(parallel=False, jit=False)
COMPILE: Final = Options(parallel=False)
NEVER: Final = 1 << 62
WAYS: Final = ((0, NEVER), (NEVER, 0), (0, 0))
"""Bytes from which rows are fetched early, and stored past the caches."""


def test_strips_of_any_width_give_the_same_bits(tmp_path: Path) -> None:
    """In rows of 32 columns the usual strips have a constant length."""
    different = 0
    for index, columns in (*((index, COLUMNS) for index in SAMPLE), *((index, 32) for index in HALF)):
        item = program(index, columns)
        usual = outcome(item, PLAIN, tmp_path)
        if "strip" in usual.text:
            other = outcome(_with(item, strip=7), PLAIN, tmp_path)
            assert_same(other, usual, item, "strip(7)")
            different += other.text != usual.text
    assert different > 10


def test_compiled_strips_of_any_width_give_the_same_bits(tmp_path: Path) -> None:
    sweeps = [index for index in HALF if "strip" in outcome(program(index, 1), PLAIN, tmp_path).text]
    for index in (sweeps[0], sweeps[1]):
        item = program(index, 150)
        usual = outcome(item, PLAIN, tmp_path)
        for strip in (7, 32, 128):
            other = outcome(_with(item, strip=strip), COMPILE, tmp_path)
            assert f"strip + {strip}" in other.text
            assert_same(other, usual, item, f"strip({strip})")


def test_fetching_and_streaming_give_the_same_bits(tmp_path: Path) -> None:
    fetching = streaming = 0
    for index in HALF:
        item = program(index, COLUMNS)
        usual = outcome(item, PLAIN, tmp_path)
        forced = _with(item, prefetch=True, stream=True)
        for way in WAYS:
            other = outcome(forced, _large(PLAIN, way), tmp_path)
            assert_same(other, usual, item, f"large from {way}")
            fetching += "prefetch_unit" in other.text
            streaming += "stream_unit" in other.text
    assert fetching > 20 and streaming > 10


@pytest.mark.parametrize("index", COMPILED)
def test_compiled_fetching_and_streaming_give_the_same_bits(index: int, tmp_path: Path) -> None:
    item = program(index, 150)
    usual = outcome(item, PLAIN, tmp_path)
    forced = _with(item, prefetch=True, stream=True)
    for way in WAYS:
        other = outcome(forced, _large(COMPILE, way), tmp_path)
        assert_same(other, usual, item, f"large from {way}")


def test_blocks_of_rows_give_the_same_bits(tmp_path: Path) -> None:
    in_blocks = 0
    for index in SAMPLE:
        item = program(index, COLUMNS)
        usual = outcome(item, PLAIN, tmp_path)
        forced = _with(item, prefetch=True, stream=True, blocks=True)
        for most in (1, 8 * 3 * COLUMNS):
            other = outcome(forced, replace(_large(PLAIN, (0, 0)), block_bytes=most), tmp_path)
            assert_same(other, usual, item, f"blocks of {most} bytes")
            in_blocks += "for block in" in other.text
    assert in_blocks > 5


def test_compiled_rows_of_whole_vectors_give_the_same_bits(tmp_path: Path) -> None:
    items = (program(index, 48) for index in SAMPLE)
    usual = ((item, outcome(item, PLAIN, tmp_path)) for item in items)
    whole = [*islice((pair for pair in usual if ">> 4 << 4" in pair[1].text), 2)]
    assert len(whole) == 2
    for item, expected in whole:
        assert_same(outcome(item, COMPILE, tmp_path), expected, item, "whole vectors")


def test_shared_loops_over_lanes_give_the_same_bits(tmp_path: Path) -> None:
    shared = 0
    for index in SAMPLE:
        item = program(index, COLUMNS)
        apart = outcome(_with(item, fuse=False), PLAIN, tmp_path)
        together = _with(item, prefetch=True, stream=True, fuse=True)
        for options in (PLAIN, _large(PLAIN, (0, 0))):
            other = outcome(together, options, tmp_path)
            assert_same(other, apart, item, "fuse")
            shared += other.text != apart.text
    assert shared > 3


def test_arrays_of_any_layout_give_the_same_bits(tmp_path: Path) -> None:
    texts = set()
    for index in HALF:
        first, *others = (program(index, COLUMNS, order) for order in ORDERS)
        usual = outcome(first, PLAIN, tmp_path)
        for item in others:
            other = outcome(item, PLAIN, tmp_path)
            assert_same(other, usual, item, str(item.call.layouts))
            texts.add(other.text)
        texts.add(usual.text)
    assert len(texts) > 2 * len(HALF)


@pytest.mark.parametrize("index", COMPILED[:2])
def test_compiled_kernels_for_any_layout_give_the_same_bits(index: int, tmp_path: Path) -> None:
    usual = outcome(program(index, 33), PLAIN, tmp_path)
    for order in ORDERS:
        item = program(index, 33, order)
        assert_same(outcome(item, COMPILE, tmp_path), usual, item, order)


@pytest.fixture(scope="module")
def digests(tmp_path_factory: pytest.TempPathFactory) -> dict[int, dict[str, Any]]:
    """By number of threads; the processes share what they compile."""
    folder = tmp_path_factory.mktemp("threads")
    command = (sys.executable, "-m", "tests.properties.kernel_runs", str(folder))
    found = {}
    for threads in (1, 2, 3, 4):
        environment = os.environ | {"NUMBA_NUM_THREADS": str(threads)}
        done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
        found[threads] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("threads", [1, 2, 3, 4])
def test_any_number_of_threads_gives_the_same_bits(threads: int, digests: dict[int, dict[str, Any]]) -> None:
    own = dict(digests[threads])
    assert own.pop("threads") == threads
    assert own == {key: value for key, value in digests[1].items() if key != "threads"}


def test_threads_give_the_bits_of_serial_kernels(digests: dict[int, dict[str, Any]], tmp_path: Path) -> None:
    """No two programs leave the same in their arrays: digests do tell them apart."""
    serial = {f"{index} False": outcome(program(index, 5), PLAIN, tmp_path).digest() for index in SAMPLE}
    serial |= {f"{index} True": outcome(program(index, 150), PLAIN, tmp_path).digest() for index in COMPILED}
    assert digests[4] == {"threads": 4, **serial}
    assert len({*serial.values()}) == len(serial)


def assert_same(actual: Outcome, expected: Outcome, item: Program, way: str) -> None:
    """The same values at the same points, and zeros still in the gaps between them."""
    text = explain(item.ir, item.call, {"program": item.index, "way": way})
    assert actual.failure == expected.failure, text
    for name, array in expected.call.arrays.items():
        own = actual.call.arrays[name]
        assert same_bits(own, array).all(), f"'{name}' differs\n{text}"
        assert np.count_nonzero(memory_of(own)) == np.count_nonzero(own), f"gaps of '{name}'\n{text}"


def _with(item: Program, **decisions: Any) -> Program:
    """*item* with other decisions in its schedule; strips stay where there were some."""

    def changed(ir: Stencil) -> Stencil:
        multistages = []
        for multistage in ir.multistages:
            assert multistage.schedule is not None
            own = dict(decisions)
            if multistage.schedule.strip is None:
                own.pop("strip", None)
            multistages.append(replace(multistage, schedule=replace(multistage.schedule, **own)))
        return replace(ir, multistages=tuple(multistages))

    return replace(item, ir=changed(item.ir))


def _large(options: Options, way: tuple[int, int]) -> Options:
    return replace(options, prefetch_from=way[0], stream_from=way[1])

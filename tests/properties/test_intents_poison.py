"""Kernels see no entry value outside ``irbw`` and change nothing outside ``may_write``."""

from collections.abc import Callable, Iterable
from pathlib import Path
from random import Random
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt
import pytest

from backends import numba_cpu, reference
from backends.base import Executable, Options
from iir.analyses.intents import FieldIntent, intents_for
from iir.boxes import Box
from iir.nodes import Axes, FieldDecl, Stencil
from iir.passes import DEFAULT
from iir.pipeline import run as run_passes
from tests.intent_programs import Kinds, intent_program
from tests.random_calls import Call, random_call
from tests.reported_shares import Share
from tests.running import build, explain, run, same_bits
from tests.strategies import COUNT, SEED, Program, program

CHUNK: Final = 25
PROGRAMS: Final = -(-COUNT // 2)
CHUNKS: Final = range(-(-PROGRAMS // CHUNK))
COMPILED: Final = range(0, PROGRAMS, max(1, PROGRAMS // 8))
KINDS: Final = (Kinds(), Kinds(masks=False), Kinds(masks=False, conditions=False))
LEAST_SHARE: Final = 0.05
"""Of the points that programs touch of fields that they write, more than this share is poisoned: less
would show nothing."""

Marks = npt.NDArray[np.bool_]
Build: TypeAlias = Callable[[Stencil, Path], Executable]


def some_program(index: int) -> Program:
    """One in which a few fields are in each other's way, or (every fourth) one with every construct."""
    if index % 4 == 3:
        return program(SEED, index)
    random = Random(f"{SEED}/poison/{index}")
    ir = intent_program(random, KINDS[index % 4])
    return Program(ir, random_call(random, ir), SEED, index)


def reference_of(ir: Stencil, folder: Path) -> Executable:
    return build(reference.BACKEND, ir, Options(), folder)


def uncompiled_kernel_of(ir: Stencil, folder: Path) -> Executable:
    return build(numba_cpu.BACKEND, run_passes(ir, DEFAULT), Options(parallel=False, jit=False), folder)


def kernel_of(ir: Stencil, folder: Path) -> Executable:
    return build(numba_cpu.BACKEND, run_passes(ir, DEFAULT), Options(parallel=False), folder)


@pytest.mark.parametrize("chunk", CHUNKS)
@pytest.mark.parametrize("make", [reference_of, uncompiled_kernel_of])
def test_values_outside_irbw_do_not_matter_and_those_outside_may_write_stay(
    make: Build, chunk: int, tmp_path: Path, report_share: Share
) -> None:
    indices = range(chunk * CHUNK, min(PROGRAMS, (chunk + 1) * CHUNK))
    poisoned, points = _assert_regions_hold(make, indices, tmp_path)
    report_share(f"poisoned points, {make.__name__.replace('_', ' ')} random programs", poisoned, points)
    assert poisoned > LEAST_SHARE * points


@pytest.mark.parametrize("index", COMPILED)
def test_compiled_kernels_see_and_change_what_the_intents_say(
    index: int, tmp_path: Path, report_share: Share
) -> None:
    counts = _assert_regions_hold(kernel_of, [index], tmp_path)
    report_share("poisoned points, compiled kernels of random programs", *counts)


def _assert_regions_hold(make: Build, indices: Iterable[int], folder: Path) -> tuple[int, int]:
    """How many points are poisoned of those that are touched, in fields that are written."""
    counts = [_assert_holds(make, some_program(index), folder) for index in indices]
    return sum(poisoned for poisoned, _ in counts), sum(points for _, points in counts)


def _assert_holds(make: Build, item: Program, folder: Path) -> tuple[int, int]:
    table = intents_for(item.ir, item.call.domain, item.call.scalars)
    fields = {decl.name: decl.axes for decl in item.ir.parameters if isinstance(decl, FieldDecl)}
    clean, poisoned = item.call.copied(), item.call.copied()
    outside = {
        name: ~_marks(item.call, name, axes, table[name].irbw.evaluate(item.call.domain))
        for name, axes in fields.items()
    }
    for name, marks in outside.items():
        array = poisoned.arrays[name]
        array[marks] = _other(array[marks])
    before = poisoned.copied()
    executable = make(item.ir, folder)
    for call in (clean, poisoned):
        assert run(executable, item.ir, call) is None
    text = explain(item.ir, item.call, {"program": (item.seed, item.index)})
    for name, axes in fields.items():
        after = poisoned.arrays[name]
        stayed = same_bits(after, before.arrays[name]) & outside[name]
        assert (same_bits(after, clean.arrays[name]) | stayed).all(), f"'{name}' depends on poison\n{text}"
        _assert_written(item, name, axes, table[name], clean, poisoned, text)
    counts = [_counts(item, found, fields[name], outside[name]) for name, found in table.items()]
    return sum(n for n, _ in counts), sum(n for _, n in counts)


def _counts(item: Program, found: FieldIntent, axes: Axes, outside: Marks) -> tuple[int, int]:
    """Of a field that is written how many points are both poisoned and touched, and how many touched."""
    if not found.may_write:
        return 0, 0
    boxes = (region.evaluate(item.call.domain) for region in (found.reads, found.may_write))
    touched = np.logical_or.reduce([_marks(item.call, found.name, axes, each) for each in boxes])
    return int((touched & outside).sum()), int(touched.sum())


def _assert_written(
    item: Program, name: str, axes: Axes, found: FieldIntent, clean: Call, poisoned: Call, text: str
) -> None:
    """Nothing changes outside may_write, and no poison is left in must_write."""
    changed = ~same_bits(clean.arrays[name], item.call.arrays[name])
    may = _marks(item.call, name, axes, found.may_write.evaluate(item.call.domain))
    assert not (changed & ~may).any(), f"'{name}' is changed outside may_write\n{text}"
    sure = _marks(item.call, name, axes, found.must_write.evaluate(item.call.domain))
    same = same_bits(poisoned.arrays[name], clean.arrays[name])
    assert same[sure].all(), f"'{name}' keeps poison in must_write\n{text}"


def _marks(call: Call, name: str, axes: Axes, boxes: tuple[Box, ...]) -> Marks:
    """Which elements of the array of field *name* lie in *boxes*."""
    marks = np.zeros(call.arrays[name].shape, np.bool_)
    for box in boxes:
        sides = [side for axis, side in zip("IJK", box, strict=True) if axis in axes.value]
        slices = [
            slice(max(0, a + call.origins[name][n]), min(marks.shape[n], b + call.origins[name][n]))
            for n, (a, b) in enumerate(sides)
        ]
        marks[tuple(slices)] = True
    return marks


def _other(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Other values of the same dtype: NaN where there is one."""
    if values.dtype.kind == "f":
        return np.full_like(values, np.nan)
    flipped: npt.NDArray[Any] = np.bitwise_not(values)
    return flipped

"""Kernels see no entry value outside ``irbw`` and change nothing outside ``may_write``."""

from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pytest

from backends.base import Options
from backends.reference import BACKEND
from iir.analyses.intents import FieldIntent, intents_for
from iir.boxes import Box
from iir.nodes import Axes, FieldDecl
from tests.random_calls import Call
from tests.running import build, explain, run, same_bits
from tests.strategies import COUNT, SEED, Program, program

CHUNK: Final = 25
CHUNKS: Final = range(-(-COUNT // CHUNK))
LEAST_SHARE: Final = 0.1
"""Of the points of written fields so many are poisoned at least: less would show nothing."""

Marks = npt.NDArray[np.bool_]


@pytest.mark.parametrize("chunk", CHUNKS)
def test_values_outside_irbw_do_not_matter_and_those_outside_may_write_stay(
    chunk: int, record_property: Any
) -> None:
    poisoned = points = 0
    for index in range(chunk * CHUNK, min(COUNT, (chunk + 1) * CHUNK)):
        counts = _assert_regions_hold(program(SEED, index))
        poisoned += counts[0]
        points += counts[1]
    record_property("share of poisoned points", poisoned / points)
    assert poisoned > LEAST_SHARE * points


def _assert_regions_hold(item: Program) -> tuple[int, int]:
    """The number of poisoned points and of all points of fields that are written."""
    table = intents_for(item.ir, item.call.domain, item.call.scalars)
    written = {
        decl.name: decl.axes
        for decl in item.ir.parameters
        if isinstance(decl, FieldDecl) and table[decl.name].may_write
    }
    clean, poisoned = item.call.copied(), item.call.copied()
    outside = {
        name: ~_marks(item.call, name, axes, table[name].irbw.evaluate(item.call.domain))
        for name, axes in written.items()
    }
    for name, marks in outside.items():
        array = poisoned.arrays[name]
        array[marks] = _other(array[marks])
    before = poisoned.copied()
    _run(item, clean)
    _run(item, poisoned)
    text = explain(item.ir, item.call, {"program": (item.seed, item.index)})
    for name, axes in written.items():
        after = poisoned.arrays[name]
        stayed = same_bits(after, before.arrays[name]) & outside[name]
        assert (same_bits(after, clean.arrays[name]) | stayed).all(), f"'{name}' depends on poison\n{text}"
        _assert_written(item, name, axes, table[name], clean, poisoned, text)
    return sum(int(m.sum()) for m in outside.values()), sum(m.size for m in outside.values())


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


def _run(item: Program, call: Call) -> None:
    executable = build(BACKEND, item.ir, Options(), Path())
    assert run(executable, item.ir, call) is None

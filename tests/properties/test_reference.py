"""The reference against the second interpreter, on random stencils."""

import subprocess
import sys
from pathlib import Path
from typing import Final

import numpy as np
import pytest
from hypothesis import given

from backends.base import Options
from backends.reference import BACKEND
from iir.analyses.reach import bounding_box, reaches
from iir.boxes import Box
from iir.diagnostics import CheckError
from iir.dtypes import DType, is_float
from iir.nodes import FieldDecl, Stencil
from tests.interpreter import Failure
from tests.random_calls import Call, memory_of
from tests.rule_programs import rule_programs
from tests.running import assert_same_memory, build, explain, run, run_interpreter, same_bits
from tests.strategies import COUNT, EVERYTHING, SEED, Program, mixed_program, program, stencils_and_calls

CHUNK: Final = 25
CHUNKS: Final = range(-(-COUNT // CHUNK))


@pytest.mark.parametrize("chunk", CHUNKS)
def test_reference_and_interpreter_agree_bit_for_bit(chunk: int) -> None:
    for index in range(chunk * CHUNK, min(COUNT, (chunk + 1) * CHUNK)):
        _assert_agreement(mixed_program(SEED, index))


@given(stencils_and_calls(EVERYTHING))
def test_reference_and_interpreter_agree_on_shrinkable_programs(item: Program) -> None:
    _assert_agreement(item)


def test_every_scalar_rule_has_the_same_bits() -> None:
    for name, ir, call in rule_programs():
        actual, expected = call.copied(), call.copied()
        _run_reference(ir, actual)
        run_interpreter(ir, expected)
        assert_same_memory(actual, expected, name)


@pytest.mark.parametrize("chunk", CHUNKS)
def test_poison_outside_the_reach_is_never_seen(chunk: int) -> None:
    """A point that extents say nobody reads gives the same results whatever it holds."""
    for index in range(chunk * CHUNK, min(COUNT, (chunk + 1) * CHUNK)):
        item = program(SEED, index)
        text = explain(item.ir, item.call, {"program": (SEED, index)})
        clean, poisoned = item.call.copied(), item.call.copied()
        _poison(item.ir, poisoned)
        before = poisoned.copied()
        _run_reference(item.ir, clean)
        _run_reference(item.ir, poisoned)
        for name, array in poisoned.arrays.items():
            untouched = same_bits(memory_of(clean.arrays[name]), memory_of(item.call.arrays[name]))
            untouched &= same_bits(memory_of(array), memory_of(before.arrays[name]))
            equal = same_bits(memory_of(clean.arrays[name]), memory_of(array))
            assert (equal | untouched).all(), f"'{name}'\n{text}"


@pytest.mark.parametrize("chunk", CHUNKS)
def test_nothing_outside_the_domain_changes(chunk: int) -> None:
    for index in range(chunk * CHUNK, min(COUNT, (chunk + 1) * CHUNK)):
        item = program(SEED, index)
        call = item.call.copied()
        _run_reference(item.ir, call)
        for field in _fields(item.ir):
            _fill(call, field, _domain_of(item.call), 0)
            expected = item.call.copied()
            _fill(expected, field, _domain_of(item.call), 0)
            assert same_bits(memory_of(call.arrays[field.name]), memory_of(expected.arrays[field.name])).all()


def test_the_interpreter_shares_no_code_with_what_it_tests() -> None:
    """Not even through what it imports."""
    code = "import sys, tests.interpreter; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    foreign = ("backends", "stencil", "iir.passes", "iir.analyses")
    names = loaded.stdout.split()
    assert "tests.scalar_rules" in names
    assert not [name for name in names if name.startswith(foreign)]


def _poison(ir: Stencil, call: Call) -> None:
    """Fill all memory that no access reads with NaN, integers with their largest value."""
    original = call.copied()
    bounds = {name: value for name, value in call.scalars.items() if isinstance(value, int)}
    touched = reaches(ir)
    for field in _fields(ir):
        memory = memory_of(call.arrays[field.name])
        memory[...] = (
            np.nan if is_float(field.dtype) else field.dtype is DType.BOOL or np.iinfo(memory.dtype).max
        )
        for reach in touched[field.name]:
            box = bounding_box([reach], call.domain, bounds)
            if box is not None and not reach.is_store:
                part = _part(call, field, box)
                call.arrays[field.name][part] = original.arrays[field.name][part]


def _fill(call: Call, field: FieldDecl, box: Box, value: int) -> None:
    call.arrays[field.name][_part(call, field, box)] = value


def _part(call: Call, field: FieldDecl, box: Box) -> tuple[slice, ...]:
    own = [side for axis, side in zip("IJK", box, strict=True) if axis in field.axes.value]
    origin = call.origins[field.name]
    return tuple(slice(first + start, first + stop) for first, (start, stop) in zip(origin, own, strict=True))


def _domain_of(call: Call) -> Box:
    ni, nj, nk = call.domain
    return (0, ni), (0, nj), (0, nk)


def _fields(ir: Stencil) -> list[FieldDecl]:
    return [item for item in ir.parameters if isinstance(item, FieldDecl)]


def _assert_agreement(item: Program) -> None:
    actual, expected = item.call.copied(), item.call.copied()
    error, failure = _run_reference(item.ir, actual), run_interpreter(item.ir, expected)
    text = explain(item.ir, item.call, {"program": (item.seed, item.index)})
    assert_same_memory(actual, expected, text)
    assert _told(error) == _told(failure), text


def _run_reference(ir: Stencil, call: Call) -> CheckError | None:
    return run(build(BACKEND, ir, Options(), Path()), ir, call)


def _told(failure: CheckError | Failure | None) -> object:
    """Point and values; NaN made comparable."""
    return failure and (failure.index, repr(tuple(failure.values)))

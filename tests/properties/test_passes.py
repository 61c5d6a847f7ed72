"""Passes, alone and together, keep the reference's results bit for bit."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

import numpy as np
import pytest
from hypothesis import given

from backends.base import Array, Options
from backends.reference import BACKEND
from backends.reference.backend import ReferenceStencil
from backends.reference.storage import FieldView
from iir.analyses.reach import bounding_box, reaches
from iir.boxes import Box
from iir.dtypes import is_float
from iir.nodes import FieldDecl, Stencil, TemporaryDecl
from iir.passes import DEFAULT
from iir.passes.eliminate_dead_code import eliminate_dead_code
from iir.pipeline import Pass
from iir.printer import to_text
from iir.verifier import verify
from tests.random_calls import Call
from tests.running import assert_same_memory, build, explain, run
from tests.strategies import COUNT, EVERYTHING, ORDINARY, SEED, Program, program, stencils_and_calls

CHUNK: Final = 25
CHUNKS: Final = range(-(-COUNT // CHUNK))
PASSES: Final = tuple(dict.fromkeys(DEFAULT))


@pytest.mark.parametrize("chunk", CHUNKS)
def test_each_pass_alone_keeps_results(chunk: int) -> None:
    for item in _programs(chunk)[::3]:
        expected = _outcome(item.ir, item.call)
        for rule in PASSES:
            _assert_same(item, (rule,), expected)


@pytest.mark.parametrize("chunk", CHUNKS)
def test_passes_keep_results_in_any_order_and_number(chunk: int) -> None:
    for item in _programs(chunk):
        random = Random(f"{item.seed}/{item.index}/passes")
        rules = tuple(random.choices(PASSES, k=random.randint(2, 12)))
        _assert_same(item, rules, _outcome(item.ir, item.call))


@pytest.mark.parametrize("chunk", CHUNKS)
def test_default_pipeline_gives_a_program_that_can_be_scheduled(chunk: int) -> None:
    for item in _programs(chunk):
        ir = _apply(DEFAULT, item.ir)
        verify(ir, after="default pipeline", scheduled=True)


@pytest.mark.parametrize("chunk", CHUNKS)
def test_optimised_program_does_not_see_what_memory_of_temporaries_holds(chunk: int) -> None:
    for item in _programs(chunk):
        ir = _apply(DEFAULT, item.ir)
        expected, actual = item.call.copied(), item.call.copied()
        error = run(build(BACKEND, item.ir, Options(), Path()), item.ir, expected)
        plain = build(BACKEND, ir, Options(), Path())
        assert isinstance(plain, ReferenceStencil)
        assert str(run(_Dirty(plain.ir, plain.extents, plain.reaches), ir, actual)) == str(error)
        if error is None:
            assert_same_memory(actual, expected, _text(item, DEFAULT))


@given(stencils_and_calls(EVERYTHING))
def test_default_pipeline_keeps_results_of_shrinkable_programs(item: Program) -> None:
    _assert_same(item, DEFAULT, _outcome(item.ir, item.call))


def test_every_pass_fires_on_the_fixed_seeds() -> None:
    """Where it stands in the pipeline, on one program in twenty at least."""
    count, fired = 100, Counter[str]()
    for index in range(count):
        ir = program(0, index).ir
        for rule in DEFAULT:
            before, ir = ir, rule(ir)
            fired[rule.__name__] += ir is not before
    assert min(fired.values()) >= count // 20, fired
    assert fired.keys() == {rule.__name__ for rule in DEFAULT}


@dataclass(frozen=True, slots=True)
class _Dirty(ReferenceStencil):
    """A reference whose temporaries hold anything but zeros at first."""

    def _temporary(
        self, declaration: TemporaryDecl, domain: tuple[int, int, int], numbers: Mapping[str, Array]
    ) -> FieldView:
        view = ReferenceStencil._temporary(self, declaration, domain, numbers)
        view.array[...] = np.nan if is_float(declaration.dtype) else 77
        return view


@dataclass(frozen=True, slots=True)
class _Outcome:
    call: Call
    error: str


def _programs(chunk: int) -> list[Program]:
    indices = range(chunk * CHUNK, min(COUNT, (chunk + 1) * CHUNK))
    return [program(SEED, index, EVERYTHING if index % 4 == 0 else ORDINARY) for index in indices]


def _apply(rules: tuple[Pass, ...], ir: Stencil) -> Stencil:
    for rule in rules:
        ir = rule(ir)
        verify(ir, after=rule.__name__)
    return ir


def _assert_same(item: Program, rules: tuple[Pass, ...], expected: _Outcome) -> None:
    """*rules* change neither results nor the failed check, and touch nothing that was not touched.

    Dead statements run on the domain whatever they did before, so they go first.
    """
    ir = eliminate_dead_code(_apply(rules, item.ir))
    _assert_no_more_reach(item, ir, rules)
    actual = _outcome(ir, item.call)
    assert actual.error == expected.error, _text(item, rules)
    if not expected.error:
        assert_same_memory(actual.call, expected.call, _text(item, rules))


def _assert_no_more_reach(item: Program, ir: Stencil, rules: tuple[Pass, ...]) -> None:
    before, after = reaches(item.ir), reaches(ir)
    bounds = {name: value for name, value in item.call.scalars.items() if isinstance(value, int)}
    for field in item.ir.parameters:
        if isinstance(field, FieldDecl):
            inner = bounding_box(after[field.name], item.call.domain, bounds)
            outer = bounding_box(before[field.name], item.call.domain, bounds)
            assert inner is None or (outer is not None and _holds(outer, inner)), _text(item, rules)


def _holds(outer: Box, inner: Box) -> bool:
    return all(a <= b and c >= d for (a, c), (b, d) in zip(outer, inner, strict=True))


def _outcome(ir: Stencil, call: Call) -> _Outcome:
    """The arrays after a run and the failed check with its point and values; NaN compares by text."""
    result = call.copied()
    error = run(build(BACKEND, ir, Options(), Path()), ir, result)
    return _Outcome(result, f"{error} {error.index} {error.values}" if error else "")


def _text(item: Program, rules: tuple[Pass, ...]) -> str:
    ir, steps = item.ir, list[str]()
    for rule in rules:
        ir = rule(ir)
        steps.append(f"after {rule.__name__}:\n{to_text(ir)}")
    return "\n".join([explain(item.ir, item.call, {"program": (item.seed, item.index)}), *steps])

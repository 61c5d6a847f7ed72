"""The Numba back end against the reference: the same bits on random stencils, arrays of all layouts."""

from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given

from backends import numba_cpu, reference
from backends.base import Options
from iir.dtypes import DType, numpy_dtype
from iir.expressions import Binary, Call, Constant, Expr, FieldAccess, NativeFunction, Operator
from iir.interval import FULL
from iir.nodes import DoMethod, FieldDecl, LoopOrder, MultiStage, Stage, Stencil
from iir.passes import DEFAULT
from iir.pipeline import run as run_passes
from iir.statements import Assign
from tests import random_calls, rule_programs
from tests.running import assert_same_memory, build, explain, run
from tests.strategies import COUNT, EVERYTHING, SEED, Program, mixed_program, stencils_and_calls

CHUNK: Final = 25
CHUNKS: Final = range(-(-COUNT // CHUNK))
COMPILED: Final = range(0, COUNT, max(1, COUNT // 8))
PLAIN: Final = Options(parallel=False, jit=False)
PLAIN_PARALLEL: Final = Options(parallel=True, jit=False)
FLOATS: Final = (DType.FLOAT32, DType.FLOAT64)
FOR_LARGE_FIELDS: Final = {"prefetch_from": 0, "stream_from": 0}
"""Options that let kernels treat small fields as large ones."""


@pytest.mark.parametrize("chunk", CHUNKS)
def test_uncompiled_kernels_and_reference_agree_bit_for_bit(chunk: int, tmp_path: Path) -> None:
    for index in range(chunk * CHUNK, min(COUNT, (chunk + 1) * CHUNK)):
        item = mixed_program(SEED, index)
        for options in (PLAIN, PLAIN_PARALLEL, replace(PLAIN, **FOR_LARGE_FIELDS)):
            _assert_agreement(item, options, tmp_path)


@given(stencils_and_calls(EVERYTHING))
def test_uncompiled_kernels_and_reference_agree_on_shrinkable_programs(
    tmp_path_factory: pytest.TempPathFactory, item: Program
) -> None:
    _assert_agreement(item, PLAIN, tmp_path_factory.getbasetemp() / "shrinkable")


@pytest.mark.parametrize("index", COMPILED)
def test_compiled_kernels_and_reference_agree_bit_for_bit(index: int, tmp_path: Path) -> None:
    """Every other program as if its fields were large."""
    item = mixed_program(SEED, index)
    large = FOR_LARGE_FIELDS if COMPILED.index(index) % 2 else {}
    _assert_agreement(item, replace(Options(parallel=False), **large), tmp_path)


@pytest.mark.parametrize("index", COMPILED[:3])
def test_threads_and_reference_agree_bit_for_bit(index: int, tmp_path: Path) -> None:
    item = mixed_program(SEED, index)
    _assert_agreement(item, Options(parallel=True), tmp_path)


@pytest.mark.parametrize("chunk", CHUNKS)
def test_functions_that_vectorise_agree_bit_for_bit(chunk: int, tmp_path: Path) -> None:
    for index in range(chunk * CHUNK, min(COUNT, (chunk + 1) * CHUNK), 3):
        _assert_agreement(mixed_program(SEED, index), replace(PLAIN, math="vector"), tmp_path)


@pytest.mark.parametrize(
    ("dtype", "math"), [*((dtype, "libm") for dtype in DType), *((dtype, "vector") for dtype in FLOATS)]
)
@pytest.mark.parametrize("jit", [False, True])
def test_every_scalar_rule_has_the_same_bits(dtype: DType, jit: bool, math: str, tmp_path: Path) -> None:
    """All operations of a dtype in one stencil, on all pairs of notable values."""
    rules = [item for item in rule_programs.rule_programs() if item[1].parameters[0].dtype is dtype]
    ir = _joined([program for _, program, _ in rules])
    call = max((call for _, _, call in rules), key=lambda call: call.domain)
    options = Options(parallel=False, jit=jit, math=math)
    _assert_agreement(Program(ir, _with_outputs(ir, call)), options, tmp_path)


@pytest.mark.parametrize("math", ["libm", "vector"])
@pytest.mark.parametrize("dtype", FLOATS)
def test_functions_of_constants_are_not_folded_to_other_bits(dtype: DType, math: str, tmp_path: Path) -> None:
    a = FieldAccess("a")
    constants = [Constant(value, dtype) for value in (2.0, 0.5, 10.0, -1.0, 3.0, 1.0)]
    values: list[Expr] = [
        Call(NativeFunction.EXP, (constants[0],)),
        Call(NativeFunction.LOG, (constants[2],)),
    ]
    for constant in constants:
        values += [Binary(Operator.POW, a, constant), Binary(Operator.POW, constant, a)]
        values.append(Call(NativeFunction.ATAN2, (a, constant)))
    ir = _stencil(dtype, [(value, dtype) for value in values])
    call = next(call for _, rule, call in rule_programs.rule_programs() if rule.parameters[0].dtype is dtype)
    _assert_agreement(Program(ir, _with_outputs(ir, call)), Options(parallel=False, math=math), tmp_path)


def _joined(programs: list[Stencil]) -> Stencil:
    values = []
    for ir in programs:
        (statement,) = ir.multistages[0].stages[0].do_methods[0].body
        assert isinstance(statement, Assign)
        values.append((statement.value, ir.parameters[2].dtype))
    return _stencil(programs[0].parameters[0].dtype, values)


def _stencil(dtype: DType, values: list[tuple[Expr, DType]]) -> Stencil:
    """``out0 = values[0]; out1 = values[1]; ...`` from ``a`` and ``b``."""
    body = tuple(Assign(FieldAccess(f"out{n}"), value) for n, (value, _) in enumerate(values))
    outputs = (FieldDecl(f"out{n}", result) for n, (_, result) in enumerate(values))
    multistage = MultiStage(LoopOrder.PARALLEL, (Stage((DoMethod(FULL, body),)),))
    return Stencil("rules", (FieldDecl("a", dtype), FieldDecl("b", dtype), *outputs), (), (multistage,))


def _with_outputs(ir: Stencil, call: random_calls.Call) -> random_calls.Call:
    """The inputs of *call*, and room for every output of *ir* in the layout of the only one it has."""
    arrays = {name: call.arrays[name] for name in ("a", "b")}
    for item in ir.parameters[2:]:
        likeness = random_calls.memory_of(call.arrays["out"])
        memory = likeness.astype(numpy_dtype(item.dtype))
        arrays[item.name] = memory.reshape(call.arrays["out"].shape)
    return replace(
        call,
        arrays=arrays,
        origins=dict.fromkeys(arrays, (0, 0, 0)),
        layouts=dict.fromkeys(arrays, "C"),
    )


def _assert_agreement(item: Program, options: Options, folder: Path) -> None:
    """The reference runs what the author wrote, Numba what the passes have made of it."""
    expected, actual = item.call.copied(), item.call.copied()
    error = run(build(reference.BACKEND, item.ir, Options(math=options.math), folder), item.ir, expected)
    ir = run_passes(item.ir, DEFAULT)
    failed = run(build(numba_cpu.BACKEND, ir, options, folder), ir, actual)
    text = explain(item.ir, item.call, {"program": (item.seed, item.index), "options": options})
    assert str(failed) == str(error), text
    if error is None:
        assert_same_memory(actual, expected, text)
        return
    assert failed is not None
    assert (failed.index, str(failed.values)) == (error.index, str(error.values)), text

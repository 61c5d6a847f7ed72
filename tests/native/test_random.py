"""Random stencils in object code against the reference: the same bits, the same first failure."""

from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

from backends import reference
from backends.base import Options
from backends.native import NativeSource, build_library, native_library
from iir.passes import DEFAULT
from iir.pipeline import run as run_passes
from tests.native.calls import ERUNTIME, OK, Loaded, Triple, copied, load
from tests.random_calls import Call
from tests.running import build, explain, run, same_bits
from tests.strategies import COUNT, SEED, Program, mixed_program

PROGRAMS: Final = range(0, COUNT, max(1, COUNT // 12))


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Loaded:
    irs = [replace(mixed_program(SEED, index).ir, name=f"program_{index}") for index in PROGRAMS]
    sources = [NativeSource(ir, run_passes(ir, DEFAULT)) for ir in irs]
    library = native_library(sources, "random")
    return load(library, build_library(library, tmp_path_factory.mktemp("random")))


@pytest.mark.parametrize("index", PROGRAMS)
def test_object_code_and_reference_agree_bit_for_bit(index: int, loaded: Loaded, tmp_path: Path) -> None:
    program = mixed_program(SEED, index)
    expected, origin = _with_one_origin(program)
    actual = copied({**expected.arrays, **expected.scalars})
    error = run(build(reference.BACKEND, program.ir, Options(), tmp_path), program.ir, expected)
    failure = loaded.stencil(f"program_{index}")(actual, origin, expected.domain)
    if error is not None:
        assert failure.status == ERUNTIME, failure.text
        assert tuple(failure.index) == error.index
        values = np.array(failure.values[: failure.value_count])
        assert same_bits(values, np.array(error.values, np.float64)).all()
        return
    assert failure.status == OK, failure.text
    for name, array in expected.arrays.items():
        assert same_bits(np.asarray(actual[name]), array).all(), explain(program.ir, expected)


def _with_one_origin(program: Program) -> tuple[Call, Triple]:
    """The program's call on arrays in Fortran's order whose domain begins at the same index in all."""
    call = program.call
    axes = {item.name: item.axes.value for item in program.ir.parameters if item.name in call.arrays}
    starts = {axis: 0 for axis in "IJK"}
    for name, own in call.origins.items():
        starts |= {axis: max(starts[axis], start) for axis, start in zip(axes[name], own, strict=True)}
    arrays: dict[str, Any] = {}
    for name, array in call.arrays.items():
        more = [(starts[axis] - own, 0) for axis, own in zip(axes[name], call.origins[name], strict=True)]
        arrays[name] = np.asarray(np.pad(array, more, mode="edge"), order="F")
    origins = {name: tuple(starts[axis] for axis in axes[name]) for name in arrays}
    moved = Call(call.domain, arrays, origins, call.scalars, {name: "Fortran" for name in arrays})
    return moved, (starts["I"], starts["J"], starts["K"])

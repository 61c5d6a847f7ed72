"""Running a stencil on the arguments of a call, in a back end or in the second interpreter."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from backends.base import Backend, Executable, Options
from iir.diagnostics import CheckError
from iir.dtypes import numpy_dtype
from iir.nodes import FieldDecl, ScalarDecl, Stencil
from iir.printer import to_text
from tests.interpreter import Failure, interpret
from tests.random_calls import Call, memory_of


def build(backend: Backend, ir: Stencil, options: Options, folder: Path) -> Executable:
    """Take *ir* through all steps of *backend*."""
    program = backend.lower(backend.schedule(ir, options), options)
    return backend.build(backend.emit(program, options), options, folder)


def run(executable: Executable, ir: Stencil, call: Call) -> CheckError | None:
    """Run a built *ir*; the arrays of *call* change."""
    fields = [item for item in ir.parameters if isinstance(item, FieldDecl)]
    scalars = [item for item in ir.parameters if isinstance(item, ScalarDecl)]
    numbers = [numpy_dtype(item.dtype).type(call.scalars[item.name]) for item in scalars]
    try:
        executable.prepare(call.shape(ir))([call.arrays[item.name] for item in fields], numbers)
    except CheckError as error:
        return error
    return None


def run_interpreter(ir: Stencil, call: Call) -> Failure | None:
    """Run the second interpreter; the arrays of *call* change."""
    return interpret(ir, call.domain, call.arrays, call.origins, call.scalars)


def assert_same_memory(actual: Call, expected: Call, explanation: str = "") -> None:
    """Every byte of every array is the same, its padding included; any NaN equals any NaN."""
    for name, array in expected.arrays.items():
        different = ~same_bits(memory_of(actual.arrays[name]), memory_of(array))
        if different.any():
            points = np.argwhere(~same_bits(actual.arrays[name], array))
            where = points[:5] - np.array(actual.origins[name])
            message = f"'{name}' differs at {where.tolist()} (relative to the domain)"
            values = [(actual.arrays[name][tuple(p)], array[tuple(p)]) for p in points[:5]]
            raise AssertionError(f"{message}: {values}\n{explanation}")


def same_bits(left: npt.NDArray[Any], right: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Where the bits are the same, or both are NaN."""
    equal: npt.NDArray[np.bool_] = left == right
    if left.dtype.kind != "f":
        return equal
    equal &= np.signbit(left) == np.signbit(right)
    equal |= np.isnan(left) & np.isnan(right)
    return equal


def explain(ir: Stencil, call: Call, extra: Mapping[str, object] | None = None) -> str:
    """What a failed test says about its stencil and call."""
    lines = [to_text(ir), f"domain {call.domain}, scalars {dict(call.scalars)}"]
    for name, array in call.arrays.items():
        lines.append(f"{name}: shape {array.shape}, origin {call.origins[name]}, {call.layouts[name]}")
    lines += [f"{key}: {value}" for key, value in (extra or {}).items()]
    return "\n".join(lines)

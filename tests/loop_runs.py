"""Functions of the loop program before and after the passes that place their arrays, and what they leave."""

from collections.abc import Mapping
from itertools import product
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from backends.base import Options
from backends.loopnest.heap_arguments import heap_arguments
from backends.loopnest.inlining import inline_calls
from backends.loopnest.lane_scratch import privatise_lanes
from backends.loopnest.nodes import Allocate, Function
from backends.loopnest.stack_arrays import Stacked, stack_arrays
from backends.numba_cpu.module_file import import_module_file
from iir.dtypes import numpy_dtype
from tests.loop_interpreter import Block, Interpreter
from tests.random_contents import results_parameter
from tests.random_loops import LARGEST, LENGTH, SIDE_BY_SIDE, LoopProgram
from tests.unit.backends.loopnest.compiled import written

Results: TypeAlias = npt.NDArray[np.float64]


def inlined(program: LoopProgram) -> Function:
    return inline_calls(program.function, program.kernels, lanes=SIDE_BY_SIDE)


def private(program: LoopProgram) -> Function:
    return privatise_lanes(inlined(program))


def stacked(program: LoopProgram) -> Stacked:
    """The function of *program* after all passes."""
    return stack_arrays(private(program), program.policy)


def interpreted(function: Function, program: LoopProgram, width: int = 1) -> tuple[Results, frozenset[str]]:
    """What *function* leaves, and which of its arrays on the heap it has not freed."""
    shape = LENGTH, LENGTH, program.sites
    block = Block("results", shape, dict.fromkeys(product(*map(range, shape)), 0.0))
    n, m = program.sizes
    left = Interpreter(program.kernels, width).call(
        function, {results_parameter().name: block, "n": n, "m": m}
    )
    results = np.zeros(shape)
    for place, value in block.elements.items():
        results[place] = value
    return results, left


def generated(function: Function, program: LoopProgram, options: Options, folder: Path) -> Results:
    """What the code of *function* leaves, with arrays for all that is on the heap."""
    function, workspaces = heap_arguments(function, is_shared=False)
    module = import_module_file(written(function, folder, options))
    results = np.zeros((LENGTH, LENGTH, program.sites), order="F")
    arguments: Mapping[str, Any] = {
        results_parameter().name: results,
        **{item.array: _workspace(item) for item in workspaces},
        **dict(zip("nm", program.sizes, strict=True)),
    }
    getattr(module, function.name)(*(arguments[item.name] for item in function.parameters))
    return results


def _workspace(item: Allocate) -> npt.NDArray[Any]:
    """Large enough in every call."""
    shape = [LARGEST if size.name else size.offset for size in item.sizes]
    return np.full(shape, 77, numpy_dtype(item.dtype), order="F")

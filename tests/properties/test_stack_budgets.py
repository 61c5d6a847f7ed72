"""Where temporaries are makes no difference: on the stack, on the heap, or some here and some there."""

from pathlib import Path
from typing import Final

from backends import numba_cpu
from backends.base import STACK_BUDGET, Options
from backends.numba_cpu.executable import NumbaStencil
from iir.passes import DEFAULT
from iir.pipeline import run as run_passes
from tests.random_calls import Call
from tests.running import assert_same_memory, build, explain, run
from tests.strategies import COUNT, SEED, Program, mixed_program

SAMPLE: Final = range(1, COUNT, 6)


def test_results_on_random_stencils_have_the_same_bits(tmp_path: Path) -> None:
    """Some of the programs must have arrays on the stack, else this shows nothing."""
    different = 0
    for index in SAMPLE:
        item = mixed_program(SEED, index)
        usual, text = _result(item, STACK_BUDGET, tmp_path)
        for budget in (0, 300) if "= stack_unit" in text else ():
            other, other_text = _result(item, budget, tmp_path)
            assert_same_memory(other, usual, explain(item.ir, item.call, {"index": index, "budget": budget}))
            different += other_text != text
    assert different > 10


def _result(item: Program, budget: int, folder: Path) -> tuple[Call, str]:
    """The arrays after a call, and the kernels that were called."""
    call, ir = item.call.copied(), run_passes(item.ir, DEFAULT)
    options = Options(parallel=False, jit=False, stack_budget=budget)
    executable = build(numba_cpu.BACKEND, ir, options, folder)
    assert isinstance(executable, NumbaStencil)
    run(executable, ir, call)
    return call, executable.source.text

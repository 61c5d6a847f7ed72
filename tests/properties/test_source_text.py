"""Random stencils written as Python, read back by the front end: the meaning stays the same."""

from pathlib import Path
from random import Random
from typing import Final

import pytest

from backends.base import Options
from backends.reference import BACKEND
from iir.diagnostics import StencilError
from iir.nodes import Stencil
from iir.verifier import verify
from stencil.frontend import parse
from tests.random_calls import random_call
from tests.random_stencils import random_stencil
from tests.running import assert_same_memory, build, explain, run, run_interpreter
from tests.source_text import for_users, source_of
from tests.strategies import COUNT, ORDINARY, SEED

CHUNK: Final = 25

REJECTED: Final = {
    "undefined-name": "a temporary is read that is stored only where a constant condition never holds",
    "negative-power": "a negative constant is an integer's exponent",
    "declared-late": "a temporary is read before the statement that stores it first",
    "bad-offset": "a plane temporary is read before the statement that declares it",
    "literal-overflow": "a constant is cast to a dtype that cannot hold it",
}
"""What random stencils may hold though no user can write it."""


@pytest.mark.parametrize("chunk", range(-(-COUNT // CHUNK)))
def test_front_end_reads_what_a_stencil_means(chunk: int) -> None:
    for index in range(chunk * CHUNK, min(COUNT, (chunk + 1) * CHUNK)):
        random = Random(f"{SEED}/{index}")
        ir = for_users(random_stencil(random, ORDINARY))
        parsed, text = _parsed(ir)
        if parsed is None:
            continue
        verify(parsed, after="front end")
        call = random_call(random, ir, also=parsed)
        actual, expected = call.copied(), call.copied()
        assert run(build(BACKEND, parsed, Options(), Path()), parsed, actual) is None
        assert run_interpreter(ir, expected) is None
        assert_same_memory(actual, expected, f"{text}\n{explain(ir, call, {'program': (SEED, index)})}")


def test_nearly_all_random_stencils_can_be_written() -> None:
    stencils = [for_users(random_stencil(Random(f"0/{index}"), ORDINARY)) for index in range(100)]
    assert sum(_parsed(ir)[0] is not None for ir in stencils) >= 97


def _parsed(ir: Stencil) -> tuple[Stencil | None, str]:
    """What the front end makes of *ir* written as Python, and the text."""
    definition, text = source_of(ir)
    try:
        return parse(definition).ir, text
    except StencilError as error:
        assert error.kind in REJECTED, f"{error}\n{text}"
        return None, text

"""Random stencils and calls: as Hypothesis strategies, and by number for large runs.

Both draw from the same generators. `program(seed, index)` makes one pair again;
`programs(seed, count)` gives the first *count*.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Final

from hypothesis import strategies as st

from iir.nodes import Stencil
from tests.random_calls import Call, random_call
from tests.random_stencils import Features, random_stencil

SEED: Final = int(os.environ.get("STENCIL_TEST_SEED", "0"))
COUNT: Final = int(os.environ.get("STENCIL_TEST_COUNT", "300"))
"""Which random programs the tests run, and how many; `make deep` asks for more."""
INTENTS: Final = int(os.environ.get("STENCIL_TEST_INTENTS", "300"))
"""How many random programs the tests of intents against brute force draw, all together."""

EVERYTHING: Final = Features(checks=True, external_calls=True)
ORDINARY: Final = Features()


@dataclass(frozen=True, slots=True)
class Program:
    """A stencil, arguments for it, and the seed and number that make both again."""

    ir: Stencil
    call: Call
    seed: int = -1
    index: int = -1


def program(seed: int, index: int, features: Features = ORDINARY) -> Program:
    random = Random(f"{seed}/{index}")
    ir = random_stencil(random, features)
    return Program(ir, random_call(random, ir), seed, index)


def programs(seed: int, count: int, features: Features = ORDINARY) -> Iterator[Program]:
    return (program(seed, index, features) for index in range(count))


def mixed_program(seed: int, index: int) -> Program:
    """Every fourth program may have checks and external calls."""
    return program(seed, index, EVERYTHING if index % 4 == 0 else ORDINARY)


def stencils(features: Features = ORDINARY) -> st.SearchStrategy[Stencil]:
    """Stencils that the front end could have made."""
    return st.randoms(use_true_random=False).map(lambda random: random_stencil(random, features))


@st.composite
def stencils_and_calls(draw: st.DrawFn, features: Features = ORDINARY) -> Program:
    """A stencil and arguments for it."""
    random = draw(st.randoms(use_true_random=False))
    ir = random_stencil(random, features)
    return Program(ir, random_call(random, ir))

"""What each step makes of the catalogue: read a change of these files as code."""

import numpy as np
import pytest

from iir.printer import to_text
from stencil import stencil
from tests.catalogue import CATALOGUE
from tests.golden_files import FOLDER, Golden


@pytest.mark.parametrize("name", CATALOGUE)
def test_each_step_makes_what_it_made(name: str, golden: Golden) -> None:
    f = stencil(backend="numba", parallel=False)(CATALOGUE[name].define(np.float64))
    golden(f"{name}/iir.txt", to_text(f.iir))
    golden(f"{name}/intents.txt", str(f.intents))
    golden(f"{name}/optimized.txt", to_text(f.optimized))
    golden(f"{name}/scheduled.txt", to_text(f.scheduled))
    golden(f"{name}/source.py", f.source)


def test_each_golden_belongs_to_a_stencil_of_the_catalogue() -> None:
    assert {path.name for path in FOLDER.iterdir() if path.name[0].islower()} == set(CATALOGUE)

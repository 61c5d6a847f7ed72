"""The libraries that the tests of this folder share."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from stencil import from_iir, stencil
from stencil.stencil_object import StencilObject
from tests.catalogue import CATALOGUE
from tests.fortran import building, forms, reference_programs


def catalogue_stencils() -> list[StencilObject]:
    """Every entry in both precisions, and what the catalogue lacks."""
    found = []
    for dtype, ending in ((np.float64, "_f64"), (np.float32, "_f32")):
        for name, entry in CATALOGUE.items():
            ir = stencil(entry.define(dtype)).iir
            found.append(from_iir(replace(ir, name=f"{name}{ending}")))
    return found


@pytest.fixture(scope="session")
def catalogue(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return building.shared_library(tmp_path_factory, "catalogue", catalogue_stencils)


@pytest.fixture(scope="session")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Forms of the language, and the reference cases of intents."""
    return building.shared_library(
        tmp_path_factory, "programs", lambda: [*forms.STENCILS, *reference_programs.stencils()]
    )

"""Libraries that many tests use, each built once."""

from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from backends.native import NativeSource, build_library, native_library
from stencil import from_iir, stencil
from stencil.stencil_object import StencilObject
from tests.catalogue import CATALOGUE
from tests.native.calls import Loaded, load
from tests.native.stencils import STENCILS

CatalogueLibraries = Callable[[type[np.generic]], Loaded]


def source(item: StencilObject) -> NativeSource:
    return NativeSource(item.iir, item.optimized)


def build(items: Iterable[StencilObject], name: str, folder: Path) -> Loaded:
    library = native_library([source(item) for item in items], name)
    return load(library, build_library(library, folder))


@pytest.fixture(scope="session")
def catalogue_libraries(tmp_path_factory: pytest.TempPathFactory) -> CatalogueLibraries:
    """One library with all of the catalogue for each dtype."""

    @cache
    def of(dtype: type[np.generic]) -> Loaded:
        items = [stencil(entry.define(dtype)) for entry in CATALOGUE.values()]
        return build(items, f"catalogue_{dtype.__name__}", tmp_path_factory.mktemp("catalogue"))

    return of


@pytest.fixture(scope="session")
def doubles(catalogue_libraries: CatalogueLibraries) -> Loaded:
    return catalogue_libraries(np.float64)


@pytest.fixture(scope="session")
def others(tmp_path_factory: pytest.TempPathFactory) -> Loaded:
    """The library of `tests.native.stencils`."""
    items = [from_iir(text) for text in STENCILS.values()]
    return build(items, "others", tmp_path_factory.mktemp("others"))

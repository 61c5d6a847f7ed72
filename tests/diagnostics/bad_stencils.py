"""Run a bad stencil through the front end and give the text that its author sees."""

import linecache
from types import SimpleNamespace
from typing import Any, Final

import numpy as np

from iir.diagnostics import StencilError, render
from stencil import language
from stencil.annotations import Field, GlobalTable
from stencil.frontend import parse

FILE: Final = "bad.py"
EXTERNALS: Final = {"SCALE": 2.0}
NAMES: Final[dict[str, Any]] = {
    **{name: value for name, value in vars(language).items() if not name.startswith("_")},
    "np": np,
    "Field": Field,
    "GlobalTable": GlobalTable,
    "SIZES": SimpleNamespace(nx=4, ny=5),
    "TABLE": (1, 2),
    "HALF": np.float16(0.5),
}


def message(source: str) -> str:
    """The error of the function ``bad`` in *source*."""
    try:
        parse(definition(source), externals=EXTERNALS)
    except StencilError as problem:
        assert problem.__cause__ is None
        return str(problem)
    raise AssertionError("the stencil was accepted")


def warnings(source: str) -> str:
    """The warnings about the function ``bad`` in *source*."""
    return "\n".join(render(item) for item in parse(definition(source), externals=EXTERNALS).warnings)


def definition(source: str) -> Any:
    """The function ``bad``, with its source where Python looks for it."""
    linecache.cache[FILE] = (len(source), None, source.splitlines(keepends=True), FILE)
    names = dict(NAMES)
    exec(compile(source, FILE, "exec"), names)
    return names["bad"]


def split_case(case: str) -> tuple[str, str]:
    """The source and the expected text of a case, which a line of dashes divides."""
    source, text = case.removeprefix("\n").split("---\n")
    return source, text.rstrip("\n")

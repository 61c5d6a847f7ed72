"""Who may import whom, and what a module may be called."""

import ast
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
PACKAGES: Final = ("iir", "backends", "stencil")
FORBIDDEN_NAMES: Final = frozenset({"util", "utils", "common", "misc", "manager", "managers", "helpers"})
MODULES: Final = tuple(
    sorted(path.relative_to(ROOT) for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
)


def tree_of(path: Path) -> ast.Module:
    return ast.parse((ROOT / path).read_text())


@cache
def imported(path: Path) -> frozenset[str]:
    """The full names of all that a file imports, wherever in it."""
    names: set[str] = set()
    for node in ast.walk(tree_of(path)):
        match node:
            case ast.Import(items):
                names |= {item.name for item in items}
            case ast.ImportFrom(module, items, level):
                assert level == 0 and module, f"{path}:{node.lineno} imports relatively"
                names |= {f"{module}.{item.name}" for item in items}
            case _:
                pass
    return frozenset(names)


def importers(folder: str, *targets: str) -> list[str]:
    """The modules below *folder* that import one of *targets* or something below it."""
    return [
        str(path)
        for path in MODULES
        if path.is_relative_to(folder)
        and any(f"{name}.".startswith(f"{target}.") for name in imported(path) for target in targets)
    ]


def test_iir_is_the_bottom_layer() -> None:
    assert importers("iir", "backends", "stencil") == []


def test_back_ends_know_nothing_of_what_users_import() -> None:
    assert importers("backends", "stencil") == []


def test_only_the_compiler_knows_front_end_and_back_ends() -> None:
    both = set(importers("stencil", "backends")) & set(importers("stencil", "stencil.frontend"))
    assert both <= {"stencil/compiler.py"}
    assert importers("stencil/frontend", "backends") == []


def test_reference_owes_nothing_to_other_back_ends() -> None:
    assert importers("backends/reference", "backends.numba_cpu", "backends.loopnest") == []


def test_importers_are_found() -> None:
    assert "iir/verifier.py" in importers("iir", "iir.printer")
    assert "iir/printer.py" not in importers("iir", "iir.printer")


def test_modules_have_docstrings() -> None:
    assert [str(path) for path in MODULES if not ast.get_docstring(tree_of(path))] == []


def test_modules_have_telling_names() -> None:
    assert [str(path) for path in MODULES if path.stem in FORBIDDEN_NAMES] == []


def test_no_folder_has_the_name_of_a_library_it_imports() -> None:
    found = [str(path) for path in MODULES if importers(str(path), *path.parts[1:-1])]
    assert found == []


NAMES_ALONE: Final = """
import sys
import numpy
before = set(sys.modules)
import stencil
print(*sorted(name for name in set(sys.modules) - before if name.partition(".")[0] in {packages}))
"""


def loaded_by_import(*packages: str) -> list[str]:
    """The modules of *packages* that 'import stencil' loads."""
    code = NAMES_ALONE.format(packages=set(packages))
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.split()


def test_import_of_stencil_loads_no_library() -> None:
    assert loaded_by_import("numba", "sympy", "llvmlite", "rich", "typer", "filelock", "platformdirs") == []


def test_import_of_stencil_loads_the_names_of_the_language_and_no_compiler() -> None:
    assert loaded_by_import(*PACKAGES) == [
        *("iir", "iir.axes", "iir.diagnostics", "iir.span"),
        *("stencil", "stencil.annotations", "stencil.decorator", "stencil.language"),
    ]

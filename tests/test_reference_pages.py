"""Pages that list things list all of them: error codes, and parts of the language that are not built yet."""

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Final

from iir.statements import CheckKind
from stencil.frontend.unsupported import LATER

ROOT: Final = Path(__file__).parents[1]
PACKAGES: Final = ("iir", "backends", "stencil")
CODE_ARGUMENTS: Final = {"Diagnostic": 1, "error": 1, "argument_error": 0}
"""What makes a diagnostic, and which argument of it is the code."""

CODE_ROW: Final = re.compile(r"^\| `([a-z0-9-]+)` \|", re.MULTILINE)
FIRST_CELL: Final = re.compile(r"^\| ([^|]+?) \|", re.MULTILINE)


def test_the_page_on_errors_lists_every_code_and_no_other() -> None:
    listed = CODE_ROW.findall((ROOT / "docs" / "errors.md").read_text())
    assert sorted(set(listed)) == sorted(set(_codes()))


def test_the_page_on_the_language_lists_every_part_that_is_not_built_yet() -> None:
    page = (ROOT / "docs" / "language.md").read_text()
    listed = FIRST_CELL.findall(page[page.index("## Not built yet") :])
    assert sorted(listed[1:]) == sorted(entry.word for entry in LATER.values())


def _codes() -> Iterator[str]:
    """The code of every diagnostic that the packages can make."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            tree = ast.parse(path.read_text())
            for node in ast.walk(tree):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                    yield from _codes_of_call(node, node.func.id, path)


def _codes_of_call(node: ast.Call, name: str, path: Path) -> Iterator[str]:
    if name not in CODE_ARGUMENTS:
        return
    by_name = {keyword.arg: keyword.value for keyword in node.keywords}
    position = CODE_ARGUMENTS[name]
    match by_name["code"] if "code" in by_name else node.args[position]:
        case ast.Constant(str(code)):
            yield code
        case ast.Name("code" | "kind"):
            pass  # the body of a function in CODE_ARGUMENTS, whose calls have the code
        case ast.Name(constant):
            yield getattr(_module(path), constant)
        case ast.Attribute(ast.Attribute(_, "kind"), "value"):
            yield from (kind.value for kind in CheckKind)
        case other:
            raise AssertionError(f"{path}:{node.lineno}: the code is {ast.unparse(other)}")


def _module(path: Path) -> object:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return import_module(".".join(parts))

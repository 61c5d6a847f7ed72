"""``from __externals__ import ...`` at the top of a stencil or function."""

import ast
from typing import Final

from stencil.frontend.errors import error, written
from stencil.frontend.frame import Frame
from stencil.wording import did_you_mean, quoted

_EXTERNALS: Final = "__externals__"
_LANGUAGE: Final = "__gtscript__"


def is_externals_import(node: ast.ImportFrom) -> bool:
    return node.module in (_EXTERNALS, _LANGUAGE) and node.level == 0


def misplaced_import(node: ast.ImportFrom, frame: Frame) -> Exception:
    """The error for an import of externals inside a block."""
    hint = f"Put '{written(node)}' before the first computation."
    return error("Externals are not imported inside a block.", "misplaced", frame.span(node), hints=(hint,))


def read_imports(node: ast.ImportFrom, frame: Frame) -> None:
    """Make the imported externals known; the words of the language are known anyway."""
    if node.module == _LANGUAGE:
        return
    externals = frame.program.externals
    for alias in node.names:
        if alias.name not in externals:
            message = f"External '{alias.name}' is not given."
            note = f"The externals are {quoted(externals)}." if externals else "No externals are given."
            hints = did_you_mean(alias.name, externals) or (f"Pass 'externals={{\"{alias.name}\": ...}}'.",)
            raise error(message, "unknown-external", frame.span(alias), notes=(note,), hints=hints)
        name = alias.asname or alias.name
        if name in frame.names:
            message = f"External '{name}' has the name of a parameter or temporary."
            hint = f"Write 'from __externals__ import {alias.name} as ...'."
            raise error(message, "bad-target", frame.span(alias), hints=(hint,))
        frame.imports[name] = externals[alias.name]

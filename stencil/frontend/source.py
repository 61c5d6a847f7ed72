"""Find the definition of a function in its file, whole and with its place."""

import ast
import linecache
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import FunctionType
from typing import Any

from iir.span import Span
from stencil.frontend.errors import error


@dataclass(frozen=True, slots=True)
class Definition:
    """A function, its syntax tree, and the names of the frame that defined it (for annotations)."""

    function: FunctionType
    node: ast.FunctionDef
    file: str
    names: Mapping[str, object] = field(default_factory=dict, repr=False)

    @property
    def name(self) -> str:
        return self.function.__name__

    def span(self, node: ast.expr | ast.stmt | ast.arg | ast.keyword | ast.alias) -> Span:
        """Where *node* stands."""
        end_line = node.end_lineno or node.lineno
        end_column = node.col_offset if node.end_col_offset is None else node.end_col_offset
        return Span(self.file, node.lineno, node.col_offset, end_line, end_column)

    def header(self) -> Span:
        """From ``def`` to the end of the name."""
        node = self.node
        end = node.col_offset + len(f"def {node.name}".encode())
        return Span(self.file, node.lineno, node.col_offset, node.lineno, end)


def find_definition(
    function: Callable[..., Any], names: Mapping[str, object] | None = None, source: str | None = None
) -> Definition:
    """The definition of *function*; *source* is the text of its file where that cannot be read."""
    plain = _plain_function(function)
    file, line = plain.__code__.co_filename, plain.__code__.co_firstlineno
    text = _file_text(plain, source)
    node = _definition_at(text, line, plain.__code__.co_name)
    if node is None:
        raise _no_source(plain)
    if isinstance(node, ast.AsyncFunctionDef):
        span = Span(file, node.lineno, node.col_offset, node.lineno, node.col_offset + len("async"))
        raise error(
            f"'{node.name}' is an 'async' function.", "unsupported", span, hints=("Use a plain 'def'.",)
        )
    return Definition(plain, node, file, names or {})


def _plain_function(function: object) -> FunctionType:
    seen = 0
    while not isinstance(function, FunctionType) or hasattr(function, "__wrapped__"):
        inner = getattr(function, "__wrapped__", None) or getattr(function, "__func__", None)
        seen += 1
        if inner is None or seen > 100:
            break
        function = inner
    if not isinstance(function, FunctionType):
        word = type(function).__name__
        raise error(
            f"A stencil is made from a function, not from an object of type '{word}'.", "not-a-function", None
        )
    return function


def _file_text(function: FunctionType, source: str | None) -> str:
    file = function.__code__.co_filename
    if source is not None:
        if not linecache.getlines(file):
            linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
        return source
    # Doctest replaces linecache.getlines, notebooks fill its cache: it is the one way to all sources.
    linecache.checkcache(file)
    text = "".join(linecache.getlines(file, function.__globals__))
    if not text:
        raise _no_source(function)
    return text


def _no_source(function: FunctionType) -> Exception:
    name = function.__name__
    if name == "<lambda>":
        hints: tuple[str, ...] = ("Write it as a function with 'def'.",)
    else:
        hints = ("Define it in a file, a notebook or a doctest: 'exec' and 'python -c' keep no source.",)
    return error(f"The source of '{name}' cannot be found.", "no-source", None, hints=hints)


def _definition_at(text: str, line: int, name: str) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    for node in _definitions(text):
        first = min([node.lineno, *(item.lineno for item in node.decorator_list)])
        if first == line and node.name == name:
            return node
    return None


@lru_cache(maxsize=64)
def _definitions(text: str) -> tuple[ast.FunctionDef | ast.AsyncFunctionDef, ...]:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return tuple(node for node in ast.walk(tree) if isinstance(node, kinds))

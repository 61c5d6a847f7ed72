"""Runs the Python in a Markdown page, from top to bottom in one namespace.

A block with ``>>>`` in it is a doctest. Any other Python block is executed; the plain block right after
it, if it begins with ``` ```text ```, is what it must print.
"""

import contextlib
import doctest
import io
import linecache
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

FENCE: Final = re.compile(
    r"^```python\n(?P<code>.*?)^```$(?:\n+^```text\n(?P<output>.*?)^```$)?", re.MULTILINE | re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Block:
    """Code of a page from its line on, and what it must print, if the page says so."""

    line: int
    code: str
    output: str | None


def blocks(page: str) -> Iterator[Block]:
    for match in FENCE.finditer(page):
        yield Block(page.count("\n", 0, match.start()) + 2, match["code"], match["output"])


def run_page(path: Path) -> int:
    """The number of blocks that ran; fails at the first that does not do what the page says."""
    namespace: dict[str, Any] = {"__name__": path.stem}
    count = 0
    for block in blocks(path.read_text()):
        name = f"<{path.name}:{block.line}>"
        if ">>>" in block.code:
            _run_doctest(block, namespace, name, path)
        else:
            _run_code(block, namespace, name)
        count += 1
    return count


def _run_doctest(block: Block, namespace: dict[str, Any], name: str, path: Path) -> None:
    parsed = doctest.DocTestParser().get_doctest(block.code, {}, name, str(path), block.line - 1)
    parsed.globs = namespace
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    report = io.StringIO()
    results = doctest.DocTestRunner(verbose=False, optionflags=flags).run(
        parsed, out=report.write, clear_globs=False
    )
    assert results.failed == 0, report.getvalue()


def _run_code(block: Block, namespace: dict[str, Any], name: str) -> None:
    # Registered so that definitions in it have source, as in a notebook.
    linecache.cache[name] = (len(block.code), None, block.code.splitlines(keepends=True), name)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(block.code, name, "exec"), namespace)
    if block.output is not None:
        got = [line.rstrip() for line in printed.getvalue().strip().splitlines()]
        assert got == [line.rstrip() for line in block.output.strip().splitlines()], printed.getvalue()

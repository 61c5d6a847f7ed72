"""Writes indented text."""

from collections.abc import Iterator
from contextlib import contextmanager


class Writer:
    """Lines of text; nested `block`s mirror the code that is written."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._depth = 0

    def line(self, text: str = "") -> None:
        self._lines.append("    " * self._depth + text if text else "")

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """Lines written inside stand indented below *head*."""
        self.line(head)
        with self.indented():
            yield

    @contextmanager
    def indented(self) -> Iterator[None]:
        """Lines written inside stand one step to the right."""
        self._depth += 1
        yield
        self._depth -= 1

    @property
    def column(self) -> int:
        """Where the next line begins."""
        return 4 * self._depth

    @property
    def text(self) -> str:
        return "".join(f"{line}\n" for line in self._lines)

"""Text in C source."""

from collections.abc import Iterator
from contextlib import contextmanager

from backends.writer import Writer


@contextmanager
def function(w: Writer, head: str) -> Iterator[None]:
    """A function whose body is written inside."""
    w.line(head)
    with w.block("{"):
        yield
    w.line("}")


def c_string(text: str) -> str:
    """*text* as a string literal; what is not plain ASCII stands as octal escapes of UTF-8."""
    return f'"{"".join(map(_escaped, text.encode()))}"'


def _escaped(byte: int) -> str:
    letter = chr(byte)
    # Two question marks may begin a trigraph.
    is_plain = 0x20 <= byte < 0x7F and letter not in '"\\?'
    return letter if is_plain else f"\\{byte:03o}"


def comment_text(text: str) -> str:
    """*text* as it may stand in a comment."""
    return text.replace("*/", "* /").replace("/*", "/ *")


def c_sum(name: str, offset: int) -> str:
    """*name* plus a constant."""
    if offset == 0:
        return name
    return f"{name} + {offset}" if offset > 0 else f"{name} - {-offset}"

"""The textual form of what the front end makes of a function."""

from collections.abc import Callable
from textwrap import dedent
from typing import Any

from iir.printer import to_text
from iir.verifier import verify
from stencil.frontend import parse


def whole(function: Callable[..., Any], **options: Any) -> str:
    """All of the text."""
    ir = parse(function, **options).ir
    verify(ir, after="parse")
    return to_text(ir)


def statements(function: Callable[..., Any], **options: Any) -> str:
    """The statements of a stencil with one interval."""
    lines = whole(function, **options).splitlines()
    starts = [number for number, line in enumerate(lines) if line.strip().startswith("do [")]
    assert len(starts) == 1
    return dedent("\n".join(lines[starts[0] + 1 :])).strip()


def temporaries(function: Callable[..., Any], **options: Any) -> dict[str, str]:
    """The declared dtype and axes of each temporary."""
    found = parse(function, **options).ir.temporaries
    return {item.name: f"{item.dtype.value}[{item.axes.value}]" for item in found}

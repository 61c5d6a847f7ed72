"""How the front end makes its errors."""

import ast

from iir.diagnostics import Diagnostic, StencilError
from iir.span import Span
from stencil.wording import are, clipped, counted


def error(
    message: str,
    code: str,
    span: Span | None,
    label: str = "",
    *,
    notes: tuple[str, ...] = (),
    hints: tuple[str, ...] = (),
) -> StencilError:
    """The error to raise; the span is None only where there is no source."""
    return StencilError(Diagnostic(message, code, span, label, notes, hints))


def written(node: ast.AST) -> str:
    """How a message quotes a piece of the source."""
    return clipped(ast.unparse(node))


def check_count(name: str, given: int, least: int, most: int | None, span: Span) -> None:
    """Raise the error if *name* is given too few or too many arguments; *most* None is any number."""
    if least <= given and (most is None or given <= most):
        return
    if most is None:
        needed = f"{least} or more arguments"
    elif most > least:
        needed = f"{least} to {most} arguments" if most > least + 1 else f"{least} or {most} arguments"
    else:
        needed = counted(least, "argument")
    raise error(f"'{name}' takes {needed}, but {given} {are(given)} given.", "wrong-arguments", span)

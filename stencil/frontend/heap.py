"""``t: Field[float] = heap(...)``: a temporary that the user wants on the heap."""

import ast

from iir.span import Span
from stencil import language
from stencil.frontend import calls
from stencil.frontend.errors import check_count, error
from stencil.frontend.frame import Bound, Frame, Variable
from stencil.frontend.unsupported import unsupported


def is_heap(value: ast.expr | None, frame: Frame) -> bool:
    """Whether a declaration's right-hand side is ``heap(...)``."""
    if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Name | ast.Attribute):
        return False
    return calls.callee(value.func, frame) is language.heap


def first_value(value: ast.expr, frame: Frame) -> ast.expr | None:
    """What a declaration with ``heap(...)`` assigns, if anything."""
    assert isinstance(value, ast.Call)
    if value.keywords:
        message = "'heap' takes no keyword arguments."
        raise error(message, "wrong-arguments", frame.span(value.keywords[0]))
    check_count("heap", len(value.args), 0, 1, frame.span(value))
    for item in value.args:
        if isinstance(item, ast.Starred):
            raise unsupported(item, frame.span(item))
    return value.args[0] if value.args else None


def check_no_argument(target: ast.Name, frame: Frame) -> None:
    """Raise the error for an argument that is wanted on the heap."""
    meant, program = frame.names.get(target.id), frame.program
    is_field = isinstance(meant, Variable) and meant.name in program.fields
    if is_field or isinstance(meant, Bound):
        message = f"Argument '{target.id}' cannot be kept on the heap."
        hint = "Declare a temporary of another name."
        raise error(message, "bad-target", frame.span(target), "the caller's", hints=(hint,))


def misplaced_heap(span: Span) -> Exception:
    """The error for ``heap(...)`` that is no declaration's right-hand side."""
    message = "'heap' stands in the declaration of a temporary only."
    hint = "Write 't: Field[float] = heap()' or 't: Field[float] = heap(value)'."
    return error(message, "misplaced", span, hints=(hint,))

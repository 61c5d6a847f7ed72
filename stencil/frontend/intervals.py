"""The bounds of ``interval(...)``."""

import ast

from iir.dtypes import is_integer
from iir.expressions import Operator
from iir.interval import Anchor, Bound, Interval
from iir.span import Span
from stencil.frontend import expressions
from stencil.frontend.drafts import Apply, Draft, Literal, Scalar
from stencil.frontend.errors import error
from stencil.frontend.frame import Frame, Object
from stencil.frontend.unsupported import unsupported
from stencil.wording import are

_EVERYTHING = "Write 'interval(...)' for all levels or 'interval(start, end)'."


def interval(node: ast.Call, frame: Frame) -> Interval:
    """The levels of an ``interval(...)``."""
    span = frame.span(node)
    if node.keywords:
        message = "'interval' takes no keyword arguments."
        raise error(message, "bad-interval", frame.span(node.keywords[0]), hints=(_EVERYTHING,))
    match node.args:
        case [ast.Constant(value)] if value is ...:
            return Interval(Bound(Anchor.START, span=span), Bound(Anchor.END, span=span), span=span)
        case [start, end]:
            found = Interval(_bound(start, Anchor.START, frame), _bound(end, Anchor.END, frame), span=span)
            _check_not_empty(found, span)
            return found
        case _:
            given = len(node.args)
            message = f"'interval' takes two bounds or '...', but {given} {are(given)} given."
            raise error(message, "bad-interval", span, hints=(_EVERYTHING,))


def is_one_level(found: Interval) -> bool:
    """Whether the interval has one level in every domain."""
    start, end = found.start, found.end
    return isinstance(start.anchor, Anchor) and start.anchor is end.anchor and end.offset - start.offset == 1


def _bound(node: ast.expr, default: Anchor, frame: Frame) -> Bound:
    span = frame.span(node)
    if isinstance(node, ast.Constant | ast.Name | ast.Attribute):
        meant = expressions.meaning(node, frame)
        if isinstance(meant, Object) and meant.value is None:
            return Bound(default, span=span)
    elif isinstance(node, ast.Starred | ast.Slice):
        raise unsupported(node, span)
    scalar, distance = _affine(expressions.expression(node, frame), frame, span)
    anchor = scalar or (Anchor.END if distance < 0 else Anchor.START)
    if abs(distance) >= 2**31:
        raise error("This bound is too large.", "bad-interval", span)
    return Bound(anchor, distance, span=span)


def _affine(value: Draft, frame: Frame, span: Span) -> tuple[str | None, int]:
    """A bound as an integer scalar parameter, or none, plus a constant."""
    match value:
        case Literal(int() as number) if not isinstance(number, bool):
            return None, number
        case Scalar(name) if is_integer(frame.program.scalars[name].dtype):
            return name, 0
        case Scalar(name):
            message = f"Scalar '{name}' bounds an interval but is no integer."
            hint = f"Declare it as '{name}: int'."
            raise error(message, "bad-interval", span, "a number with a fraction", hints=(hint,))
        case Apply(Operator.ADD | Operator.SUB as operator, (left, right)):
            return _sum(operator, left, right, frame, span)
        case _:
            raise _not_a_bound(span)


def _sum(operator: Operator, left: Draft, right: Draft, frame: Frame, span: Span) -> tuple[str | None, int]:
    first, distance = _affine(left, frame, span)
    second, more = _affine(right, frame, span)
    if operator is Operator.SUB:
        if second is not None:
            raise _not_a_bound(span)
        return first, distance - more
    if first is not None and second is not None:
        raise _not_a_bound(span)
    return first or second, distance + more


def _not_a_bound(span: Span) -> Exception:
    message = "This is not a bound of an interval."
    hint = "Use a whole number, 'None', an external, or an integer scalar parameter plus a constant."
    return error(message, "bad-interval", span, hints=(hint,))


def _check_not_empty(found: Interval, span: Span) -> None:
    start, end = found.start, found.end
    same = start.anchor == end.anchor and start.offset >= end.offset
    # From the end up to a level below the first: empty in every domain.
    backwards = start.anchor is Anchor.END and end.anchor is Anchor.START and end.offset <= 0
    if same or backwards:
        message = "This interval holds no level in any domain."
        note = "Its end is not part of an interval; negative bounds count from the end of the domain."
        hint, label = "The first bound is the lower one.", "ends at or below its start"
        raise error(message, "empty-interval", span, label, notes=(note,), hints=(hint,))

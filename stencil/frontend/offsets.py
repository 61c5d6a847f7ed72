"""Subscripts: constant offsets, by position or by axis."""

import ast
from collections.abc import Iterator, Mapping
from typing import Any, Final

from iir.expressions import Offset
from iir.nodes import Axes
from iir.span import Span
from stencil.frontend import expressions
from stencil.frontend.drafts import Draft, Literal, Read, displace, reads
from stencil.frontend.errors import error, written
from stencil.frontend.frame import Bound, Frame, Meaning, Object, Variable, axes_of, center, check_size
from stencil.frontend.unsupported import later, unsupported
from stencil.language import AxesName
from stencil.wording import are, counted

MAX_OFFSET: Final = 2**31 - 1
_RUN_TIME: Final = "known at run time only"
_SINGLE: Final = (Axes.I, Axes.J, Axes.K)


def subscript(node: ast.Subscript, frame: Frame) -> Meaning:
    """``base[...]``: a field displaced, or an entry of a Python object."""
    span = frame.span(node)
    match expressions.meaning(node.value, frame):
        case Object(value):
            return _entry(value, node, frame)
        case _ if isinstance(node.value, ast.Subscript):
            raise later("data-dimensions", span)
        case _ if not isinstance(node.value, ast.Name | ast.Attribute):
            message = "Only a field can be read at an offset."
            hint = "Assign the expression to a temporary first."
            raise error(message, "offset-on-expression", span, hints=(hint,))
        case Variable(name):
            axes = frame.program.axes(name).value
            return Bound(_moved(center(name, span), constant_offset(node, axes, frame), span, frame))
        case Bound(value, saved):
            axes = axes_of(value, frame.program)
            if not axes:
                message = f"'{written(node.value)}' is a scalar and cannot be read at an offset."
                raise error(message, "offset-on-scalar", span, "one value everywhere")
            return Bound(_argument(value, saved, constant_offset(node, axes, frame), span, frame))


def _argument(value: Draft, saved: str | None, offset: dict[str, int], span: Span, frame: Frame) -> Draft:
    """A parameter displaced: its saved value if that is known at the other point, else computed there."""
    in_place = not offset.get("K") and not (frame.masked and any(offset.values()))
    if saved is not None and in_place:
        return Read(saved, Offset(offset.get("I", 0), offset.get("J", 0), 0), span)
    return _moved(value, offset, span, frame)


def _moved(value: Draft, offset: Mapping[str, int], span: Span, frame: Frame) -> Draft:
    check_size(value, span)
    move = {}
    for read in reads(value):
        own = frame.program.axes(read.name).value
        move[read.name] = Offset(*(offset.get(axis, 0) if axis in own else 0 for axis in "IJK"))
    return displace(value, move, span)


def constant_offset(node: ast.Subscript, axes: str, frame: Frame) -> dict[str, int]:
    """The offset on each of *axes*."""
    items = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    for item in items:
        if isinstance(item, ast.Slice | ast.Starred):
            raise unsupported(item, frame.span(item))
    parts = [_by_axis(item, frame) for item in items]
    for item, part in zip(items, parts, strict=True):
        if part is None and _names_axis(item, frame):
            raise _no_distance(item, frame)
    if any(part is not None for part in parts):
        return _by_axes(node, axes, frame)
    if len(items) != len(axes):
        raise _wrong_number(node, axes, len(items), frame)
    return {axis: _constant(item, axis, frame) for axis, item in zip(axes, items, strict=True)}


def _by_axes(node: ast.Subscript, axes: str, frame: Frame) -> dict[str, int]:
    """Offsets written as ``I + 1, K - 2``."""
    offset: dict[str, int] = {}
    items = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    for item in items:
        found = _by_axis(item, frame)
        span = frame.span(item)
        if found is None:
            hint = f"Write all offsets with axes, as in '{written(node.value)}[I + 1, J - 1]'."
            raise error("Offsets with and without axes are mixed.", "bad-offset", span, hints=(hint,))
        axis, distance = found
        if axis in offset:
            raise error(f"Axis '{axis}' is given twice.", "bad-offset", span)
        if axis not in axes:
            message = f"'{written(node.value)}' has no axis '{axis}'."
            raise error(message, "bad-offset", span, notes=(f"Its axes are '{axes}'.",))
        offset[axis] = distance
    return offset


def _by_axis(item: ast.expr, frame: Frame) -> tuple[str, int] | None:
    """The axis and distance of ``I``, ``I + 1``, ``1 + I``, ``I - 1``; None if no axis is named."""
    match item:
        case ast.Name():
            axis = _axis(item, frame)
            return None if axis is None else (axis, 0)
        case ast.BinOp(left, ast.Add() | ast.Sub(), right) if _names_axis(left, frame) and _names_axis(
            right, frame
        ):
            return None
        case ast.BinOp(left, ast.Add(), right) if (axis := _axis(right, frame)) is not None:
            return axis, _constant(left, axis, frame)
        case ast.BinOp(left, ast.Add() | ast.Sub() as sign, right):
            axis = _axis(left, frame)
            if axis is None:
                return None
            distance = _constant(right, axis, frame)
            return axis, distance if isinstance(sign, ast.Add) else -distance
        case _:
            return None


def _names_axis(item: ast.expr, frame: Frame) -> bool:
    """Whether arithmetic in *item* is done with an axis."""
    match item:
        case ast.BinOp(left, _, right):
            return _names_axis(left, frame) or _names_axis(right, frame)
        case ast.UnaryOp(_, operand):
            return _names_axis(operand, frame)
        case _:
            return _axis(item, frame) is not None


def _no_distance(item: ast.expr, frame: Frame) -> Exception:
    message = "An offset on an axis is the axis plus or minus a whole number."
    hint = "Write 'I + 1' or 'K - 2', or a number for each axis, as in '1, 0, -2'."
    return error(message, "bad-offset", frame.span(item), hints=(hint,))


def _axis(node: ast.expr, frame: Frame) -> str | None:
    """The axis that a name stands for, unless a parameter or temporary has that name."""
    if not isinstance(node, ast.Name) or node.id in frame.names:
        return None
    match expressions.meaning(node, frame):
        case Object(AxesName(axes=axes)) if axes in _SINGLE:
            return str(axes.value)
        case _:
            return None


def _constant(item: ast.expr, axis: str, frame: Frame) -> int:
    span = frame.span(item)
    if isinstance(item, ast.Constant) and not isinstance(item.value, int | float | complex):
        raise error("An offset is a whole number.", "bad-offset", span)
    match expressions.expression(item, frame):
        case Literal(value) if isinstance(value, int) and not isinstance(value, bool):
            if abs(value) > MAX_OFFSET:
                raise error("This offset is too large.", "bad-offset", span)
            return value
        case Literal():
            raise error("An offset is a whole number.", "bad-offset", span)
        case _ if axis == "K":
            raise later("runtime-offset", span)
        case _:
            message = f"An offset on axis '{axis}' must be known when the stencil is built."
            hint = "Use a whole number or an external."
            raise error(message, "bad-offset", span, _RUN_TIME, hints=(hint,))


def _wrong_number(node: ast.Subscript, axes: str, given: int, frame: Frame) -> Exception:
    name = written(node.value)
    example = ", ".join(["1", *["0"] * (len(axes) - 1)])
    message = f"'{name}' takes {counted(len(axes), 'offset')}, but {given} {are(given)} given."
    note = f"Its axes are '{axes}'."
    hint = f"Write '{name}[{example}]'."
    return error(message, "bad-offset", frame.span(node), notes=(note,), hints=(hint,))


def _entry(value: Any, node: ast.Subscript, frame: Frame) -> Meaning:
    """An entry of a Python object, read when the stencil is built."""
    span = frame.span(node)
    if isinstance(value, AxesName):
        raise later("index-value", span)
    keys = tuple(_keys(node.slice, frame))
    try:
        found = value[keys if isinstance(node.slice, ast.Tuple) else keys[0]]
    except Exception:  # the user's object may raise anything
        message = f"'{written(node.value)}' has no such entry."
        raise error(message, "bad-attribute", span) from None
    return expressions.of_object(found, span)


def _keys(node: ast.expr, frame: Frame) -> Iterator[object]:
    for item in node.elts if isinstance(node, ast.Tuple) else [node]:
        if isinstance(item, ast.Constant) and isinstance(item.value, str):
            yield item.value
            continue
        match expressions.expression(item, frame):
            case Literal(value):
                yield value
            case _:
                message = "An index into a Python object must be known when the stencil is built."
                raise error(message, "bad-offset", frame.span(item), _RUN_TIME)

"""Dtypes and field types as users spell them in annotations and casts."""

import ast
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from iir.dtypes import DType, from_numpy
from iir.nodes import Axes
from iir.span import Span
from stencil.annotations import FieldType
from stencil.frontend.errors import error
from stencil.frontend.names import annotation_names
from stencil.frontend.source import Definition
from stencil.frontend.unsupported import later
from stencil.language import AxesName
from stencil.wording import did_you_mean

NAMES: Final = ("bool", "int8", "int16", "int32", "int64", "float32", "float64")


def find_dtype(spelt: object, dtypes: Mapping[Any, Any]) -> DType | None:
    """The dtype that *spelt* names, through the user's *dtypes* first; None if it is none."""
    for _ in range(2):
        try:
            spelt = dtypes.get(spelt, spelt)
        except TypeError:
            return None
    if isinstance(spelt, DType):
        return spelt
    kinds = (np.generic, bool, int, float)
    if not isinstance(spelt, str | np.dtype) and not (isinstance(spelt, type) and issubclass(spelt, kinds)):
        return None
    try:
        return from_numpy(np.dtype(spelt))
    except TypeError:
        return None


def dtype_at(spelt: object, dtypes: Mapping[Any, Any], span: Span) -> DType:
    """The dtype that *spelt* names, or the error that it is none."""
    found = find_dtype(spelt, dtypes)
    if found is not None:
        return found
    text = spelt if isinstance(spelt, str) else getattr(spelt, "__name__", None) or _shown(spelt)
    known = ", ".join(NAMES)
    known_names = (*NAMES, *(key for key in dtypes if isinstance(key, str)))
    hints = did_you_mean(text, known_names) or (f"Use one of {known}, or a name given in 'dtypes='.",)
    raise error(f"'{text}' is not a dtype of the language.", "unknown-dtype", span, hints=hints)


def axes_and_dtype(field: FieldType, dtypes: Mapping[Any, Any], span: Span) -> tuple[Axes, DType]:
    """What a field annotation says, or the error that it is none."""
    match field:
        case FieldType(dtype=AxesName() as axes, data_dims=()):
            message = f"A field on '{axes!r}' needs a dtype."
            hint = f"Write 'Field[{axes!r}, float64]'."
        case FieldType(data_dims=AxesName() as axes):
            message = "The axes of a field come before its dtype."
            hint = f"Write 'Field[{axes!r}, ...]'."
        case FieldType(axes, dtype, ()):
            return axes, dtype_at(dtype, dtypes, span)
        case _:
            raise later("data-dimensions", span)
    raise error(message, "bad-annotation", span, hints=(hint,))


def evaluate_annotation(node: ast.expr, definition: Definition, dtypes: Mapping[Any, Any]) -> object:
    """The object that the annotation *node* stands for, in the names of the defining frame."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return evaluate_text(node.value, node, definition, dtypes)
    return evaluate_text(ast.unparse(node), node, definition, dtypes)


def evaluate_text(text: str, node: ast.expr, definition: Definition, dtypes: Mapping[Any, Any]) -> object:
    """As `evaluate_annotation`, for the annotation's text."""
    if text in dtypes:
        return text
    names = annotation_names(definition)
    try:
        return eval(text, dict(dtypes_by_name(dtypes)), names)
    except Exception as problem:  # the user's expression may raise anything
        span = definition.span(node)
        missing = getattr(problem, "name", None) if isinstance(problem, NameError) else None
        hints = did_you_mean(missing, (*names, *dtypes_by_name(dtypes))) if missing else ()
        reason = f"{type(problem).__name__}: {problem}"
        message = "This annotation cannot be evaluated."
        raise error(message, "bad-annotation", span, notes=(reason,), hints=hints) from None


def dtypes_by_name(dtypes: Mapping[Any, Any]) -> dict[str, Any]:
    return {key: value for key, value in dtypes.items() if isinstance(key, str)}


def _shown(value: object) -> str:
    try:
        return repr(value)
    except Exception:  # a foreign class may raise anything
        return type(value).__name__

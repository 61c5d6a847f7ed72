"""The parameters of a stencil: fields and scalars, from names, annotations and defaults."""

import ast
import inspect
from collections.abc import Mapping
from typing import Any

from iir.dtypes import DType, is_float
from iir.nodes import Axes, FieldDecl, Parameter, ScalarDecl
from iir.span import Span
from stencil.annotations import FieldType, TableType
from stencil.frontend.constants import convert, literal
from stencil.frontend.dtype_names import (
    axes_and_dtype,
    dtype_at,
    evaluate_annotation,
    evaluate_text,
    find_dtype,
)
from stencil.frontend.errors import error
from stencil.frontend.source import Definition
from stencil.frontend.unsupported import later


def declarations(definition: Definition, dtypes: Mapping[Any, Any]) -> tuple[Parameter, ...]:
    """The parameters of a stencil as the IIR declares them, in the order of its signature."""
    arguments = definition.node.args
    for star, words in ((arguments.vararg, "'*'"), (arguments.kwarg, "'**'")):
        if star is not None:
            message = f"A stencil has no {words} parameters."
            hint = "Name each field and scalar."
            raise error(message, "bad-parameter", definition.span(star), hints=(hint,))
    defaults = default_values(definition)
    nodes = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
    return tuple(_declaration(node, defaults, definition, dtypes) for node in nodes)


def signature(definition: Definition) -> inspect.Signature:
    """How a stencil is called: names, kinds and defaults of its parameters."""
    arguments = definition.node.args
    defaults = default_values(definition)
    kinds = (
        (arguments.posonlyargs, inspect.Parameter.POSITIONAL_ONLY),
        (arguments.args, inspect.Parameter.POSITIONAL_OR_KEYWORD),
        (arguments.kwonlyargs, inspect.Parameter.KEYWORD_ONLY),
    )
    return inspect.Signature(
        [
            inspect.Parameter(node.arg, kind, default=defaults.get(node.arg, inspect.Parameter.empty))
            for nodes, kind in kinds
            for node in nodes
        ]
    )


def default_values(definition: Definition) -> dict[str, object]:
    """The defaults of a function's parameters, by name."""
    function, arguments = definition.function, definition.node.args
    positional = [node.arg for node in (*arguments.posonlyargs, *arguments.args)]
    values = function.__defaults__ or ()
    last = positional[len(positional) - len(values) :]
    return {**dict(zip(last, values, strict=False)), **(function.__kwdefaults__ or {})}


def _declaration(
    node: ast.arg, defaults: Mapping[str, object], definition: Definition, dtypes: Mapping[Any, Any]
) -> Parameter:
    span = definition.span(node)
    if node.annotation is None:
        message = f"Parameter '{node.arg}' has no annotation."
        hint = f"Write '{node.arg}: Field[float]' for a field or '{node.arg}: float' for a scalar."
        raise error(message, "bad-parameter", span, "a field or a scalar?", hints=(hint,))
    annotation = _annotation(node, node.annotation, definition, dtypes)
    dtype, axes = _kind(annotation, definition.span(node.annotation), dtypes)
    if node.arg in defaults:
        written = _default_node(node, definition.node.args)
        _check_default(node.arg, defaults[node.arg], dtype, axes, definition.span(written or node))
    if axes is None:
        return ScalarDecl(node.arg, dtype, span=span)
    return FieldDecl(node.arg, dtype, axes, span=span)


def _default_node(node: ast.arg, arguments: ast.arguments) -> ast.expr | None:
    """Where the default of a parameter is written."""
    positional = [*arguments.posonlyargs, *arguments.args]
    with_default = positional[len(positional) - len(arguments.defaults) :]
    pairs = [*zip(with_default, arguments.defaults, strict=True)]
    found = {id(item): default for item, default in pairs}
    for item, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        if default is not None:
            found[id(item)] = default
    return found.get(id(node))


def _annotation(
    node: ast.arg, written: ast.expr, definition: Definition, dtypes: Mapping[Any, Any]
) -> object:
    try:
        value = definition.function.__annotations__[node.arg]
    except Exception:  # annotations are evaluated on request from Python 3.14 on, and may raise anything
        return evaluate_annotation(written, definition, dtypes)
    return evaluate_text(value, written, definition, dtypes) if isinstance(value, str) else value


def _kind(annotation: object, span: Span, dtypes: Mapping[Any, Any]) -> tuple[DType, Axes | None]:
    match annotation:
        case FieldType():
            axes, dtype = axes_and_dtype(annotation, dtypes, span)
            return dtype, axes
        case TableType():
            raise later("tables", span)
        case _ if find_dtype(annotation, dtypes) is None and not isinstance(annotation, str):
            message = "This annotation is neither a field nor the dtype of a scalar."
            hint = "Write 'Field[float]' for a field or 'float' for a scalar."
            raise error(message, "bad-annotation", span, hints=(hint,))
        case _:
            return dtype_at(annotation, dtypes, span), None


def _check_default(name: str, default: object, dtype: DType, axes: Axes | None, span: Span) -> None:
    if default is None:
        raise later("optional-fields", span)
    if axes is not None:
        raise error(f"Field '{name}' cannot have a default.", "bad-parameter", span)
    number = literal(default, span)
    is_fraction = number is not None and isinstance(number.value, float) and not is_float(dtype)
    if number is None or is_fraction or convert(number.value, dtype) is None:
        message = f"The default of scalar '{name}' is not a number of its dtype."
        raise error(message, "bad-parameter", span)

"""Calls: native functions, casts, compile-time words, and functions of the user's."""

import ast
from collections.abc import Callable
from typing import Any, Final

from iir.dtypes import DType
from iir.expressions import TWO_ARGUMENTS, NativeFunction
from stencil import language
from stencil.frontend import expressions, functions, heap
from stencil.frontend.constants import convert
from stencil.frontend.drafts import Convert, Draft, Literal
from stencil.frontend.dtype_names import find_dtype
from stencil.frontend.errors import check_count, error, written
from stencil.frontend.frame import Frame, Object
from stencil.frontend.names import MISSING, NATIVE_FUNCTIONS, native_function, native_name, resolve
from stencil.frontend.unsupported import alternative, later
from stencil.wording import did_you_mean

_LATER: Final = {"call": "call", "check": "check", "region": "horizontal", "horizontal": "horizontal"}
_FOLDED: Final = frozenset({NativeFunction.MIN, NativeFunction.MAX})
_WEAK_CASTS: Final[dict[object, Callable[[Any], Any]]] = {int: int, float: float}


def call(node: ast.Call, frame: Frame) -> tuple[Draft, ...]:
    """The values of a call."""
    value = callee(node.func, frame)
    if isinstance(value, language.Function):
        return functions.inline(node, value, frame)
    name = native_name(value)
    if name is not None:
        return (_native(name, node, frame),)
    dtype = find_dtype(value, {}) if isinstance(value, type) else None
    if dtype is not None:
        return (_cast(value, dtype, node, frame),)
    raise _not_callable(value, node, frame)


def callee(node: ast.expr, frame: Frame) -> object:
    """The Python object that is called."""
    if isinstance(node, ast.Attribute) and node.attr == "at":
        raise later("absolute-index", frame.span(node))
    if not isinstance(node, ast.Name | ast.Attribute):
        message = "Only a function given by its name can be called."
        raise error(message, "unknown-function", frame.span(node))
    if isinstance(node, ast.Name) and _is_unknown(node.id, frame):
        hints = did_you_mean(node.id, _function_names(frame))
        raise error(
            f"Function '{node.id}' is not defined.", "unknown-function", frame.span(node), hints=hints
        )
    match expressions.meaning(node, frame):
        case Object(value):
            return value
        case _:
            message = f"'{written(node)}' is a field or a number and cannot be called."
            raise error(message, "unknown-function", frame.span(node))


def arguments(node: ast.Call, frame: Frame) -> list[ast.expr]:
    """The positional arguments of a call that takes no others."""
    if node.keywords:
        message = "A native function takes no keyword arguments."
        raise error(message, "wrong-arguments", frame.span(node.keywords[0]))
    return node.args


def _is_unknown(name: str, frame: Frame) -> bool:
    known = name in frame.names or name in frame.imports
    return not known and resolve(frame.definition, name) is MISSING


def _function_names(frame: Frame) -> list[str]:
    function = frame.definition.function
    visible = [name for name, value in function.__globals__.items() if isinstance(value, language.Function)]
    return [*NATIVE_FUNCTIONS, "pow", *visible, *frame.imports]


def _not_callable(value: object, node: ast.Call, frame: Frame) -> Exception:
    name = written(node.func)
    span = frame.span(node.func)
    if value is language.heap:
        return heap.misplaced_heap(span)
    for word in ("computation", "interval", "horizontal"):
        if value is getattr(language, word):
            message = f"'{word}' stands in a 'with' statement only."
            return error(message, "misplaced", span, hints=(f"Write 'with {word}(...):'.",))
    if not callable(value):
        word = type(value).__name__
        return error(f"'{name}' is a '{word}' and cannot be called.", "unknown-function", span)
    is_python = hasattr(value, "__code__")
    hint = alternative(value) or (
        f"Decorate '{name}' with '@function'." if is_python else "Use a native function."
    )
    return error(f"'{name}' is not a function of the language.", "unknown-function", span, hints=(hint,))


def _native(name: str, node: ast.Call, frame: Frame) -> Draft:
    span = frame.span(node)
    if name in _LATER:
        raise later(_LATER[name], span)
    if name in {"__INLINED", "compile_assert"}:
        return compile_time(name, node, frame)
    function = native_function(name)
    values = [expressions.expression(item, frame) for item in arguments(node, frame)]
    if name == "pow":
        check_count(name, len(values), 2, 2, span)
        return expressions.power(values[0], values[1], span)
    assert function is not None
    least = 2 if function in TWO_ARGUMENTS else 1
    check_count(name, len(values), least, None if function in _FOLDED else least, span)
    return expressions.apply(function, tuple(values), span)


def compile_time(name: str, node: ast.Call, frame: Frame) -> Literal:
    """``__INLINED(condition)``, ``compile_assert(condition)``: the condition, which must be known."""
    items = arguments(node, frame)
    check_count(name, len(items), 1, 2 if name == "compile_assert" else 1, frame.span(node))
    value = expressions.expression(items[0], frame)
    if not isinstance(value, Literal):
        message = f"The condition of '{name}' is not known when the stencil is built."
        hint = "Use constants and externals only."
        raise error(message, "not-constant", frame.span(items[0]), "known at run time only", hints=(hint,))
    return value


def _cast(spelt: object, dtype: DType, node: ast.Call, frame: Frame) -> Draft:
    items, span = arguments(node, frame), frame.span(node)
    name = written(node.func)
    check_count(name, len(items), 1, 1, span)
    value = expressions.expression(items[0], frame)
    if not isinstance(value, Literal):
        return Convert(dtype, value, span)
    converted = convert(value.value, dtype)
    if converted is None:
        raise error(f"This number does not fit into '{name}'.", "literal-overflow", frame.span(items[0]))
    # As in Python, int(2.5) and float(2) are numbers without a width.
    is_weak = value.dtype is None and spelt in (int, float)
    return Literal(converted, None if is_weak else dtype, span)

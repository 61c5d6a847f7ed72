"""What a name of the user's Python means, apart from parameters and temporaries."""

import builtins
import math
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from iir.axes import LoopOrder
from iir.expressions import NativeFunction
from stencil import annotations, language
from stencil.frontend.source import Definition

MISSING: Final = object()

_UNNAMED: Final = frozenset({NativeFunction.POW2, NativeFunction.POW3, NativeFunction.POW4})
NATIVE_FUNCTIONS: Final[Mapping[str, NativeFunction]] = {
    item.value: item for item in NativeFunction if item not in _UNNAMED
}
"""The functions of the IIR that users call, by name."""

_WORDS: Final = (language.Native, language.AxesName, LoopOrder)

LANGUAGE: Final[Mapping[str, object]] = {
    **{name: value for name, value in vars(language).items() if isinstance(value, _WORDS)},
    **{name: getattr(language, name) for name in ("computation", "interval", "horizontal", "heap")},
    **{name: getattr(language, name) for name in ("int8", "int16", "int32", "int64", "float32", "float64")},
    **{name: language.Native(name) for name in (*NATIVE_FUNCTIONS, "pow", "__INLINED")},
    "Field": annotations.Field,
    "GlobalTable": annotations.GlobalTable,
}
"""Names that need no import inside a stencil."""

_NUMPY_NAMES: Final = {
    "arcsin": "asin",
    "arccos": "acos",
    "arctan": "atan",
    "arctan2": "atan2",
    "arcsinh": "asinh",
    "arccosh": "acosh",
    "arctanh": "atanh",
    "minimum": "min",
    "maximum": "max",
    "power": "pow",
    "abs": "abs",
}
_SHARED: Final = (
    *("sqrt", "cbrt", "exp", "log", "log10", "sin", "cos", "tan", "sinh", "cosh", "tanh"),
    *("fmod", "floor", "ceil", "trunc", "isnan", "isinf", "isfinite"),
)
"""Functions that have one name in `math`, in NumPy and here."""
_MATH_ONLY: Final = (
    *("asin", "acos", "atan", "atan2", "asinh", "acosh", "atanh"),
    *("erf", "erfc", "gamma", "pow"),
)
_SAME_AS: Final[Mapping[object, str]] = {
    **{getattr(np, theirs): ours for theirs, ours in _NUMPY_NAMES.items()},
    **{getattr(np, name): name for name in (*_SHARED, "mod")},
    **{getattr(math, name): name for name in (*_SHARED, *_MATH_ONLY)},
    **{getattr(builtins, name): name for name in ("abs", "min", "max", "round", "pow")},
    math.fabs: "abs",
}


def resolve(definition: Definition, name: str) -> object:
    """The object that *name* stands for in the body of *definition*, or MISSING."""
    for namespace in (_closure(definition), definition.function.__globals__, _builtins(definition), LANGUAGE):
        if name in namespace:
            return namespace[name]
    return definition.names.get(name, MISSING)


def annotation_names(definition: Definition) -> dict[str, Any]:
    """The names that an annotation of *definition* may use: those of the defining frame come first."""
    return {
        **LANGUAGE,
        **_builtins(definition),
        **definition.function.__globals__,
        **definition.names,
        **_closure(definition),
    }


def native_name(value: object) -> str | None:
    """The language's name for a callable: its own words, and the like of builtins, math and NumPy."""
    if isinstance(value, language.Native):
        return value.name
    try:
        return _SAME_AS.get(value)
    except TypeError:
        return None


def native_function(name: str) -> NativeFunction | None:
    return NATIVE_FUNCTIONS.get(name)


def visible_names(definition: Definition) -> set[str]:
    """Names that the user may have meant."""
    return {*_closure(definition), *definition.function.__globals__, *LANGUAGE, "abs", "min", "max"}


def _closure(definition: Definition) -> dict[str, object]:
    function = definition.function
    found: dict[str, object] = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            found[name] = cell.cell_contents
        except ValueError:  # not assigned yet
            continue
    return found


def _builtins(definition: Definition) -> dict[str, object]:
    found = definition.function.__globals__.get("__builtins__", builtins)
    return found if isinstance(found, dict) else vars(found)

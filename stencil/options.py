"""What a user may choose about a stencil: keyword arguments, then the environment, then defaults."""

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

import numpy as np

from backends.base import STACK_BUDGET, Options
from iir.diagnostics import Diagnostic, InvalidIIRError, StencilError
from iir.nodes import Stencil
from stencil.wording import did_you_mean, quoted, shown

Pass: TypeAlias = Callable[[Stencil], Stencil]

_FAST: Final = ("afn", "arcp", "contract", "nsz", "reassoc")
_NAMES: Final = (
    "backend",
    "parallel",
    "fastmath",
    "math",
    "stack_arrays",
    "tune",
    "jit",
    "passes",
    "rebuild",
)
_MATH: Final = ("libm", "vector")
LARGEST_STACK_BUDGET: Final = 4 << 20
"""Half of the stack that threads usually have."""

_OWN_PASSES: Final = (
    "The passes are those of 'passes=': a schedule needs the rules that 'iir.passes.DEFAULT' establishes."
)
_WORDS: Final[Mapping[str, bool | str]] = {
    "auto": "auto",
    **dict.fromkeys(("1", "true", "yes", "on"), True),
    **dict.fromkeys(("0", "false", "no", "off"), False),
}


@dataclass(frozen=True, slots=True)
class Settings:
    """The choices of one stencil.

    *passes* None are the back end's own; *rebuild* ignores what the disk cache holds.
    """

    backend: str
    options: Options
    passes: tuple[Pass, ...] | None = None
    rebuild: bool = False


def default_settings() -> Settings:
    """The defaults, as the environment (STENCIL_BACKEND and the like) changes them."""
    parallel = os.environ.get("STENCIL_PARALLEL", "auto")
    if parallel.lower() not in _WORDS:
        raise _error(f"STENCIL_PARALLEL must be 'auto', 'on' or 'off': {parallel!r} given.")
    math = os.environ.get("STENCIL_MATH", "libm")
    if math.lower() not in _MATH:
        raise _error(f"STENCIL_MATH must be 'libm' or 'vector': {math!r} given.")
    tune = os.environ.get("STENCIL_TUNE", "off")
    is_tuned = _WORDS.get(tune.lower())
    if not isinstance(is_tuned, bool):
        raise _error(f"STENCIL_TUNE must be 'on' or 'off': {tune!r} given.")
    options = Options(parallel=_WORDS[parallel.lower()], math=math.lower(), tune=is_tuned)
    return Settings(os.environ.get("STENCIL_BACKEND", "numba"), options)


def changed_settings(settings: Settings, given: Mapping[str, Any]) -> Settings:
    """*settings* with the choices that *given* names."""
    for name in given:
        if name not in _NAMES:
            hints = did_you_mean(name, _NAMES) or (f"The options are {quoted(_NAMES)}.",)
            raise _error(f"There is no option '{name}'.", *hints)
    old = settings.options
    options = replace(
        old,
        parallel=_parallel(given.get("parallel", old.parallel)),
        fastmath=_fastmath(given.get("fastmath", old.fastmath)),
        math=_math(given.get("math", old.math)),
        jit=_switch("jit", given.get("jit", old.jit)),
        tune=_switch("tune", given.get("tune", old.tune)),
        stack_budget=_stack_budget(given["stack_arrays"]) if "stack_arrays" in given else old.stack_budget,
    )
    return Settings(
        backend=_backend(given.get("backend", settings.backend)),
        options=options,
        passes=_passes(given.get("passes", settings.passes)),
        rebuild=_switch("rebuild", given.get("rebuild", settings.rebuild)),
    )


def with_passes_named(error: InvalidIIRError, settings: Settings) -> InvalidIIRError:
    """*error* of a schedule, which says so if the user has chosen the passes."""
    if settings.passes is None:
        return error
    hints = (*error.diagnostic.hints, _OWN_PASSES)
    return InvalidIIRError(replace(error.diagnostic, hints=hints))


def named_objects(word: str, given: Any) -> dict[str, Any]:
    """*given* as a dictionary, or the error that it maps no names to objects."""
    named = _dictionary(given)
    if named is None or not all(isinstance(name, str) for name in named):
        raise _error(
            f"'{word}' must be a mapping from names to objects: {shown(given)} given.",
            f"Pass {word}={{'name': ...}}.",
        )
    return named


def dtype_names(given: Any) -> dict[Any, Any]:
    """*given* as a dictionary, or the error that it maps nothing to dtypes."""
    named = _dictionary(given)
    if named is None:
        raise _error(
            f"'dtypes' must be a mapping from names to dtypes: {shown(given)} given.",
            "Pass dtypes={'real': np.float64}.",
        )
    return named


def stencil_name(given: Any) -> str | None:
    """*given*, or the error that it is no text; None is the function's own name."""
    if given is None or isinstance(given, str):
        return given
    raise StencilError(
        Diagnostic(
            f"The name of a stencil must be a string: {shown(given)} given.",
            "bad-name",
            hints=("Pass name='...', a Python identifier.",),
        )
    )


def _dictionary(given: Any) -> dict[Any, Any] | None:
    if given is None:
        return {}
    try:
        return dict(given) if isinstance(given, Mapping) else None
    except Exception:  # a foreign mapping may raise anything
        return None


def _backend(value: Any) -> str:
    if not isinstance(value, str):
        raise _error(f"Option 'backend' must be the name of a back end: {shown(value)} given.")
    return value


def _parallel(value: Any) -> bool | str:
    if isinstance(value, bool | np.bool_):
        return bool(value)
    if isinstance(value, str) and value == "auto":
        return value
    raise _error(f"Option 'parallel' must be 'auto', True or False: {shown(value)} given.")


def _fastmath(value: Any) -> frozenset[str]:
    names = None if isinstance(value, str) else _items(value)
    if names is None or not all(isinstance(name, str) and name in _FAST for name in names):
        raise _error(
            f"Option 'fastmath' must be a set of {quoted(_FAST)}: {shown(value)} given.",
            "By default no flag is set, and every back end gives the same bits.",
        )
    return frozenset(names)


def _math(value: Any) -> str:
    if isinstance(value, str) and value in _MATH:
        return value
    raise _error(f"Option 'math' must be 'libm' or 'vector': {shown(value)} given.")


def _stack_budget(value: Any) -> int:
    """The bytes that *value* grants: True is the default."""
    if isinstance(value, bool | np.bool_):
        return STACK_BUDGET if value else 0
    if isinstance(value, int | np.integer) and 0 <= value <= LARGEST_STACK_BUDGET:
        return int(value)
    raise _error(
        f"Option 'stack_arrays' must be True, False or a number of bytes: {shown(value)} given.",
        f"At most {LARGEST_STACK_BUDGET} bytes of a thread's stack are safe.",
    )


def _passes(value: Any) -> tuple[Pass, ...] | None:
    if value is None:
        return None
    passes = _items(value)
    if passes is None or not all(map(callable, passes)):
        raise _error(f"Option 'passes' must list functions from IIR to IIR: {shown(value)} given.")
    return passes


def _items(value: Any) -> tuple[Any, ...] | None:
    try:
        return tuple(value) if isinstance(value, Iterable) else None
    except Exception:  # a foreign collection may raise anything
        return None


def _switch(name: str, value: Any) -> bool:
    if isinstance(value, bool | np.bool_):
        return bool(value)
    raise _error(f"Option '{name}' must be True or False: {shown(value)} given.")


def _error(message: str, *hints: str) -> StencilError:
    return StencilError(Diagnostic(message, "option", hints=hints))

"""What a user may choose about a stencil: keyword arguments, then the environment, then defaults."""

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from backends.base import Options
from iir.diagnostics import Diagnostic, StencilError
from iir.nodes import Stencil
from stencil.wording import did_you_mean, quoted

Pass: TypeAlias = Callable[[Stencil], Stencil]

_FAST: Final = ("afn", "arcp", "contract", "nsz", "reassoc")
_NAMES: Final = ("backend", "parallel", "fastmath", "jit", "passes", "rebuild")
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
    """The defaults, as the environment (STENCIL_BACKEND, STENCIL_PARALLEL) changes them."""
    parallel = os.environ.get("STENCIL_PARALLEL", "auto")
    if parallel.lower() not in _WORDS:
        raise _error(f"STENCIL_PARALLEL must be 'auto', 'on' or 'off': {parallel!r} given.")
    options = Options(parallel=_WORDS[parallel.lower()])
    return Settings(os.environ.get("STENCIL_BACKEND", "numba"), options)


def changed_settings(settings: Settings, given: Mapping[str, Any]) -> Settings:
    """*settings* with the choices that *given* names."""
    for name in given:
        if name not in _NAMES:
            hints = did_you_mean(name, _NAMES) or (f"The options are {quoted(_NAMES)}.",)
            raise _error(f"There is no option '{name}'.", *hints)
    old = settings.options
    options = Options(
        parallel=_parallel(given.get("parallel", old.parallel)),
        fastmath=_fastmath(given.get("fastmath", old.fastmath)),
        jit=_switch("jit", given.get("jit", old.jit)),
    )
    return Settings(
        backend=_backend(given.get("backend", settings.backend)),
        options=options,
        passes=_passes(given.get("passes", settings.passes)),
        rebuild=_switch("rebuild", given.get("rebuild", settings.rebuild)),
    )


def _backend(value: Any) -> str:
    if not isinstance(value, str):
        raise _error(f"Option 'backend' must be the name of a back end: {value!r} given.")
    return value


def _parallel(value: Any) -> bool | str:
    if value in (True, False, "auto"):
        return value if value == "auto" else bool(value)
    raise _error(f"Option 'parallel' must be 'auto', True or False: {value!r} given.")


def _fastmath(value: Any) -> frozenset[str]:
    names = frozenset(value) if isinstance(value, Iterable) and not isinstance(value, str) else None
    if names is None or not names <= frozenset(_FAST):
        raise _error(
            f"Option 'fastmath' must be a set of {quoted(_FAST)}: {value!r} given.",
            "By default no flag is set, and every back end gives the same bits.",
        )
    return names


def _passes(value: Any) -> tuple[Pass, ...] | None:
    if value is None:
        return None
    if isinstance(value, Iterable):
        passes = tuple(value)
        if all(map(callable, passes)):
            return passes
    raise _error(f"Option 'passes' must list functions from IIR to IIR: {value!r} given.")


def _switch(name: str, value: Any) -> bool:
    if value in (True, False):
        return bool(value)
    raise _error(f"Option '{name}' must be True or False: {value!r} given.")


def _error(message: str, *hints: str) -> StencilError:
    return StencilError(Diagnostic(message, "option", hints=hints))

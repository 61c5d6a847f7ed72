"""Stencils as decorated Python functions."""

from builtins import abs, max, min, pow, round  # noqa: UP029 - users import them with the others
from importlib import import_module
from typing import TYPE_CHECKING, Any

from iir.diagnostics import ArgumentError, BackendError, CheckError, StencilError, StencilWarning
from stencil.annotations import Field, GlobalTable
from stencil.decorator import from_iir, stencil
from stencil.language import (
    BACKWARD,
    FORWARD,
    IJ,
    IJK,
    IK,
    JK,
    PARALLEL,
    I,
    J,
    K,
    acos,
    acosh,
    asin,
    asinh,
    atan,
    atan2,
    atanh,
    cbrt,
    ceil,
    computation,
    cos,
    cosh,
    erf,
    erfc,
    exp,
    float32,
    float64,
    floor,
    fmod,
    function,
    gamma,
    heap,
    horizontal,
    int8,
    int16,
    int32,
    int64,
    interval,
    isfinite,
    isinf,
    isnan,
    log,
    log10,
    mod,
    region,
    round_away_from_zero,
    sin,
    sinh,
    sqrt,
    tan,
    tanh,
    trunc,
)

if TYPE_CHECKING:
    from iir.analyses.intents import AccessMode as AccessMode
    from iir.analyses.intents import Intent as Intent
    from iir.analyses.intents import Region as Region
    from stencil.storage import empty as empty
    from stencil.storage import from_array as from_array
    from stencil.storage import full as full
    from stencil.storage import ones as ones
    from stencil.storage import zeros as zeros

__all__ = [
    "BACKWARD",
    "FORWARD",
    "IJ",
    "IJK",
    "IK",
    "JK",
    "PARALLEL",
    "ArgumentError",
    "BackendError",
    "CheckError",
    "Field",
    "GlobalTable",
    "I",
    "J",
    "K",
    "StencilError",
    "StencilWarning",
    "abs",
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cbrt",
    "ceil",
    "computation",
    "cos",
    "cosh",
    "erf",
    "erfc",
    "exp",
    "float32",
    "float64",
    "floor",
    "fmod",
    "from_iir",
    "function",
    "gamma",
    "heap",
    "horizontal",
    "int8",
    "int16",
    "int32",
    "int64",
    "interval",
    "isfinite",
    "isinf",
    "isnan",
    "log",
    "log10",
    "max",
    "min",
    "mod",
    "pow",
    "region",
    "round",
    "round_away_from_zero",
    "sin",
    "sinh",
    "sqrt",
    "stencil",
    "tan",
    "tanh",
    "trunc",
]

# The modules of names that come when they are asked for: SymPy takes longer to import than all else
# together, and who allocates nothing needs no allocators.
_LATER = {
    **dict.fromkeys(("AccessMode", "Intent", "Region"), "iir.analyses.intents"),
    **dict.fromkeys(("empty", "from_array", "full", "ones", "zeros"), "stencil.storage"),
}

for _error in (ArgumentError, BackendError, CheckError, StencilError, StencilWarning):
    # A traceback names them as users import them; they live in the bottom layer, which raises them.
    _error.__module__ = __name__


def __getattr__(name: str) -> Any:
    if name in _LATER:
        return getattr(import_module(_LATER[name]), name)
    raise AttributeError(f"module 'stencil' has no attribute '{name}'")

"""What the compiler makes of a case, ready to be called."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from typing import Any, Final

from benchmarks.cases import DTYPES, Arguments, Case
from iir.base import Node
from iir.expressions import Binary, Call, NativeFunction, Operator
from iir.printer import to_text
from iir.traversal import walk
from stencil import stencil
from tests.catalogue import CATALOGUE

VARIANTS: Final[Mapping[str, Mapping[str, Any]]] = {"default": {}, "math='vector'": {"math": "vector"}}
"""Options by name; the first is what is compared."""
FUNCTIONS: Final = (NativeFunction.EXP, NativeFunction.LOG)


def our_calls(
    case: Case, arguments: Arguments, *, parallel: bool
) -> Iterator[tuple[str, Callable[[], object]]]:
    """Frozen calls, without the checks of each call: these have a benchmark of their own."""
    for variant in VARIANTS:
        f = our_stencil(case.kernel, case.dtype_name, variant, parallel=parallel)
        if f is not None:
            frozen = f.freeze(domain=case.domain, origin=arguments.origin)
            yield variant, partial(frozen, **arguments.values)


@cache
def our_stencil(kernel: str, dtype: str, variant: str = "default", *, parallel: bool) -> Any:
    """None if the variant makes no difference: it is for stencils with functions."""
    f = stencil(backend="numba", parallel=parallel)(CATALOGUE[kernel].define(DTYPES[dtype]))
    if not VARIANTS[variant]:
        return f
    return f.with_options(**VARIANTS[variant]) if any(map(_is_function, walk(f.iir))) else None


def _is_function(node: Node) -> bool:
    match node:
        case Call(function):
            return function in FUNCTIONS
        case Binary(operator):
            return operator is Operator.POW
        case _:
            return False


def decisions(kernel: str, dtype: str) -> tuple[str, ...]:
    """The schedule of each multistage and the storage of each temporary, as lines of text."""
    f = our_stencil(kernel, dtype, parallel=False)
    lines = map(str.strip, to_text(f.scheduled).splitlines())
    schedules = (line for line in lines if line.startswith("multistage"))
    in_registers = [name for name, storage in f.storage.items() if storage.kind in ("none", "register")]
    others = (_storage_text(name, s) for name, s in f.storage.items() if name not in in_registers)
    return (*schedules, *others, f"in registers or recomputed: {', '.join(in_registers) or 'none'}")


def _storage_text(name: str, storage: Any) -> str:
    size = "" if storage.bytes is None else f", {storage.bytes} bytes"
    return f"{name}: {storage.kind} on the {storage.place}{size} ({storage.rule})"

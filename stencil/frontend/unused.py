"""Temporaries that are written and never read: misspelt outputs, probably."""

from collections.abc import Collection, Iterable, Iterator, Mapping

from iir.diagnostics import Diagnostic
from stencil.frontend.drafts import Computation, Draft, Temporary, conditions, reads, stores
from stencil.wording import did_you_mean


def unused_temporaries(
    computations: Collection[Computation], temporaries: Mapping[str, Temporary], fields: Iterable[str]
) -> tuple[Diagnostic, ...]:
    """A warning for each temporary of the user's that only its own assignments read, if any do."""
    read = {name for store in stores(computations) for name in _names(store.value) if name != store.name}
    read.update(name for value in conditions(computations) for name in _names(value))
    outputs = tuple(fields)
    return tuple(
        _warning(item, outputs)
        for item in temporaries.values()
        if item.span is not None and item.name not in read
    )


def _names(draft: Draft) -> Iterator[str]:
    return (read.name for read in reads(draft))


def _warning(temporary: Temporary, fields: tuple[str, ...]) -> Diagnostic:
    hints = did_you_mean(temporary.name, fields) or ("Remove it, or make it a parameter of the stencil.",)
    message = f"Temporary '{temporary.name}' is written and never read."
    return Diagnostic(message, "write-only", temporary.span, "a temporary, not an output", (), hints)

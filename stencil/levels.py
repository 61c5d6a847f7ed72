"""The levels of a call: enough for every interval, and run-time bounds inside them."""

from collections.abc import Mapping

from iir.analyses.required_levels import intervals
from iir.diagnostics import ArgumentError, Diagnostic
from iir.interval import Bound, bound_level
from iir.nodes import Stencil
from stencil.argument_error import ARGUMENT, DOMAIN, argument_error
from stencil.wording import counted


def refuse_few_levels(needed: int, given: int) -> None:
    """A domain of *given* levels has those that the constant intervals name."""
    if given < needed:
        raise argument_error(
            DOMAIN,
            f"The domain has too few levels: {needed} needed, {given} given.",
            hints=(f"Pass a domain of at least {counted(needed, 'level')}, and arrays to match.",),
            side="k-high",
            needed=needed,
            given=given,
        )


def refuse_bounds(ir: Stencil, nk: int, scalars: Mapping[str, int]) -> None:
    """Each run-time bound of an interval lies in [0, nk]."""
    for interval in intervals(ir):
        for bound in (interval.start, interval.end):
            level = bound_level(bound, nk, scalars) if isinstance(bound.anchor, str) else 0
            if not 0 <= level <= nk:
                raise _outside(bound, level, nk, scalars)


def _outside(bound: Bound, level: int, nk: int, scalars: Mapping[str, int]) -> ArgumentError:
    name = str(bound.anchor)
    text = f"{name} {'+' if bound.offset > 0 else '-'} {abs(bound.offset)}" if bound.offset else name
    diagnostic = Diagnostic(
        f"The interval bound '{text}' lies outside the domain: 0 to {nk} needed, {level} given.",
        ARGUMENT,
        span=bound.span,
        label=f"{level} for {name} = {scalars[name]}",
        notes=(f"The domain has {counted(nk, 'level')}, and {name} = {scalars[name]}.",),
    )
    return ArgumentError(diagnostic, field=name, needed=(0, nk), given=level)

"""The error of a run-time check that failed inside a kernel."""

from collections.abc import Sequence

from iir.diagnostics import CheckError, Diagnostic
from iir.statements import Check


def check_error(
    check: Check, index: tuple[int, int, int], values: Sequence[bool | int | float]
) -> CheckError:
    """The error for *check* failing at *index* (i, j, k relative to the domain) with *values*."""
    place = f"({check.span.file}:{check.span.line})" if check.span else ""
    message = f"fatal stencil error{place}: {check.message % tuple(values)}"
    return CheckError(Diagnostic(message, check.kind.value, check.span), index, values)

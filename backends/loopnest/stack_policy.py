"""What may go on the stack."""

from dataclasses import dataclass
from typing import Final

from backends.base import STACK_BUDGET

NATIVE_BUDGET: Final = 128 * 1024
"""The same in libraries that programs link: their threads may have small stacks."""


@dataclass(frozen=True, slots=True)
class StackPolicy:
    """*budget*: bytes for the arrays of one kernel, 0 if none is to be there; *largest*: for one of them, if
    there is such a limit.

    Arrays of a size that only a call knows take none of the budget here: the caller counts them.
    """

    budget: int = STACK_BUDGET
    run_time_sizes: bool = True
    largest: int | None = None


NO_STACK: Final = StackPolicy(budget=0)
DEVICE: Final = StackPolicy(run_time_sizes=False, largest=1024)
"""For accelerators, whose threads have little memory of their own."""


def innermost(*policies: StackPolicy | None) -> StackPolicy:
    """The last of *policies*, outermost first, that somebody has chosen."""
    chosen = [policy for policy in policies if policy is not None]
    return chosen[-1] if chosen else StackPolicy()

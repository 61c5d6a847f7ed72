"""The rules that decide whether an array is on the stack."""

from enum import Enum


class Rule(Enum):
    """Why an array is where it is."""

    MUST_BE_HEAP = "The user wants it on the heap."
    ESCAPED = "Code outside the stencil may reach it."
    NOT_SURELY_FREED = "It is not freed on every way out of the kernel."
    SWITCHED_OFF = "The policy puts nothing on the stack."
    RUN_TIME_SIZE = "Its size is known in a call only, and the policy wants to know it before."
    TOO_LARGE = "It is larger than what the policy puts on the stack."
    OVER_BUDGET = "The arrays before it have left too little of the stack's budget."
    FREED_ELSEWHERE = "It is allocated where each iteration gives the stack back, and freed in another block."
    INTERVENING_ALLOCATION = "It is allocated anew in each iteration, with another array in between."
    CONSTANT_SIZE = "Its size is constant: it is in the kernel's frame from the beginning."
    KNOWN_SIZE = "Its size is known once, before any loop."
    SAVED_AND_RESTORED = "Each iteration gives the stack back."

    def __repr__(self) -> str:
        return f"Rule.{self.name}"

    @property
    def is_for_stack(self) -> bool:
        """Whether an array is on the stack for which this rule decides; it is on the heap if not."""
        return self in (Rule.CONSTANT_SIZE, Rule.KNOWN_SIZE, Rule.SAVED_AND_RESTORED)

"""The bottom layer: the intermediate representation, its analyses and passes."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from iir.analyses.intents import intents as intents


def __getattr__(name: str) -> Any:
    # Only who asks for intents waits for what they import.
    if name == "intents":
        from iir.analyses.intents import intents

        return intents
    raise AttributeError(f"module 'iir' has no attribute '{name}'")

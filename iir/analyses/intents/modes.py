"""Access mode and intent: two properties of a field at a node."""

from enum import Enum


class AccessMode(Enum):
    """Whether a node reads a field, writes it, or both, in whatever order."""

    NONE = "none"
    READ = "read"
    WRITE = "write"
    READ_WRITE = "read-write"

    def __str__(self) -> str:
        return self.value

    def __repr__(self) -> str:
        return f"AccessMode.{self.name}"


class Intent(Enum):
    """Whether values that a field has on entry to a node are seen, and whether any are changed."""

    NONE = "none"
    IN = "in"
    OUT = "out"
    INOUT = "inout"

    def __str__(self) -> str:
        return self.value

    def __repr__(self) -> str:
        return f"Intent.{self.name}"


def intent_of(is_seen: bool, is_changed: bool) -> Intent:
    if is_seen:
        return Intent.INOUT if is_changed else Intent.IN
    return Intent.OUT if is_changed else Intent.NONE


def access_mode_of(is_read: bool, is_written: bool) -> AccessMode:
    if is_read:
        return AccessMode.READ_WRITE if is_written else AccessMode.READ
    return AccessMode.WRITE if is_written else AccessMode.NONE

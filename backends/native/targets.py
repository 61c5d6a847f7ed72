"""The processors that libraries can be made for."""

import platform
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from iir.diagnostics import BackendError, Diagnostic

DEFAULT_TARGET: Final = "x86-64-v3"


@dataclass(frozen=True, slots=True)
class Target:
    """A kind of processor.

    *machine* is its architecture and *cpu* LLVM's name for it, both None for the processor that the
    compiler runs on. *flags* make a C compiler use the same instructions.
    """

    name: str
    machine: str | None
    cpu: str | None
    flags: tuple[str, ...]

    @property
    def is_foreign(self) -> bool:
        """Whether the C compiler of this machine makes code for another architecture."""
        return self.machine is not None and self.machine != platform.machine()

    @property
    def triple(self) -> str | None:
        """LLVM's name for the platform; None for this one."""
        return f"{self.machine}-unknown-linux-gnu" if self.is_foreign else None


TARGETS: Final = MappingProxyType(
    {
        target.name: target
        for target in (
            Target("native", None, None, ("-march=native",)),
            Target("x86-64-v2", "x86_64", "x86-64-v2", ("-march=x86-64-v2",)),
            Target("x86-64-v3", "x86_64", "x86-64-v3", ("-march=x86-64-v3",)),
            Target("aarch64", "aarch64", "generic", ("-march=armv8-a",)),
        )
    }
)


def target_named(name: str) -> Target:
    if name in TARGETS:
        return TARGETS[name]
    hint = f"Choose from {', '.join(TARGETS)}."
    raise BackendError(Diagnostic(f"There is no target '{name}'.", "unknown-target", hints=(hint,)))

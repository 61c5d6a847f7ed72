"""A procedure: its arguments and its body; no argument is left without use."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from backends.fortran.fortran_writer import FortranWriter

_NO_NAMES: Final = re.compile(r"'[^'\n]*'|!.*|%\w+")
"""Texts, remarks, and components of types."""

_WORD: Final = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Dummy:
    """An argument as the procedure declares it: ``declaration :: name`` and the dimensions."""

    name: str
    declaration: str
    dimensions: str = ""

    @property
    def is_optional(self) -> bool:
        return "optional" in self.declaration.split(", ")


def write_subroutine(
    w: FortranWriter,
    name: str,
    dummies: Sequence[Dummy],
    write_body: Callable[[FortranWriter], None],
    *,
    variables: Sequence[Dummy] = (),
    remark: str = "",
) -> None:
    """A subroutine that declares those of *variables* that its body uses."""
    body = FortranWriter(w.depth + 1)
    write_body(body)
    used = set(_WORD.findall(_NO_NAMES.sub("", body.text.lower())))
    w.line()
    if remark:
        w.comment(remark)
    arguments = ", ".join(dummy.name for dummy in dummies)
    with w.block(f"subroutine {name}({arguments})", f"end subroutine {name}"):
        for item in (*dummies, *(item for item in variables if item.name.lower() in used)):
            w.line(f"{item.declaration} :: {item.name}{item.dimensions}")
        w.line()
        _use(w, [dummy for dummy in dummies if dummy.name.lower() not in used])
        w.include(body)


def _use(w: FortranWriter, unused: Sequence[Dummy]) -> None:
    """Mentions arguments that are there for the sake of uniform calls: compilers warn of unused ones."""
    for dummy in unused:
        if dummy.is_optional:
            w.line(f"if (present({dummy.name})) continue")
    needed = [dummy.name for dummy in unused if not dummy.is_optional]
    if needed:
        pairs = ", ".join(f"unused_{number} => {name}" for number, name in enumerate(needed, start=1))
        with w.block(f"associate ({pairs})", "end associate"):
            pass

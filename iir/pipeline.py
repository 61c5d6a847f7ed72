"""Runs passes one after another and checks what each leaves behind."""

import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, TypeAlias

from iir.diagnostics import StencilError
from iir.nodes import Stencil
from iir.printer import to_text
from iir.verifier import verify

Pass: TypeAlias = Callable[[Stencil], Stencil]

DUMP_VARIABLE: Final = "STENCIL_DUMP"


def run(
    ir: Stencil,
    passes: Sequence[Pass],
    *,
    scheduled: bool = False,
    dump: Path | None = None,
    first: int = 1,
) -> Stencil:
    """*ir* after all *passes*, verified after each one that changed something.

    *dump* (by default the folder that the environment variable ``STENCIL_DUMP`` names, if any)
    gets the text after each pass; the files are numbered from *first*. An error of the stencil's
    author leaves as it is; any other exception carries a note that names the pass.
    """
    folder, stencil = dump or _folder_from_environment(), _file_name(ir.name)
    for number, step in enumerate(passes, start=first):
        name = pass_name(step)
        after = _apply(step, name, ir)
        if after is not ir:
            verify(after, name, scheduled)
        ir = after
        if folder is not None:
            _write(folder, f"{stencil}.{number:02}.{_file_name(name)}.iir", ir)
    return ir


def pass_name(step: Pass) -> str:
    """The name of a pass: that of its function, or with its options as ``Tile(i=64, j=8)``."""
    return str(getattr(step, "__name__", None) or repr(step))


def _apply(step: Pass, name: str, ir: Stencil) -> Stencil:
    try:
        return step(ir)
    except StencilError:
        raise
    except Exception as error:
        error.add_note(f"This happened in pass '{name}' on stencil '{ir.name}'.")
        raise


def _folder_from_environment() -> Path | None:
    folder = os.environ.get(DUMP_VARIABLE)
    return Path(folder) if folder else None


def _file_name(name: str) -> str:
    return re.sub(r"\W+", "_", name).strip("_")


def _write(folder: Path, name: str, ir: Stencil) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(to_text(ir), encoding="utf-8")

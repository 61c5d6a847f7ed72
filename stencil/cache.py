"""The folder for generated source and compiled kernels."""

import atexit
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from threading import get_ident
from typing import Final

from iir.diagnostics import Diagnostic
from stencil.user_warning import warn_user

_KERNELS: Final = "kernels"


@dataclass(frozen=True, slots=True)
class CacheInfo:
    """What the cache folder holds; *stencils* counts the generated files."""

    folder: Path
    stencils: int
    files: int
    bytes: int


def cache_folder() -> Path:
    """Where kernels are kept: below STENCIL_CACHE_DIR, else below the user's folder for caches."""
    chosen = os.environ.get("STENCIL_CACHE_DIR")
    return Path(chosen).expanduser() / _KERNELS if chosen else _user_caches() / "stencil" / _KERNELS


def writable_cache_folder() -> Path:
    """The cache folder; where that cannot be written, a temporary one for this process, with a warning."""
    folder = cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError as error:
        return _temporary_folder(folder, error.strerror or str(error))


def cache_info() -> CacheInfo:
    """The number and size of the files in the cache folder."""
    folder = cache_folder()
    sizes = tuple(_sizes(folder))
    stencils = sum(path.suffix == ".py" for path, _ in sizes)
    return CacheInfo(folder, stencils, len(sizes), sum(size for _, size in sizes))


def clean_cache() -> CacheInfo:
    """Remove all kernels; what there was."""
    before = cache_info()
    shutil.rmtree(before.folder, ignore_errors=True)
    return before


def keep_source(path: Path, text: str) -> None:
    """Make *path* hold *text* if it is not there yet; who reads it meanwhile sees nothing or all of it."""
    if path.exists():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_suffix(f".{os.getpid()}.{get_ident()}.source")
    temporary.write_text(text, encoding="utf-8")
    temporary.replace(path)


def forget_kernels(path: Path) -> None:
    """Remove the kernels of the stencil whose source is *path*: of all its layouts and options.

    Locks stay, since other processes may hold them.
    """
    name, _, key = path.stem.rpartition("_")
    kernel = re.compile(rf"{re.escape(name)}_[0-9a-f]{{{len(key)}}}\..*")
    for file in path.parent.rglob("*"):
        if kernel.fullmatch(file.name) and file.suffix != ".lock":
            file.unlink(missing_ok=True)


def _sizes(folder: Path) -> Iterator[tuple[Path, int]]:
    for path in sorted(folder.rglob("*")):
        try:
            if path.is_file():
                yield path, path.stat().st_size
        except OSError:
            continue  # another process cleans the folder


def _user_caches() -> Path:
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")


@cache
def _temporary_folder(folder: Path, reason: str) -> Path:
    # A folder of its own for each process: code in a shared one could be anybody's.
    temporary = Path(tempfile.mkdtemp(prefix="stencil-"))
    atexit.register(shutil.rmtree, temporary, ignore_errors=True)
    diagnostic = Diagnostic(
        f"The cache folder '{folder}' cannot be written ({reason}), so kernels last for this process only.",
        "cache",
        hints=("Set STENCIL_CACHE_DIR to a folder that can be written.",),
    )
    warn_user(diagnostic)
    return temporary

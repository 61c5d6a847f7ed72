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

_FINISHED: Final = "(py|pyc|json|nbi|nbc)"


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
        try:
            _try_writing(folder)
        except FileNotFoundError:
            _try_writing(folder)  # another process cleans the folder
    except OSError as error:
        return temporary_folder(folder, error)
    return folder


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
    try:
        _write_source(path, text)
    except FileNotFoundError:
        _write_source(path, text)  # another process cleans the folder


def forget_kernels(path: Path) -> None:
    """Remove the kernels of the stencil whose source is *path*: of all its layouts and options.

    Locks stay, since other processes may hold them, and so does what others are about to write.
    """
    from filelock import FileLock

    name, _, key = path.stem.rpartition("_")
    kernel = re.compile(rf"({re.escape(name)}_[0-9a-f]{{{len(key)}}})\.(.*\.)?{_FINISHED}")
    modules: dict[str, list[Path]] = {}
    for file in _kernel_files(path.parent):
        if match := kernel.fullmatch(file.name):
            modules.setdefault(match[1], []).append(file)
    for module, files in modules.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(path.with_name(f"{module}.lock")):
            for file in files:
                file.unlink(missing_ok=True)


def temporary_folder(folder: Path, error: OSError) -> Path:
    """A folder for this process, with a warning, since *error* is what came of using *folder*."""
    return _temporary_folder(folder, error.strerror or str(error))


def _kernel_files(folder: Path) -> Iterator[Path]:
    """The files in *folder*, and those that Numba keeps for it in a folder that the user has chosen."""
    yield from _files(folder)
    if chosen := os.environ.get("NUMBA_CACHE_DIR"):
        yield from Path(chosen).glob(f"{folder.name}_*/*")


def _try_writing(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    tempfile.TemporaryFile(dir=folder).close()


def _write_source(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_suffix(f".{os.getpid()}.{get_ident()}.source")
    temporary.write_text(text, encoding="utf-8")
    temporary.replace(path)


def _files(folder: Path) -> Iterator[Path]:
    # Unlike Path.rglob, this does not mind folders that another process removes.
    for inner, _, names in os.walk(folder):
        yield from (Path(inner, name) for name in names)


def _sizes(folder: Path) -> Iterator[tuple[Path, int]]:
    for path in sorted(_files(folder)):
        try:
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

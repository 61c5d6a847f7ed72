"""Generated modules as files: written once, whole, and imported under a name of their own."""

import importlib.util
import os
import sys
from contextlib import AbstractContextManager
from pathlib import Path
from threading import get_ident
from types import ModuleType
from typing import Any


def module_lock(path: Path) -> AbstractContextManager[Any]:
    """Held while *path* or what is compiled from it is made: one process works, the others use it."""
    # Imported here: loading what has been made needs no lock.
    from filelock import FileLock

    return FileLock(path.with_suffix(".lock"))


def write_module(path: Path, text: str) -> None:
    """Make *path* hold *text*. A file that does is left alone: its age is part of Numba's cache."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_bytes() != text.encode():
        replace_file(path, text)


def replace_file(path: Path, text: str) -> None:
    """Write *path*; who reads it meanwhile sees what it held before or all of *text*."""
    temporary = path.with_suffix(f".{os.getpid()}.{get_ident()}.tmp")
    try:
        with temporary.open("w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def import_module_file(path: Path) -> ModuleType:
    """The module at *path*; Numba's cache finds it again by the name, which is that of the file."""
    name = _module_name(path)
    known = sys.modules.get(name)
    if known is not None and known.__file__ == str(path):
        return known
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def forget_module(path: Path) -> None:
    """Remove all that was made from *path*: the module that was imported, its byte code, its kernels."""
    module = sys.modules.pop(_module_name(path), None)
    Path(importlib.util.cache_from_source(str(path))).unlink(missing_ok=True)
    for name, item in vars(module).items() if module else ():
        if folder := getattr(getattr(item, "stats", None), "cache_path", None):
            for file in Path(folder).glob(f"{path.stem}.{name}-*.nb[ic]"):
                file.unlink(missing_ok=True)


def _module_name(path: Path) -> str:
    return f"stencil_kernels_{path.stem}"

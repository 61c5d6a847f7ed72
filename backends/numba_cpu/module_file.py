"""Generated modules as files: written once, whole, and imported under a name of their own."""

import importlib.util
import os
import sys
from pathlib import Path
from threading import get_ident
from types import ModuleType

from filelock import FileLock


def module_lock(path: Path) -> FileLock:
    """Held while *path* or what is compiled from it is made: one process works, the others use it."""
    return FileLock(path.with_suffix(".lock"))


def write_module(path: Path, text: str) -> None:
    """Make *path* hold *text*. A file that does is left alone: its age is part of Numba's cache."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.exists() and path.read_text(encoding="utf-8") == text:
        return
    temporary = path.with_suffix(f".{os.getpid()}.{get_ident()}.tmp")
    try:
        with temporary.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def import_module_file(path: Path) -> ModuleType:
    """The module at *path*; Numba's cache finds it again by the name, which is that of the file."""
    name = f"stencil_kernels_{path.stem}"
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

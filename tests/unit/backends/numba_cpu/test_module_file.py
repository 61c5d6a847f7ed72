"""Generated modules as files, shared by processes."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from backends.numba_cpu.module_file import import_module_file, write_module

PROCESS = """
import sys
from pathlib import Path
import numpy as np
from backends import numba_cpu
from backends.base import CallShape, FieldLayout, Options
from backends.numba_cpu.module_file import import_module_file
from tests.running import build
from iir.parser import from_text

ir = from_text(Path(sys.argv[2]).read_text())
executable = build(numba_cpu.BACKEND, ir, Options(parallel=False), Path(sys.argv[1]))
u = np.asfortranarray(np.arange(24.0).reshape(2, 3, 4))
expected = u * 2.0 + 1.0
executable.prepare(CallShape(u.shape, (FieldLayout(u.shape, u.strides, (0, 0, 0)),)))([u], [])
assert (u == expected).all()
print(sum(import_module_file(executable.path).s_0.stats.cache_hits.values()))
"""
TEXT = """stencil s(u: f64[IJK])
  multistage parallel
    stage
      do [start, end)
        u = u * 2.0 + 1.0
"""


def test_file_holds_the_text_and_is_left_alone_if_it_does(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "module.py"
    write_module(path, "a = 1\n")
    os.utime(path, (1, 1))
    write_module(path, "a = 1\n")
    assert path.stat().st_mtime == 1
    write_module(path, "a = 2\n")
    assert path.read_text() == "a = 2\n" and path.stat().st_mtime > 1
    assert [item.name for item in path.parent.iterdir()] == ["module.py"]


def test_module_is_imported_once(tmp_path: Path) -> None:
    path = tmp_path / "module_imported_once.py"
    write_module(path, "a = object()\n")
    assert import_module_file(path) is import_module_file(path)


def test_module_that_fails_is_not_kept(tmp_path: Path) -> None:
    path = tmp_path / "module_that_fails.py"
    write_module(path, "1 / 0\n")
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            import_module_file(path)


def test_many_processes_compile_a_stencil_once(tmp_path: Path) -> None:
    """All start at once in an empty folder: one compiles, the others load what it has written."""
    stencil = tmp_path / "s.iir"
    stencil.write_text(TEXT)
    folder = tmp_path / "kernels"
    command = (sys.executable, "-c", PROCESS, str(folder), str(stencil))
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    hits = [int(process.communicate()[0]) for process in processes]
    assert all(process.returncode == 0 for process in processes)
    assert sorted(hits) == [0, 1, 1, 1]
    assert len(list(folder.glob("*.py"))) == 1
    assert not list(folder.glob("*.tmp"))


def test_damaged_file_is_written_anew(tmp_path: Path) -> None:
    stencil = tmp_path / "s.iir"
    stencil.write_text(TEXT)
    folder = tmp_path / "kernels"
    command = (sys.executable, "-c", PROCESS, str(folder), str(stencil))
    subprocess.run(command, check=True, capture_output=True)
    (module,) = folder.glob("*.py")
    text = module.read_text()
    module.write_text(text.replace("2.0", "3.0"))
    subprocess.run(command, check=True, capture_output=True)
    assert module.read_text() == text

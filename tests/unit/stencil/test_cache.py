"""The cache folder: where it is, what happens when it cannot be written, what it reports."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from filelock import FileLock

from stencil import StencilWarning
from stencil.cache import cache_folder, cache_info, clean_cache, forget_kernels, writable_cache_folder


@pytest.fixture(autouse=True)
def own_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("STENCIL_CACHE_DIR", str(tmp_path))
    return tmp_path


def test_folder_is_below_the_one_that_the_environment_names(tmp_path: Path) -> None:
    assert cache_folder() == tmp_path / "kernels"


def test_home_may_be_written_as_a_tilde(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STENCIL_CACHE_DIR", "~/somewhere")
    assert cache_folder() == Path.home() / "somewhere" / "kernels"


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have other folders")
def test_default_folder_follows_the_desktop_standard(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("STENCIL_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "stencil" / "kernels"
    monkeypatch.setenv("XDG_CACHE_HOME", "")
    assert cache_folder() == Path.home() / ".cache" / "stencil" / "kernels"


def test_folder_is_made_when_needed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("STENCIL_CACHE_DIR", str(tmp_path / "a" / "b"))
    folder = writable_cache_folder()
    assert folder == tmp_path / "a" / "b" / "kernels"
    assert folder.is_dir() and not any(folder.iterdir())


def test_folder_that_cannot_be_written_is_replaced_with_a_warning(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    blocker = tmp_path / "file"
    blocker.write_text("not a folder")
    monkeypatch.setenv("STENCIL_CACHE_DIR", str(blocker))
    with pytest.warns(StencilWarning) as caught:
        folder = writable_cache_folder()
    assert str(caught[0].message) == (
        f"The cache folder '{blocker / 'kernels'}' cannot be written (Not a directory), "
        "so kernels last for this process only. [cache]\n"
        "  hint: Set STENCIL_CACHE_DIR to a folder that can be written."
    )
    assert caught[0].filename == __file__
    assert folder.is_dir() and tmp_path not in folder.parents
    assert folder.stat().st_mode & 0o077 == 0
    assert writable_cache_folder() == folder


def test_replacement_is_removed_when_the_process_ends(tmp_path: Path) -> None:
    blocker = tmp_path / "file"
    blocker.write_text("not a folder")
    code = "from stencil.cache import writable_cache_folder; print(writable_cache_folder())"
    environment = {**os.environ, "STENCIL_CACHE_DIR": str(blocker), "PYTHONWARNINGS": "ignore"}
    shown = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment
    )
    assert not Path(shown.stdout.strip()).exists()


def test_forgetting_removes_all_kernels_of_one_stencil_but_no_lock(tmp_path: Path) -> None:
    mine = [
        "flux_0123ab.py",
        "flux_0123ab.driver-3.py311.nbi",
        "flux_cdef01.py",
        "__pycache__/flux_0123ab.1.nbc",
    ]
    others = [
        "flux_0123ab.lock",
        "flux_cdef01.lock",
        "flux_0123ab.12.34.tmp",
        "flux_0123ab.12.34.source",
        "flux_0123ab.driver-3.py311.nbi.tmp.5f",
        "flux_old_0123ab.py",
        "flux_0123ab0.py",
        "old_flux_0123ab.py",
    ]
    (tmp_path / "__pycache__").mkdir()
    for name in mine + others:
        (tmp_path / name).write_text("")
    forget_kernels(tmp_path / "flux_0123ab.py")
    left = {str(file.relative_to(tmp_path)) for file in tmp_path.rglob("*") if file.is_file()}
    assert left == set(others)


def test_forgetting_removes_what_numba_keeps_elsewhere(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    chosen = tmp_path / "numba" / "kernels_0a1b"
    chosen.mkdir(parents=True)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "numba"))
    for name in ("flux_0123ab.driver-3.py311.nbi", "other_0123ab.driver-3.py311.nbi"):
        (chosen / name).write_text("")
    (tmp_path / "kernels").mkdir()
    forget_kernels(tmp_path / "kernels" / "flux_0123ab.py")
    assert [file.name for file in chosen.iterdir()] == ["other_0123ab.driver-3.py311.nbi"]


def test_forgetting_waits_for_who_compiles(tmp_path: Path) -> None:
    source = tmp_path / "flux_0123ab.py"
    source.write_text("")
    with ThreadPoolExecutor(1) as threads:
        with FileLock(source.with_suffix(".lock")):
            forgotten = threads.submit(forget_kernels, source)
            with pytest.raises(TimeoutError):
                forgotten.result(timeout=0.2)
            assert source.exists()
        forgotten.result()
    assert not source.exists()


SHARING = """
import sys, warnings
import numpy as np
from stencil import from_iir, StencilWarning
from stencil.cache import clean_cache
f = from_iir('''stencil s(u: f64[IJK])
  multistage parallel
    stage
      do [start, end)
        u = u + 1.0
''', backend="numba", parallel=False, rebuild="rebuild" in sys.argv)
for n in range(3):
    for order in "FC":
        u = np.zeros((2, 3, 4), order=order)
        f.with_options(rebuild="rebuild" in sys.argv)(u)
        assert (u == 1.0).all()
    if "clean" in sys.argv:
        clean_cache()
"""


@pytest.mark.parametrize("how", ["rebuild", "clean"])
def test_processes_may_remove_what_others_compile(how: str, tmp_path: Path) -> None:
    command = (sys.executable, "-W", "ignore", "-c", SHARING, how)
    processes = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for _ in range(4)]
    errors = [process.communicate()[1] for process in processes]
    assert errors == [""] * 4 and not any(process.returncode for process in processes)


def test_files_of_somebody_else_leave_kernels_for_this_process(tmp_path: Path) -> None:
    command = (sys.executable, "-c", SHARING)
    subprocess.run(command, check=True)
    for file in (tmp_path / "kernels").glob("*.py"):
        file.unlink()
        file.with_suffix(".lock").unlink()
        file.with_suffix(".lock").mkdir()
    for arguments in ((), ("rebuild",)):
        done = subprocess.run((*command, *arguments), check=True, capture_output=True, text=True)
        assert "so kernels last for this process only. [cache]" in done.stderr


def test_cache_that_is_not_there_is_empty(tmp_path: Path) -> None:
    assert (cache_info().stencils, cache_info().files, cache_info().bytes) == (0, 0, 0)
    assert clean_cache().files == 0


def test_cache_reports_and_removes_its_own_files_only(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("keep")
    folder = writable_cache_folder()
    (folder / "deep").mkdir()
    (folder / "deep" / "kernel.py").write_text("12345")
    (folder / "deep" / "kernel.nbi").write_bytes(b"123")
    info = cache_info()
    assert (info.folder, info.stencils, info.files, info.bytes) == (folder, 1, 2, 8)
    assert clean_cache() == info
    assert not folder.exists()
    assert (tmp_path / "thesis.tex").read_text() == "keep"

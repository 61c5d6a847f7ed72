"""Building: all files or none, and errors that name what is missing."""

from pathlib import Path

import numpy as np
import pytest

from backends.native import build_library, native_library
from backends.native.description import NativeLibrary, NativeSource
from iir.diagnostics import BackendError
from iir.parser import from_text
from tests.native.calls import ERUNTIME, OK, load

FUNCTIONS = "tests.unit.backends.native.functions"
TALKATIVE = "tests.unit.backends.native.talkative"
TEXT = """stencil s(u: f64[IJK])
  multistage parallel
    stage
      do [start, end)
        u = u + 1.0
"""


def library(function: str | None = None, place: str = FUNCTIONS) -> NativeLibrary:
    text = TEXT if function is None else TEXT.replace("u + 1.0", f'call "{place}:{function}"(u)')
    ir = from_text(text)
    return native_library([NativeSource(ir, ir)], "model")


def refused(item: NativeLibrary, folder: Path) -> BackendError:
    """The error of a build that must leave the folder as it is."""
    folder.mkdir(exist_ok=True)
    before = {path: path.read_bytes() for path in folder.iterdir()}
    with pytest.raises(BackendError) as caught:
        build_library(item, folder)
    assert {path: path.read_bytes() for path in folder.iterdir()} == before
    return caught.value


def test_missing_compiler_is_named_and_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CC", "no-such-compiler")
    error = refused(library(), tmp_path)
    assert error.diagnostic.message == "The program 'no-such-compiler' is missing, which makes libraries."
    assert "environment variable CC" in str(error)


def test_compiler_that_fails_leaves_earlier_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "libmodel.so").write_text("earlier")
    (tmp_path / "model.h").write_text("earlier")
    compiler = tmp_path / "compiler"
    compiler.write_text("#!/bin/sh\necho no license >&2\nexit 3\n")
    compiler.chmod(0o755)
    monkeypatch.setenv("CC", f"{compiler} -O1")
    error = refused(library(), tmp_path)
    assert error.diagnostic.message == "'compiler' failed."
    assert "no license" in str(error) and "-O1" in str(error)


@pytest.mark.tool("cc")
def test_all_files_are_there_and_nothing_else(tmp_path: Path) -> None:
    built = build_library(library(), tmp_path / "new" / "folder")
    paths = [built.header, built.boundary, built.kernels, built.shared, built.static]
    assert {path and path.name for path in paths} == {
        "model.h",
        "model_boundary.c",
        "model_kernels.o",
        "libmodel.so",
        "libmodel.a",
    }
    assert sorted((tmp_path / "new" / "folder").iterdir()) == sorted(path for path in paths if path)


@pytest.mark.tool("cc")
@pytest.mark.parametrize(("function", "reason"), [("allocating", "empty"), ("not_compilable", "'open'")])
def test_function_that_is_no_machine_code_by_itself_is_named(
    function: str, reason: str, tmp_path: Path
) -> None:
    error = refused(library(function), tmp_path)
    assert error.diagnostic.message == "Numba cannot compile stencil 's'."
    assert f"'s' calls '{FUNCTIONS}:{function}'." in str(error) and reason in str(error)


@pytest.mark.tool("cc")
def test_function_at_an_address_of_this_process_is_named(tmp_path: Path) -> None:
    error = refused(library("at_an_address"), tmp_path)
    assert error.diagnostic.message == "Library 'model' cannot do without Python."
    assert f"'s' calls '{FUNCTIONS}:at_an_address'." in str(error)


@pytest.mark.tool("cc")
def test_settings_of_numba_and_output_of_modules_do_not_matter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    monkeypatch.setenv("NUMBA_CPU_NAME", "no-such-processor")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    item = library("twice", place=TALKATIVE)
    run = load(item, build_library(item, tmp_path / "library")).stencil("s")
    u = np.full((4, 3, 2), 1.5, order="F")
    assert run({"u": u}, (0, 0, 0), u.shape).status == OK
    assert (u == 3.0).all()
    assert not (tmp_path / "cache").exists()


@pytest.mark.tool("cc")
def test_exception_of_a_function_is_a_failure_of_the_call(tmp_path: Path) -> None:
    item = library("raising")
    run = load(item, build_library(item, tmp_path)).stencil("s")
    u = np.ones((4, 3, 2), order="F")
    assert run({"u": u}, (0, 0, 0), u.shape).status == OK
    u[1, 1, 1] = 4.0
    failure = run({"u": u}, (0, 0, 0), u.shape)
    assert (failure.status, failure.text) == (ERUNTIME, "An exception was raised in a kernel.")

"""The commands `fortran` and `verify-fortran`: what they write, and how they fail."""

import json
import sys
from pathlib import Path
from textwrap import dedent

import pytest
from typer.testing import CliRunner, Result

from stencil.cli import app

MODEL = dedent("""\
    from stencil import PARALLEL, Field, computation, from_iir, interval, stencil

    @stencil
    def doubled(u: Field[float], out: Field[float]):
        with computation(PARALLEL), interval(...):
            out = u + u

    @stencil(name="doubled")
    def again(u: Field[float], out: Field[float]):
        with computation(PARALLEL), interval(...):
            out = u * 2.0

    idle = from_iir("stencil idle(x: f64)\\n")
    """)


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "model.py").write_text(MODEL)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.chdir(tmp_path)
    return "model.py"


def command(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


def refused(*arguments: str) -> str:
    """What a command says that fails."""
    result = command(*arguments)
    assert result.exit_code == 1
    assert result.stdout == ""
    return result.stderr


def test_the_spec_alone_is_one_file(model: str, tmp_path: Path) -> None:
    result = command("fortran", f"{model}:doubled", "-o", "build", "--spec-only", "--name", "mine")
    assert result.exit_code == 0, result.output
    assert result.stdout == "build/mine.json\n"
    assert [path.name for path in (tmp_path / "build").iterdir()] == ["mine.json"]
    assert json.loads((tmp_path / "build" / "mine.json").read_text())["module"] == "mine_dsl"


@pytest.mark.tool("gfortran")
@pytest.mark.tool("cc")
def test_a_stencil_is_verified_by_one_command(model: str) -> None:
    result = command("verify-fortran", f"{model}:doubled", "--seed", "3")
    assert result.exit_code == 0, result.output
    assert "doubled_run_blocks out 252 values, 0 differ\n" in result.stdout
    assert result.stdout.endswith("All results are equal.\n")


def test_a_stencil_that_is_not_there(model: str) -> None:
    expected = "'model.py' has no stencil 'dubled'. [command]\n  hint: Did you mean 'doubled'?\n"
    assert refused("fortran", f"{model}:dubled", "-o", "build") == expected
    assert refused("verify-fortran", f"{model}:dubled") == expected


def test_a_file_that_is_not_there(model: str) -> None:
    assert refused("fortran", "nodel.py:doubled", "-o", "build") == (
        "'nodel.py' is not a file. [command]\n  hint: Name it as FILE:NAME, for example model.py:diffusion.\n"
    )


def test_a_target_that_is_not_there(model: str, tmp_path: Path) -> None:
    assert refused("fortran", f"{model}:doubled", "-o", "build", "--target", "x86-64-v9") == (
        "There is no target 'x86-64-v9'. [unknown-target]\n"
        "  hint: Choose from native, x86-64-v2, x86-64-v3, aarch64.\n"
    )
    assert not (tmp_path / "build").exists()


def test_a_name_that_is_none(model: str, tmp_path: Path) -> None:
    assert refused("fortran", f"{model}:doubled", "-o", "build", "--name", "a/b") == (
        "'a/b' cannot name a library. [library-name]\n  hint: Use letters, digits, '_', '-', '.' and '+'.\n"
    )
    assert not (tmp_path / "build").exists()


def test_stencils_of_one_name(model: str) -> None:
    assert refused("fortran", f"{model}:doubled", f"{model}:again", "-o", "build") == (
        "2 stencils of the library are called 'doubled'. [library-name]\n  hint: Give them different names.\n"
    )


def test_a_stencil_without_fields(model: str) -> None:
    assert refused("fortran", f"{model}:idle", "-o", "build") == (
        "Stencil 'idle' has no field, so that a call of it would do nothing. [no-fields]\n"
    )


def test_a_folder_that_is_a_file(model: str) -> None:
    assert refused("fortran", f"{model}:doubled", "-o", "model.py", "--spec-only") == (
        "The library cannot be written to 'model.py': File exists. [output-folder]\n"
    )


def test_after_a_failure_the_folder_is_as_it_was(
    model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "build"
    folder.mkdir()
    (folder / "model.h").write_text("before")
    monkeypatch.setenv("CC", "no-such-compiler")
    assert refused("fortran", f"{model}:doubled", "-o", "build") == (
        "The program 'no-such-compiler' is missing, which makes libraries. [missing-tool]\n"
        "  hint: Install a C compiler, or name one in the environment variable CC.\n"
    )
    assert [(path.name, path.read_text()) for path in folder.iterdir()] == [("model.h", "before")]
    assert "[missing-tool]" in refused("fortran", f"{model}:doubled", "-o", "new")
    assert not (tmp_path / "new").exists()


@pytest.mark.tool("cc")
def test_without_a_fortran_compiler_nothing_is_verified(model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FC", "no-such-compiler")
    assert refused("verify-fortran", f"{model}:doubled") == (
        "The program 'no-such-compiler' is missing, which compiles Fortran. [missing-tool]\n"
        "  hint: Install a Fortran compiler, or name one in the environment variable FC.\n"
    )

"""The command `stencil`."""

import sys
from pathlib import Path
from textwrap import dedent

import pytest
from typer.testing import CliRunner

from iir.printer import to_text
from stencil import PARALLEL, Field, computation, interval, stencil
from stencil.cli import app

MODEL = dedent("""\
    from helper import FACTOR
    from stencil import PARALLEL, Field, computation, interval, stencil

    @stencil(backend="reference")
    def diffusion(u: Field[float], out: Field[float]):
        with computation(PARALLEL), interval(...):
            out = u * FACTOR

    other = 3
    """)


def diffusion(u: Field[float], out: Field[float]):
    with computation(PARALLEL), interval(...):
        out = u * 2.0


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "helper.py").write_text("FACTOR = 2.0\n")
    (tmp_path / "model.py").write_text(MODEL)
    monkeypatch.setenv("STENCIL_CACHE_DIR", str(tmp_path / "cache"))
    # The command ends its process; here its changes to the interpreter must be taken back.
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, "helper", raising=False)
    return str(tmp_path / "model.py")


@pytest.mark.parametrize("step", ["iir", "optimized", "scheduled", "source"])
def test_show_prints_the_stencil_after_a_step(model: str, step: str) -> None:
    result = CliRunner().invoke(app, ["show", f"{model}:diffusion", "--step", step])
    assert result.exit_code == 0, result.output
    assert result.stdout == to_text(stencil(diffusion, backend="reference").iir)


def test_show_prints_the_iir_unless_told_otherwise(model: str) -> None:
    result = CliRunner().invoke(app, ["show", f"{model}:diffusion"])
    assert result.stdout == to_text(stencil(diffusion, backend="reference").iir)


def test_show_takes_another_back_end(model: str) -> None:
    result = CliRunner().invoke(app, ["show", f"{model}:diffusion", "--backend", "nunba"])
    assert result.exit_code == 1
    assert "There is no back end 'nunba'. [unknown-backend]\n  hint: Did you mean 'numba'?" in result.stderr


def test_show_of_an_unknown_stencil_names_the_others(model: str) -> None:
    runner = CliRunner()
    near = runner.invoke(app, ["show", f"{model}:difusion"])
    assert near.exit_code == 1
    assert (
        near.stderr == f"'{model}' has no stencil 'difusion'. [command]\n  hint: Did you mean 'diffusion'?\n"
    )
    far = runner.invoke(app, ["show", f"{model}:other"])
    assert far.stderr == f"'{model}' has no stencil 'other'. [command]\n  hint: Its stencils: diffusion.\n"


def test_show_of_a_file_alone_says_how_to_name_a_stencil(model: str) -> None:
    result = CliRunner().invoke(app, ["show", model])
    assert result.exit_code == 1
    assert result.stderr == (
        f"'{model}' does not name a stencil in a file. [command]\n"
        "  hint: Name it as FILE:NAME, for example model.py:diffusion.\n"
    )


def test_show_of_a_missing_file_says_how_to_name_one() -> None:
    result = CliRunner().invoke(app, ["show", "nothing.py:diffusion"])
    assert result.exit_code == 1
    assert result.stderr == (
        "'nothing.py' is not a file. [command]\n"
        "  hint: Name it as FILE:NAME, for example model.py:diffusion.\n"
    )


def test_show_prints_errors_of_the_stencil(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text(MODEL.replace("from helper import FACTOR\n", ""))
    result = CliRunner().invoke(app, ["show", f"{tmp_path / 'bad.py'}:diffusion"])
    assert result.exit_code == 1
    assert "FACTOR" in result.stderr and "^^^^^^" in result.stderr


def test_version_is_one_line() -> None:
    result = CliRunner().invoke(app, ["version"])
    assert result.exit_code == 0
    assert len(result.stdout.splitlines()) == 1


def test_cache_commands_report_and_clean(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STENCIL_CACHE_DIR", str(tmp_path))
    folder = tmp_path / "kernels"
    folder.mkdir()
    (folder / "kernel.py").write_text("12345")
    runner = CliRunner()
    held = f"{folder}: 1 stencil, 1 file, 5 bytes\n"
    assert runner.invoke(app, ["cache", "info"]).stdout == held
    assert runner.invoke(app, ["cache", "clean"]).stdout == f"Removed: {held}"
    assert runner.invoke(app, ["cache", "info"]).stdout == f"{folder}: 0 stencils, 0 files, 0 bytes\n"

"""The page on Fortran does what it says: its files, commands and output, as a new user types them."""

import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = (ROOT / "docs" / "fortran.md").read_text()
BLOCK: Final = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(language: str) -> list[str]:
    return [text for kind, text in BLOCK.findall(PAGE) if kind == language]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the files of the page, and the command."""
    (tmp_path / "model.py").write_text(blocks("python")[0])
    (tmp_path / "main.f90").write_text(blocks("fortran")[0])
    command = tmp_path / "bin" / "stencil"
    command.parent.mkdir()
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from stencil.cli import main; main()"
    command.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -c {shlex.quote(code)} "$@"\n')
    command.chmod(0o755)
    return tmp_path


@pytest.mark.tool("gfortran")
@pytest.mark.tool("cc")
def test_commands_on_the_page_print_what_it_says(folder: Path) -> None:
    for text in blocks("console"):
        commands = re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]
        for item in commands:
            command, _, expected = item.partition("\n")
            done = subprocess.run(
                ("sh", "-c", f'PATH="$PWD/bin:$PATH"; {command}'),
                cwd=folder,
                capture_output=True,
                text=True,
                check=False,
            )
            assert done.returncode == 0, done.stderr
            assert done.stdout == expected, command

"""The distribution: what the wheel holds, and that an example runs on it without the checkout."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from email.message import Message
from email.parser import Parser
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]


def run(*command: str | Path, cwd: Path, **environment: str) -> str:
    """The output of a command that must succeed, without our own paths in its environment."""
    clean = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    result = subprocess.run(
        command,
        cwd=cwd,
        env={**clean, **environment},
        text=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    assert result.returncode == 0, result.stdout
    return result.stdout


@pytest.fixture(scope="module")
def project() -> dict[str, Any]:
    content: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return content


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    run(
        *(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"),
        *("--wheel-dir", folder, ROOT),
        cwd=folder,
    )
    (path,) = folder.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clean environment with the wheel; third-party packages are found where they are installed now."""
    folder = tmp_path_factory.mktemp("environment")
    run(sys.executable, "-m", "venv", "--without-pip", folder, cwd=folder)
    python = folder / "bin" / "python"
    run(
        *(sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-deps", wheel),
        cwd=folder,
    )
    (packages,) = (folder / "lib").glob("python*/site-packages")
    (packages / "third_party.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return folder


def test_wheel_holds_the_three_packages_with_their_type_markers_and_nothing_else(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0] for name in names if ".dist-info/" not in name} == {
        "stencil",
        "iir",
        "backends",
    }
    assert {"stencil/py.typed", "iir/py.typed", "backends/py.typed"} <= set(names)
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert not [name for name in names if "__pycache__" in name]


def test_wheel_asks_for_what_the_project_names(wheel: Path, project: dict[str, Any]) -> None:
    metadata = read_metadata(wheel)
    required = {
        str(Requirement(text)) for text in metadata.get_all("Requires-Dist", []) if "extra" not in text
    }
    assert required == {str(Requirement(text)) for text in project["dependencies"]}
    assert metadata["Name"] == "stencil-dsl"
    assert metadata["License-Expression"] == "BSD-3-Clause"


def read_metadata(wheel: Path) -> Message:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        return Parser().parsestr(archive.read(name).decode())


def test_installed_packages_come_from_the_wheel(environment: Path, tmp_path: Path) -> None:
    script = "import stencil, iir, backends; print(stencil.__file__, iir.__file__, backends.__file__)"
    files = run(environment / "bin" / "python", "-c", script, cwd=tmp_path).split()
    assert len(files) == 3
    assert all(Path(file).is_relative_to(environment) for file in files)


def test_example_runs_on_the_installed_wheel(environment: Path, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    printed = run(
        *(environment / "bin" / "python", "examples/terrain.py", "--small"),
        cwd=tmp_path,
        STENCIL_CACHE_DIR=str(tmp_path / "cache"),
    )
    assert "bit for bit" in printed
    assert (tmp_path / "terrain.png").exists()


def test_installed_command_explains_itself(environment: Path, tmp_path: Path) -> None:
    assert "Usage" in run(environment / "bin" / "stencil", "--help", cwd=tmp_path)


def constraints() -> dict[str, str]:
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    pinned = [line for line in lines if not line.startswith("#")]
    assert all(re.fullmatch(r"[A-Za-z0-9_.-]+==[0-9][A-Za-z0-9.]*", line) for line in pinned)
    return {canonicalize_name(name): version for name, version in (line.split("==") for line in pinned)}


def test_exact_versions_lie_in_the_project_ranges(project: dict[str, Any]) -> None:
    exact = constraints()
    extras = project["optional-dependencies"].values()
    for text in (*project["dependencies"], *(text for extra in extras for text in extra)):
        requirement = Requirement(text)
        if requirement.name != project["name"]:
            assert exact[canonicalize_name(requirement.name)] in requirement.specifier


@pytest.mark.tool("make")
@pytest.mark.parametrize("target", ["demo", "test", "check", "deep", "bench", "clean"])
def test_make_knows_the_target(target: str) -> None:
    assert ".venv" in run("make", "--dry-run", target, cwd=ROOT)


def test_ci_insists_on_tools_and_runs_the_tests() -> None:
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    assert "STENCIL_REQUIRE_TOOLS=1" in script.read_text()
    assert "make test" in script.read_text()

"""Libraries in the build of a model by CMake: Fortran and C, several of them, and their drivers."""

import os
import subprocess
from pathlib import Path
from typing import Final

import pytest

from stencil.fortran_output import write_fortran
from tests.fortran import forms
from tests.fortran.building import PROGRAMS, output

pytestmark = [pytest.mark.tool("gfortran"), pytest.mark.tool("cc"), pytest.mark.tool("cmake")]

PROJECT: Final = """\
cmake_minimum_required(VERSION 3.18)
project(model LANGUAGES C Fortran)
add_subdirectory(first)
add_subdirectory(second)
add_executable(in_fortran two_libraries.F90)
target_link_libraries(in_fortran PRIVATE stencil::first stencil::second)
add_executable(in_c call.c)
target_link_libraries(in_c PRIVATE stencil::first_kernels)
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with two libraries in it, configured and built."""
    folder = tmp_path_factory.mktemp("project")
    write_fortran((forms.filled,), folder / "first", name="first")
    write_fortran((forms.partial,), folder / "second", name="second")
    (folder / "CMakeLists.txt").write_text(PROJECT)
    for name in ("two_libraries.F90", "call.c"):
        (folder / name).write_text((PROGRAMS / name).read_text())
    cmake("-S", folder, "-B", folder / "build", "-DCMAKE_BUILD_TYPE=Release")
    cmake("--build", folder / "build")
    return folder


def cmake(*arguments: str | Path) -> str:
    done = subprocess.run(
        ("cmake", *map(str, arguments)), env=os.environ, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_fortran_program_uses_two_libraries(project: Path) -> None:
    assert output(project / "build" / "in_fortran") == " 10.0 -1.0  2.0\n"


def test_a_program_in_c_needs_the_kernels_alone(project: Path) -> None:
    assert output(project / "build" / "in_c") == "1 10.0\n3 1 too few\n"


def test_the_folder_of_a_library_is_a_project_with_its_driver_as_test(project: Path) -> None:
    build = project / "alone"
    cmake("-S", project / "first", "-B", build)
    cmake("--build", build)
    assert "All results are equal." in output(build / "test_first", folder=project / "first")

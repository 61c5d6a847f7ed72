"""The Fortran model among the examples: it builds with one command, and finds what it promises to find."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MODEL = ROOT / "examples" / "fortran_model"
SMALL = "nx = 19, ny = 11, nlev = 8, nproma = 16, steps = 3"
"""The last of its blocks is a short one."""

pytestmark = [pytest.mark.tool("cmake"), pytest.mark.tool("gfortran"), pytest.mark.tool("make")]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the model, built."""
    folder = tmp_path_factory.mktemp("model") / "fortran_model"
    shutil.copytree(MODEL, folder, ignore=shutil.ignore_patterns("build", "__pycache__"))
    command = folder.parent / "stencil"
    command.write_text(f"#!{sys.executable}\nfrom stencil.cli import main\nmain()\n")
    command.chmod(0o755)
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        ["make", "-C", folder, f"STENCIL={command}"],
        capture_output=True, text=True, check=False, env=environment,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def run(model: Path, settings: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """The model on a small grid, in an environment with nothing but *environment*."""
    namelist = model / "small.nml"
    namelist.write_text(f"&model {SMALL}, {settings} /\n")
    command = [model / "build" / "fortran_model", namelist]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


def test_planted_error_is_found_at_its_point_and_nowhere_else(model: Path) -> None:
    done = run(model, "planted_column = 1, planted_level = 8, planted_block = 14, planted_step = 3")
    assert done.returncode == 0, done.stderr
    assert "'mixed' differs at 1 of 5016 points, first at column 1, level 8, block 14:" in done.stdout


def test_model_stops_when_nothing_is_found_or_can_be(model: Path) -> None:
    assert "the planted error is not found" in run(model, "planted_error = 0.0").stderr
    for elsewhere in ("planted_column = 2, planted_block = 14", "planted_level = 9", "planted_step = 4"):
        assert "the error is planted nowhere" in run(model, elsewhere).stderr
    for small in ("nlev = 1", "nproma = 0"):
        assert "the grid is too small" in run(model, small).stderr


@pytest.mark.parametrize("threads", ["1", "4"])
def test_threads_with_small_stacks_change_no_bit(model: Path, threads: str) -> None:
    done = run(model, "", OMP_NUM_THREADS=threads, OMP_STACKSIZE="2m")
    assert done.returncode == 0, done.stderr
    shown = max(int(threads), 2)
    for what in ("own Fortran", "stencils"):
        assert f"{what}: {shown} threads give what one gives, bit for bit: yes" in done.stdout


def test_threads_have_a_workspace_each_where_the_stack_is_too_small(model: Path) -> None:
    done = run(model, "nlev = 200", OMP_NUM_THREADS="4", OMP_STACKSIZE="2m")
    assert done.returncode == 0, done.stderr
    assert "stencils: 4 threads give what one gives, bit for bit: yes" in done.stdout


@pytest.mark.parametrize("columns", [1, 209, 300])
def test_blocks_may_have_any_size(model: Path, columns: int) -> None:
    """One block holds all 209 columns in the end."""
    done = run(model, f"nproma = {columns}, planted_block = 1, planted_column = 1")
    assert done.returncode == 0, done.stderr


def test_fields_that_are_out_are_not_copied(model: Path) -> None:
    spec = json.loads((model / "build" / "dsl" / "model.json").read_text())
    expected = {
        (stencil["name"], field["name"]): field["intent"].partition("_")[0]
        for stencil in spec["stencils"]
        for field in stencil["fields"]
    }
    rows = list(copies(run(model, "").stdout))
    assert {(stencil, field): intent for stencil, field, intent, _, _ in rows} == expected
    copied = {field: amount for _, field, intent, _, amount in rows if intent == "inout"}
    kilobytes = 19 * 11 * 8 / 1000
    assert copied == {"tracer": f"{8 * kilobytes:.1f}", "flux": f"{kilobytes:.1f}"}
    assert {amount for *_, intent, _, amount in rows if intent != "inout"} == {"none"}


def copies(printed: str) -> Iterator[list[str]]:
    """The rows of the table of copies: stencil, field, intent, size, copied."""
    table = printed.partition("Copied for the verification")[2].partition("\n\n")[2].partition("\n\n")[0]
    for line in table.splitlines()[1:]:
        yield line.split()


def test_readme_shows_what_the_model_prints(model: Path) -> None:
    """Numbers aside, which depend on the size of the grid."""
    printed = words(run(model, "").stdout)
    for block in re.findall(r"```text\n(.*?)```", (MODEL / "README.md").read_text(), flags=re.DOTALL):
        for line in block.splitlines():
            assert words(line)[0] in printed


def words(text: str) -> list[str]:
    """The lines of *text* with numbers left out and spaces made one."""
    lines = (re.sub(r"[-+.\dE]*\d[-+.\dE]*", "#", line) for line in text.splitlines())
    return [" ".join(line.split()) for line in lines] or [""]


TWO_BLOCKS = """\
program two_blocks
  use, intrinsic :: iso_c_binding, only: c_int8_t
  use model_dsl
  implicit none (type, external)
  integer, parameter :: columns = 4, levels = 3, blocks = 5
  real(wp), dimension(columns, levels, blocks) :: theta = 300, thickness = 10, mixed = 0
  real(wp) :: diffusivity(columns, levels, blocks) = 1, surface_flux(columns, blocks) = 0
  type(stencil_before), allocatable :: before(:)
  type(stencil_metrics) :: metrics
  integer(c_int8_t), allocatable :: workspace(:)
  integer :: rc

  allocate (workspace(vertical_diffusion_workspace_bytes(columns, 1, levels)))
  call vertical_diffusion_run_blocks(theta, diffusivity, thickness, surface_flux, mixed, 1.0_wp, &
    1, blocks, 1, columns, 1, levels, workspace=workspace)
  mixed(2, 3, 2) = mixed(2, 3, 2) + 1
  mixed(1, 1, 4) = mixed(1, 1, 4) + 2
  call verify()
  mixed(2, 3, 2) = mixed(2, 3, 2) - 1
  mixed(1, 1, 4) = mixed(1, 1, 4) - 2
  call verify()

contains

  subroutine verify()
    call vertical_diffusion_save_before_blocks(theta, diffusivity, thickness, surface_flux, mixed, &
      1.0_wp, 1, blocks, 1, columns, 1, levels, before)
    call vertical_diffusion_run_and_verify_blocks(theta, diffusivity, thickness, surface_flux, mixed, &
      1.0_wp, 1, blocks, 1, columns, 1, levels, before, metrics, rc=rc, workspace=workspace)
    print '(6(i0, 1x), f3.1)', rc, metrics%points(), metrics%failures(), metrics%fields(5)%first, &
      metrics%fields(5)%largest_absolute
  end subroutine verify

end program two_blocks
"""


def test_all_blocks_are_compared_and_a_call_tells_of_its_own_differences(model: Path) -> None:
    source, build = model / "two_blocks.f90", model / "build"
    source.write_text(TWO_BLOCKS)
    names = ("dsl-build/libmodel_dsl.a", "dsl-build/libstencil_runtime.a", "dsl/libmodel.a")
    libraries = [build / name for name in names]
    modules = f"-I{build / 'dsl-build' / 'modules'}"
    program = model / "two_blocks"
    subprocess.run(["gfortran", modules, source, *libraries, "-lm", "-o", program], check=True)
    done = subprocess.run([program], capture_output=True, text=True, check=True)
    # Status, points, failures, the first of these as column, block, level, and the largest.
    assert done.stdout.splitlines() == ["6 60 2 2 2 3 2.0", "1 120 2 2 2 3 2.0"]

"""Programs written by hand that call stencils: kept values, blocks, verification, logicals, failures."""

from pathlib import Path
from typing import Final

import pytest

from backends.fortran.module_text import module_text
from backends.fortran.spec import LibrarySpec, stencil_spec
from tests.fortran.building import PROGRAMS, STRICT, compile_program, gfortran, output, run
from tests.fortran.forms import filled

pytestmark = [pytest.mark.tool("gfortran"), pytest.mark.tool("cc")]

LIBRARY: Final = "programs"


def compiled(library: Path, name: str, folder: Path, *flags: str) -> Path:
    return compile_program(library, LIBRARY, PROGRAMS / f"{name}.F90", folder / name, *flags)


def assert_all_rules_hold(printed: str) -> None:
    lines = printed.splitlines()
    assert any(line.startswith("ok ") for line in lines)
    assert [line for line in lines if line.startswith("BROKEN")] == []


@pytest.mark.parametrize("name", ["kept_values", "verification", "logical_kinds", "workspaces"])
def test_rules_of_the_program_hold(name: str, programs: Path, tmp_path: Path) -> None:
    assert_all_rules_hold(output(compiled(programs, name, tmp_path)))


def test_blocks_in_threads_with_small_stacks(programs: Path, tmp_path: Path) -> None:
    program = compiled(programs, "blocks", tmp_path, "-fopenmp")
    assert_all_rules_hold(output(program, env={"OMP_NUM_THREADS": "2", "OMP_STACKSIZE": "2M"}))


@pytest.mark.tool("valgrind")
def test_nothing_is_touched_outside_arrays_in_valgrind(programs: Path, tmp_path: Path) -> None:
    program = compiled(programs, "kept_values", tmp_path)
    printed = output("valgrind", "-q", "--error-exitcode=9", program, env={"PATH": "/usr/bin:/bin"})
    assert_all_rules_hold(printed)


def test_nothing_is_touched_outside_arrays_under_the_sanitizer(programs: Path, tmp_path: Path) -> None:
    program = compiled(
        programs, "verification", tmp_path, "-fsanitize=address,undefined", "-fcheck=all", "-g"
    )
    assert_all_rules_hold(output(program))


def test_the_messages_of_differences_name_field_point_and_values(programs: Path, tmp_path: Path) -> None:
    lines = output(compiled(programs, "verification", tmp_path)).splitlines()
    found = [line for line in lines if line.startswith("Field ")]
    assert len(found) == 2
    assert found[0].startswith("Field 'a' differs at 2 of 120 points, first at (2, 3, 4): ")
    assert found[1].startswith("Field 'a' differs at 1 of 120 points, first at (3, 5, 2): ")
    assert all(" computed, " in line and line.endswith(" expected.") for line in found)


STATUS: Final = """\
no halo below: 3 0 1 0 Field 'u' has too few points before the domain on axis i: 1 needed, 0 given.
no halo above: 3 0 7 6 Field 'u' has too few points on axis i: 7 needed, 6 given.
too few levels of an array: 3 0 5 4 Field 'u' has too few points on axis k: 5 needed, 4 given.
a domain of negative size: 4 -1 0 -1 The domain on axis i is too small: at least 0 needed, -1 given.
an empty domain: 1 -1 0 0
too few levels for the stencil: 4 -1 2 1 The domain has too few levels: 2 needed, 1 given.
half levels lack one: 3 0 5 4 Field 'w' has too few points on axis k: 5 needed, 4 given.
a bound outside the domain: 4 2 4 5 The interval bound 'n' lies outside the domain: 0 to 4 needed, 5 given.
too few blocks: 3 0 3 2 Field 'a' has too few blocks: 3 needed, 2 given.
a block before the first: 4 -1 1 0 The first block is too small: at least 1 needed, 0 given.
too few levels in blocks: 3 0 5 4 Field 'a' has too few points on axis k: 5 needed, 4 given. (block 1)
an array without blocks: 3 1 2 0 Field 'x' has too few blocks: 2 needed, 0 given.
nothing saved: 2 -1 1 0 No values of these blocks were saved before the call.
one array twice: 2 0 0 0 Field 'a' is written and shares memory with field 'b'.
ok     nothing is written
a check: 5 -1 0 0 a is -2.5
5 1 1 2 1 -2.50
"""


def test_failures_tell_status_field_needed_and_given(programs: Path, tmp_path: Path) -> None:
    printed = output(compiled(programs, "failures", tmp_path)).splitlines()
    assert [line.rstrip() for line in printed] == STATUS.splitlines()


def test_without_a_status_argument_a_failure_stops_the_program(programs: Path, tmp_path: Path) -> None:
    done = run(compiled(programs, "stops", tmp_path))
    assert done.returncode != 0 and done.stdout == ""
    assert (
        done.stderr.splitlines()[0]
        == "ERROR STOP diffused: Field 'u' has too few points on axis i: 7 needed, 6 given."
    )


def test_one_call_runs_or_verifies_as_the_module_was_compiled(programs: Path, tmp_path: Path) -> None:
    assert output(compiled(programs, "either", tmp_path)) == "1 0  4.0\n"
    library = LibrarySpec(LIBRARY, "x86-64-v3", (stencil_spec(filled.iir),))
    (tmp_path / "module.F90").write_text(module_text(library))
    sources = (str(programs / "stencil_runtime.F90"), "module.F90", str(PROGRAMS / "either.F90"))
    kernels = str(programs / "libprograms.a")
    gfortran(tmp_path, *STRICT, "-DSTENCIL_VERIFY", *sources, kernels, "-lm", "-o", "verifying")
    assert output(tmp_path / "verifying") == "6 24  5.0\n"

"""Generated drivers: every stencil, in all forms, has the bits of the Python call."""

import json
import re
from pathlib import Path
from typing import Final

import pytest

from backends.fortran.reference_case import random_arguments
from backends.fortran.spec import stencil_spec
from iir.analyses.intents import Intent, intents
from iir.boxes import box_set
from iir.dtypes import numpy_dtype
from iir.nodes import Stencil
from tests.fortran.building import compile_program, output, run
from tests.fortran.forms import STENCILS
from tests.fortran.reference_programs import reference_programs

pytestmark = [pytest.mark.tool("gfortran"), pytest.mark.tool("cc")]

COMPARED: Final = re.compile(r"^  (\w+) (\w+) \d+ values, 0 differ$", re.MULTILINE)
LIBRARIES: Final = ("catalogue", "programs")


@pytest.fixture(scope="module", params=LIBRARIES)
def library(request: pytest.FixtureRequest) -> Path:
    folder: Path = request.getfixturevalue(request.param)
    return folder


@pytest.fixture(scope="module")
def name(library: Path) -> str:
    return library.name.removeprefix("library-")


@pytest.fixture(scope="module")
def driver(library: Path, name: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp(name)
    return compile_program(library, name, library / f"test_{name}.F90", folder / "driver")


@pytest.fixture(scope="module")
def printed(driver: Path, library: Path, name: str) -> str:
    return output(driver, library / f"test_{name}.bin")


def test_driver_finds_the_bits_of_the_python_call_in_every_form(
    printed: str, library: Path, name: str
) -> None:
    document = json.loads((library / f"{name}.json").read_text())
    expected = {
        (procedure, field["name"])
        for stencil in document["stencils"]
        for task, procedure in stencil["procedures"].items()
        for field in stencil["fields"]
        if task.startswith("run") and "_or_" not in task and "_and_" not in task
        if field["fortran_intent"] == "inout"
    }
    assert set(COMPARED.findall(printed)) == expected
    assert printed.endswith("All results are equal.\n")


@pytest.mark.tool("ldd")
def test_programs_need_nothing_of_python(driver: Path, library: Path, name: str) -> None:
    for file in (driver, library / f"lib{name}.so"):
        needed = {Path(line.split()[0]).name.split(".")[0] for line in output("ldd", file).splitlines()}
        assert needed <= {
            "linux-vdso",
            "ld-linux-x86-64",
            "libc",
            "libm",
            "libgfortran",
            "libquadmath",
            "libgcc_s",
        }


@pytest.mark.parametrize("library", ["programs"], indirect=True)
def test_data_of_another_library_is_refused(driver: Path, tmp_path: Path) -> None:
    (tmp_path / "data").write_bytes(bytes(8))
    done = run(driver, tmp_path / "data")
    assert done.returncode != 0
    assert done.stderr.startswith("ERROR STOP The data is of another library.")


PROGRAMS: Final = {
    **{f.iir.name: f.iir for f in STENCILS},
    **{ir.name: ir for ir in reference_programs().values()},
}


@pytest.mark.parametrize("library", ["programs"], indirect=True)
def test_drivers_copy_exactly_what_is_seen_or_kept(printed: str) -> None:
    for number, ir in enumerate(PROGRAMS.values()):
        for field, size in needed_bytes(ir, number).items():
            section = printed[printed.index(f"\n{ir.name}: copies before the call\n") :]
            found = re.search(rf"^  {field} +(\d+) bytes$", section, re.MULTILINE)
            assert found and int(found[1]) == size, (ir.name, field, size, found and found[1])


def needed_bytes(ir: Stencil, number: int) -> dict[str, int]:
    """The bytes that have to be copied for the call that the driver repeats."""
    from stencil.fortran_output import SEED

    call = random_arguments(ir, stencil_spec(ir), SEED + number)
    scalars = {name: value.item() for name, value in call.scalars.items()}
    exact = intents(ir).at(call.domain, scalars)
    found = {}
    for item in call.spec.fields:
        facts = exact[item.name]
        seen = (
            box_set(facts.irbw.evaluate(call.domain, scalars))
            if facts.intent is Intent.INOUT
            else box_set(())
        )
        kept = box_set(facts.may_write.evaluate(call.domain)) - box_set(
            facts.must_write.evaluate(call.domain)
        )
        found[item.name] = len(seen | kept) * numpy_dtype(item.dtype).itemsize
    return found

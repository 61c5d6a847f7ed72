"""The benchmarks start, and who competes computes the same; nothing is said about times."""

import json
from pathlib import Path

import numpy as np
import pytest

from benchmarks.__main__ import SECTIONS, main
from benchmarks.candidate import Candidate, Group
from benchmarks.cases import DTYPES, KERNELS, Case, Layout, arguments, traffic
from benchmarks.comparisons import by_case
from benchmarks.fortran_kernels import fortran_calls
from benchmarks.fortran_library import fortran_library
from benchmarks.kernels import Measurement, check
from benchmarks.numpy_kernels import NEARLY_EQUAL
from benchmarks.plot import plot_ratios
from stencil import stencil

CASE = ("hdiff", "float64", "8x8x8", "one core")
# Lanes of all widths, a rest of a strip, and a rest of a block of rows.
DOMAIN = (133, 9, 5)


@pytest.mark.parametrize("section", SECTIONS)
def test_section_prints_a_table_and_writes_json(
    section: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "results" / "all.json"
    main([section, "--quick", "--output", str(output)])
    (found,) = json.loads(output.read_text())["sections"]
    assert found["title"] in capsys.readouterr().out
    assert all(cell["value"] > 0.0 for cell in found["cells"])


def test_unknown_section_is_refused_with_those_that_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["kernel"])
    assert "there are kernels, memory, scaling, compile, calls" in capsys.readouterr().err


@pytest.mark.tool("gfortran")
def test_kernels_compete_in_a_table_with_json_and_a_picture(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "all.json"
    options = "--only jacobi7 --size 16x12x8 --dtype float32 --cores one --turns 1"
    main(["kernels", *options.split(), "--output", str(output)])
    printed = capsys.readouterr().out
    assert all(title in printed for title in ("Kernels on one core", "Targets", "What the compiler decided"))
    groups = {measurement["group"] for measurement in json.loads(output.read_text())["measurements"]}
    assert groups >= {"ours", "Fortran", "hand-written Numba", "naive Numba", "NumPy", "streaming floor"}
    assert output.with_suffix(".png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.tool("gfortran")
@pytest.mark.parametrize("kernel", KERNELS)
def test_fortran_computes_what_the_stencil_computes(kernel: str) -> None:
    case = Case(kernel, DOMAIN, np.float64)
    candidates = [_reference(case)]
    for layout in Layout:
        values = arguments(case, layout)
        for name, call in fortran_calls(case, values, parallel=False, widths=(256,)):
            candidates.append(Candidate(Group.FORTRAN, name, layout, call, values))
    check(case, candidates)


def test_candidate_that_computes_something_else_is_refused() -> None:
    case = Case("jacobi7", (4, 4, 4), np.float64)
    values = arguments(case, Layout.TIGHT)
    wrong = Candidate(Group.NUMPY, "wrong", Layout.TIGHT, lambda: values.values["out"].fill(1.0), values)
    with pytest.raises(RuntimeError, match="computes another out"):
        check(case, [_reference(case), wrong])


@pytest.mark.parametrize("dtype", DTYPES.values(), ids=DTYPES)
@pytest.mark.parametrize("kernel", NEARLY_EQUAL)
def test_numpy_version_with_other_functions_is_nearly_equal(kernel: str, dtype: type[np.generic]) -> None:
    case = Case(kernel, (7, 6, 5), dtype)
    values = arguments(case, Layout.TIGHT)
    numpy = Candidate(
        Group.NUMPY, "slices", Layout.TIGHT, lambda: NEARLY_EQUAL[kernel](**values.values), values
    )
    check(case, [_reference(case), numpy])


def test_fields_in_place_are_those_that_are_read_and_written() -> None:
    needs = traffic(Case("vadv", DOMAIN, np.float64))
    assert needs.in_place == ("utens_stage",)
    assert needs.read == ("utens_stage", "u_stage", "wcon", "u_pos", "utens")


def test_both_layouts_hold_the_same_values_and_are_restored() -> None:
    case = Case("kessler", (5, 4, 3), np.float32)
    ours, tight = arguments(case, Layout.OURS), arguments(case, Layout.TIGHT)
    ours.values["rain"][...] = 0.0
    ours.restore()
    assert all(np.array_equal(ours.values[name], field) for name, field in tight.fields())
    assert ours.values["rain"].strides != tight.values["rain"].strides


def test_ratio_is_of_our_time_to_the_best_on_the_layouts_asked_for() -> None:
    (found,) = by_case(
        (
            _measurement("ours", "default", "our arrays", 3.0),
            _measurement("ours", "default", "tight arrays", 6.0),
            _measurement("Fortran", "a", "our arrays", 2.0),
            _measurement("Fortran", "b", "tight arrays", 4.0),
        ),
        least=False,
    )
    assert found.ratio(Group.FORTRAN, Layout.OURS) == 1.5
    assert found.ratio(Group.FORTRAN, Layout.TIGHT, Layout.TIGHT) == 1.5
    assert found.ratio(Group.NUMPY, Layout.OURS) is None


def test_who_was_only_screened_does_not_win() -> None:
    (found,) = by_case(
        (
            _measurement("Fortran", "lucky", "our arrays", 1.0, is_final=False),
            _measurement("Fortran", "steady", "our arrays", 2.0),
        ),
        least=False,
    )
    best = found.best(Group.FORTRAN)
    assert best is not None
    assert best.name == "steady"


def test_picture_has_a_panel_for_one_core_and_for_all(tmp_path: Path) -> None:
    found = by_case(
        (
            _measurement("ours", "default", "our arrays", 3.0),
            _measurement("Fortran", "a", "our arrays", 2.0),
        ),
        least=True,
    )
    path = tmp_path / "ratios.png"
    assert plot_ratios(found, path)
    assert path.read_bytes().startswith(b"\x89PNG")


def _reference(case: Case) -> Candidate:
    values = arguments(case, Layout.TIGHT)
    f = stencil(backend="reference")(case.entry.define(case.dtype))
    call = lambda: f(**values.values, domain=case.domain, origin=values.origin)  # noqa: E731 - a call for later
    return Candidate(Group.OURS, "reference", Layout.TIGHT, call, values)


def _measurement(group: str, name: str, layout: str, seconds: float, *, is_final: bool = True) -> Measurement:
    return Measurement(*CASE, group, name, layout, seconds, seconds, 1, is_final)


@pytest.mark.tool("gfortran")
def test_libraries_of_fast_math_leave_subnormal_numbers_of_python_alone() -> None:
    """What GCC links with -ffast-math makes them zero in the whole process, for all who compete."""
    for parallel in (False, True):
        fortran_library("jacobi7", np.float64, 256, parallel=parallel)
    smallest = np.full(8, 5e-324)
    assert (smallest * np.ones(8) == smallest).all()

"""What the machine code of hot kernels has, and has not, on a processor with 256-bit vectors."""

import json
import os
import re
import subprocess
import sys
from typing import Any

import pytest

from tests.catalogue import CATALOGUE
from tests.unit.backends.assembly import Kernel, called, faults, functions, innermost_loops, packed_loops

Compiled = dict[str, list[Kernel]]


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Compiled:
    """Kernels compiled in another process, whose processor is said to be x86-64-v3."""
    folder = tmp_path_factory.mktemp("assembly")
    program = (sys.executable, "-m", "tests.unit.backends.machine_code", str(folder))
    processor = {"NUMBA_CPU_NAME": "x86-64-v3", "NUMBA_CPU_FEATURES": ""}
    done = subprocess.run(program, check=True, capture_output=True, text=True, env=os.environ | processor)
    return {name: [*map(_kernel, found)] for name, found in json.loads(done.stdout).items()}


def _kernel(described: dict[str, Any]) -> Kernel:
    return Kernel(**described | {"functions": tuple(described["functions"])})


@pytest.fixture(scope="module")
def catalogue(compiled: Compiled) -> list[Kernel]:
    return compiled["catalogue"]


def test_every_stencil_has_kernels_of_both_dtypes(catalogue: list[Kernel]) -> None:
    found = {(kernel.name.rsplit("_", 1)[0], kernel.dtype) for kernel in catalogue}
    assert found == {(name, dtype) for name in CATALOGUE for dtype in ("float64", "float32")}


@pytest.mark.parametrize(
    "fault", ["scalar", "mixed", "gather", "wraparound", "dtype", "allocator", "exception", "call"]
)
def test_kernels_of_the_catalogue_are_without(fault: str, catalogue: list[Kernel]) -> None:
    """Scalar loops are for what remains of a row, and for functions that have no packed form."""
    assert [f"{kernel.name} {kernel.dtype}" for kernel in catalogue if fault in faults(kernel)] == []


def test_loops_that_call_functions_are_few(catalogue: list[Kernel]) -> None:
    """All others are held to the rule, so that it says something of nearly every kernel."""
    calling = {kernel.name: kernel.functions for kernel in catalogue if kernel.functions}
    assert calling == {"microphysics_0": ("exp", "pow"), "kessler_0": ("exp", "pow")}
    assert sum(kernel.loops for kernel in catalogue) > 150


def test_rows_go_past_the_caches_where_the_program_says_so(catalogue: list[Kernel]) -> None:
    for kernel in catalogue:
        stores = re.findall(r"^\tvmovntp[sd]\t%ymm", kernel.text, re.MULTILINE)
        assert bool(stores) == ("\tsfence" in kernel.text) == kernel.streams, kernel.name
    assert {kernel.dtype for kernel in catalogue if kernel.streams} == {"float64", "float32"}


def test_rows_are_fetched_where_the_program_says_so(catalogue: list[Kernel]) -> None:
    for kernel in catalogue:
        assert ("\tprefetcht1" in kernel.text) == kernel.fetches, kernel.name
    assert {kernel.dtype for kernel in catalogue if kernel.fetches} == {"float64", "float32"}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("gathers", {"scalar"}),
        ("wraps_around", {"gather", "wraparound"}),
        ("waits_for_itself", {"scalar"}),
        ("raises", {"exception", "call"}),
        ("allocates", {"allocator", "exception", "call"}),
        ("widens", {"scalar", "dtype"}),
    ],
)
def test_bad_examples_have_the_fault_that_they_are_for(
    name: str, expected: set[str], compiled: Compiled
) -> None:
    (kernel,) = (item for item in compiled["bad"] if item.name == name)
    assert faults(kernel) == expected


def test_instructions_that_gather_are_a_fault() -> None:
    sum_of_gathered = "\tvgatherqpd\t%ymm3, (%rax,%ymm1,8), %ymm2\n\tvaddpd\t%ymm2, %ymm1, %ymm0\n"
    text = f"f:\n.LBB0_1:\n{sum_of_gathered}\tjne\t.LBB0_1\n"
    assert faults(Kernel("f", "float64", text, 1)) == {"gather"}


def test_loops_that_are_packed_in_part_are_a_fault() -> None:
    text = "f:\n.LBB0_1:\n\tvaddpd\t%ymm2, %ymm1, %ymm0\n\tvdivsd\t%xmm3, %xmm3, %xmm4\n\tjne\t.LBB0_1\n"
    assert faults(Kernel("f", "float64", text, 1)) == {"mixed"}


def test_half_a_vector_is_not_a_whole_one() -> None:
    text = "f:\n.LBB0_1:\n\tvaddps\t%xmm2, %xmm1, %xmm0\n\tjne\t.LBB0_1\n"
    assert packed_loops(text, "float32") == ()
    assert len(packed_loops(text.replace("xmm", "ymm"), "float32")) == 1
    assert packed_loops(text.replace("xmm", "ymm"), "float64") == ()


def test_innermost_loops_have_no_other_in_them() -> None:
    text = ".LBB0_1:\n\tnop\n.LBB0_2:\n\tinc\n\tjne\t.LBB0_2\n\tjmp\t.LBB0_3\n\tjle\t.LBB0_1\n.LBB0_3:\n\tret"
    assert innermost_loops(text) == (".LBB0_2:\n\tinc\n\tjne\t.LBB0_2",)


def test_calls_are_found_by_name_and_by_address() -> None:
    text = "\tcallq\tpow\n\tmovabsq\t$exp, %rax\n\tcallq\t*%rax\n\tjmp\t.LBB0_3\n\tmovabsq\t$.LCPI0_0, %rax\n"
    assert called(text) == {"pow", "exp"}


def test_functions_are_told_apart() -> None:
    text = "\n\t.type\ta,@function\na:\n\tret\n.Lfunc_end0:\n\t.type\tb,@function\nb:\n\tnop\n.Lfunc_end1:\n"
    assert functions(text) == {"a": "a:\n\tret\n.Lfunc_end0:", "b": "b:\n\tnop\n.Lfunc_end1:"}

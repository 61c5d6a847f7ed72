"""What the machine code of hot kernels has, and has not, on a processor with 256-bit vectors."""

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from typing import Final

import pytest

from tests.unit.backends.assembly import functions

NAMES: Final = ("hdiff", "vadv", "tridiagonal", "jacobi7")
DTYPES: Final = ("float64", "float32")
PACKED: Final = re.compile(r"\bv(?:add|sub|mul|div)p[sd]\b.*%ymm")
ALLOCATOR: Final = re.compile(r"NRT_|malloc|calloc|free")


@dataclass(frozen=True, slots=True)
class Kernel:
    text: str
    operations: int
    """How many different arithmetic operations its loops have."""


@pytest.fixture(scope="module", params=DTYPES)
def dtype(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def assembly(tmp_path_factory: pytest.TempPathFactory, dtype: str) -> dict[str, Kernel]:
    """Kernels compiled in another process, whose processor is said to be x86-64-v3."""
    folder = tmp_path_factory.mktemp("assembly")
    program = (sys.executable, "-m", "tests.unit.backends.assembly", str(folder), dtype, *NAMES)
    processor = {"NUMBA_CPU_NAME": "x86-64-v3", "NUMBA_CPU_FEATURES": ""}
    done = subprocess.run(program, check=True, capture_output=True, text=True, env=os.environ | processor)
    return {name: Kernel(*found) for name, found in json.loads(done.stdout).items()}


def test_every_kernel_is_found(assembly: dict[str, Kernel]) -> None:
    assert {name.rsplit("_", 1)[0] for name in assembly} == set(NAMES)


def test_kernels_gather_and_scatter_nothing(assembly: dict[str, Kernel]) -> None:
    for name, kernel in assembly.items():
        assert not re.search("gather|scatter", kernel.text), name


def test_kernels_compute_on_whole_vectors(assembly: dict[str, Kernel]) -> None:
    """Every operation occurs in a packed form; scalar forms are for what remains of a row."""
    for name, kernel in assembly.items():
        assert len(PACKED.findall(kernel.text)) >= kernel.operations > 0, name


def test_kernels_compute_in_the_dtype_of_the_fields(assembly: dict[str, Kernel], dtype: str) -> None:
    """A constant of another dtype would drag the arithmetic with it."""
    foreign = "d" if dtype == "float32" else "s"
    for name, kernel in assembly.items():
        assert not re.search(rf"\bv(?:add|sub|mul|div)[ps]{foreign}\b|\bvcvt", kernel.text), name


def test_kernels_allocate_nothing(assembly: dict[str, Kernel]) -> None:
    for name, kernel in assembly.items():
        assert not ALLOCATOR.search(kernel.text), name


def test_kernels_call_nothing_but_copies_of_memory(assembly: dict[str, Kernel]) -> None:
    """No check, no exception, no helper of the runtime: all is inlined."""
    for name, kernel in assembly.items():
        direct = re.findall(r"\bcallq?\s+(\w\S*)", kernel.text)
        addresses = re.findall(r"movabsq\s+\$([A-Za-z_]\w*)", kernel.text)
        assert {*direct, *addresses} <= {"memcpy", "memmove", "memset"}, name


def test_functions_are_told_apart() -> None:
    text = "\n\t.type\ta,@function\na:\n\tret\n.Lfunc_end0:\n\t.type\tb,@function\nb:\n\tnop\n.Lfunc_end1:\n"
    assert functions(text) == {"a": "a:\n\tret\n.Lfunc_end0:", "b": "b:\n\tnop\n.Lfunc_end1:"}

"""Fortran of `benchmarks/fortran`, compiled for this machine and loaded."""

import ctypes
import hashlib
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np

from tests.catalogue import DTypeLike

SOURCES: Final = Path(__file__).parent / "fortran"
BUILD: Final = Path(".benchmarks/build")
WIDTHS: Final = (256, 512)
"""Preferred vector widths in bits: which is faster depends on the kernel."""

FLAGS: Final = (
    "-std=f2018",
    "-O3",
    "-march=native",
    "-ffast-math",
    "-fstack-arrays",
    "-ffree-line-length-132",
    "-fPIC",
    "-shared",
)


@cache
def fortran_library(dtype: DTypeLike, width: int, *, parallel: bool) -> ctypes.CDLL:
    """All kernels for *dtype*, with vectors of *width* bits, serial or shared by OpenMP threads."""
    flags = (
        *FLAGS,
        f"-mprefer-vector-width={width}",
        "-fopenmp" if parallel else "-fopenmp-simd",
        *(("-DSINGLE",) if dtype is np.float32 else ()),
    )
    name = f"fortran_{np.dtype(dtype).name}_{width}_{'openmp' if parallel else 'serial'}"
    return ctypes.CDLL(str(built("gfortran", tuple(sorted(SOURCES.glob("*.F90"))), flags, name)))


def built(compiler: str, sources: tuple[Path, ...], flags: tuple[str, ...], name: str) -> Path:
    """The shared library of *sources*; compiled unless that was done before from the same text."""
    included = tuple(sorted(SOURCES.glob("*.inc")))
    path = BUILD / f"{name}_{_key(compiler, sources + included, flags)}.so"
    if not path.exists():
        BUILD.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=BUILD) as folder:
            library = Path(folder) / "library.so"
            modules = ("-J", folder) if compiler == "gfortran" else ()
            command = (compiler, *flags, *modules, *map(str, sources), "-o", str(library))
            subprocess.run(command, check=True)
            library.replace(path)
    return path.resolve()


def _key(compiler: str, sources: tuple[Path, ...], flags: tuple[str, ...]) -> str:
    version = subprocess.run((compiler, "--version"), check=True, capture_output=True).stdout
    parts = [version, " ".join(flags).encode(), *(source.read_bytes() for source in sources)]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()[:16]

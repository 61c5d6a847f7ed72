"""Fortran of `benchmarks/fortran`, compiled for this machine and loaded."""

import ctypes
import hashlib
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np

from benchmarks.report import processor
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
)


def fortran_library(kernel: str, dtype: DTypeLike, width: int, *, parallel: bool) -> ctypes.CDLL:
    """The variants of *kernel*, with vectors of *width* bits, serial or shared by OpenMP threads."""
    flags = (
        *FLAGS,
        f"-mprefer-vector-width={width}",
        "-fopenmp" if parallel else "-fopenmp-simd",
        *(("-DSINGLE",) if dtype is np.float32 else ()),
    )
    return ctypes.CDLL(str(built("gfortran", SOURCES / f"{kernel}.F90", flags)))


@cache
def built(compiler: str, source: Path, flags: tuple[str, ...]) -> Path:
    """The shared library of *source*; compiled unless that was done before from the same text."""
    path = BUILD / f"{source.stem}_{_key(compiler, source, flags)}.so"
    if not path.exists():
        BUILD.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=BUILD) as folder:
            library = Path(folder) / "library.so"
            code = Path(folder) / "code.o"
            modules = ("-J", folder) if compiler == "gfortran" else ()
            subprocess.run((compiler, *flags, *modules, "-c", str(source), "-o", str(code)), check=True)
            # Not with -ffast-math: that links start-up code which makes subnormals zero in all of Python.
            openmp = [flag for flag in flags if flag == "-fopenmp"]
            subprocess.run((compiler, "-shared", *openmp, str(code), "-o", str(library)), check=True)
            library.replace(path)
    return path.resolve()


def _key(compiler: str, source: Path, flags: tuple[str, ...]) -> str:
    """Of all that the library depends on, the processor included: it is compiled for this one."""
    version = subprocess.run((compiler, "--version"), check=True, capture_output=True).stdout
    texts = [path.read_bytes() for path in (source, *sorted(SOURCES.glob("*.inc")))]
    parts = [version, processor().encode(), " ".join(flags).encode(), *texts]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()[:16]

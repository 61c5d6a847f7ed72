"""The files of a library: what C programs, linkers and processors see of them."""

import os
import re
from pathlib import Path

import numpy as np
import pytest

from backends.native import BuiltLibrary, NativeSource, build_library, native_library
from backends.native.targets import TARGETS
from stencil import from_iir
from tests.native.calls import Loaded, load
from tests.native.tool_output import output

SMOOTH = """stencil smooth(u: f64[IJK], out: f64[IJK], weight: f64)
  temporary sums: f64[IJK]
  multistage parallel
    stage
      do [start, end)
        sums = u[-1, 0, 0] + u[1, 0, 0] + u[0, -1, 0] + u[0, 1, 0]
    stage
      do [start, end)
        check user(weight > 0.0, "weight %g", weight) key(0, 1)
        out = u + weight * (exp(sums - 4.0 * u) + floor(sums[1, 0, 0] / 3.0))
"""
MEAN = """stencil mean(u: f64[IJK], out: f64[IJK])
  multistage parallel
    stage
      do [start, end)
        out = (u[-1, 0, 0] + u[1, 0, 0]) * 0.5
"""
WARNINGS = ("-Wall", "-Wextra", "-Werror", "-pedantic")
LINKED = frozenset({"linux-vdso.so.1", "libm.so.6", "libc.so.6", "ld-linux-x86-64.so.2"})


def small_library(target: str, folder: Path) -> BuiltLibrary:
    stencils = [from_iir(text) for text in (SMOOTH, MEAN)]
    sources = [NativeSource(item.iir, item.optimized) for item in stencils]
    return build_library(native_library(sources, "small", target), folder)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> BuiltLibrary:
    return small_library("x86-64-v3", tmp_path_factory.mktemp("small"))


@pytest.fixture(scope="module")
def program(small: BuiltLibrary) -> Path:
    """A C program with the static library in it."""
    path = small.header.parent / "heat"
    source = Path(__file__).with_name("heat.c")
    assert small.static is not None
    output("cc", "-std=c11", *WARNINGS, "-I", small.header.parent, source, small.static, "-lm", "-o", path)
    return path


EXPECTED = re.compile(r"1 (\S+) (\S+)\n3\n5 line 9 \(0 0 0\) weight -1\n45 refused\n")


@pytest.mark.tool("cc")
def test_c_program_with_the_static_library_runs_in_an_empty_environment(program: Path) -> None:
    match = EXPECTED.fullmatch(output("env", "-i", program))
    assert match is not None
    u = (np.arange(6 * 5 * 4) % 7).astype(np.float64).reshape((6, 5, 4), order="F")
    out = np.zeros_like(u, order="F")
    from_iir(SMOOTH)(u, out, 0.125, domain=(3, 3, 4), origin=(1, 1, 0))
    assert (float(match[1]), float(match[2])) == (out[1, 1, 0], out[3, 3, 3])


@pytest.mark.tool("cc")
def test_program_needs_nothing_but_the_libraries_of_c(program: Path, small: BuiltLibrary) -> None:
    for path in (program, small.shared):
        assert path is not None
        needed = {Path(line.split()[0]).name for line in output("ldd", path).splitlines()}
        assert needed <= LINKED


@pytest.mark.tool("valgrind")
def test_program_reads_and_writes_only_what_is_there(program: Path) -> None:
    check = ("valgrind", "--quiet", "--error-exitcode=9", "--leak-check=full", "--track-origins=yes")
    assert EXPECTED.fullmatch(output(*check, program))


@pytest.mark.tool("cc")
def test_boundary_and_kernels_do_nothing_undefined(small: BuiltLibrary) -> None:
    path = small.header.parent / "heat_sanitized"
    sources = (Path(__file__).with_name("heat.c"), small.boundary, small.kernels)
    checks = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-g")
    output("cc", "-std=c11", *checks, "-I", small.header.parent, *sources, "-lm", "-o", path)
    assert EXPECTED.fullmatch(output("env", "-i", path))


@pytest.mark.tool("cc")
def test_generated_c_compiles_without_warnings(doubles: Loaded, others: Loaded) -> None:
    for built in (doubles.built, others.built):
        output("cc", "-std=c11", *WARNINGS, "-fsyntax-only", built.boundary)


@pytest.mark.tool("g++")
def test_headers_of_several_libraries_serve_c_plus_plus(
    small: BuiltLibrary, others: Loaded, tmp_path: Path
) -> None:
    source = tmp_path / "both.cpp"
    source.write_text(f'#include "{small.header}"\n#include "{others.built.header}"\n')
    output("g++", *WARNINGS, "-fsyntax-only", source)


@pytest.mark.tool("objdump")
def test_object_needs_nothing_but_functions_of_libm_and_memory(doubles: Loaded, others: Loaded) -> None:
    for built in (doubles.built, others.built):
        symbols = set(re.findall(r"\*UND\*\s+\S+\s+(\S+)", output("objdump", "-t", built.kernels)))
        assert symbols <= {"exp", "pow", "fmod", "floor", "memset", "memcpy", "memmove"}


@pytest.mark.tool("objdump")
def test_shared_library_exports_only_what_the_header_declares(doubles: Loaded) -> None:
    built = doubles.built
    assert built.shared is not None
    table = output("objdump", "-T", built.shared)
    exported = set(re.findall(r" g +DF? .*?(\w+)$", table, re.MULTILINE))
    declared = set(re.findall(r"\b(\w+_(?:run|workspace_bytes|stack_bytes))\(", built.header.read_text()))
    assert exported == declared
    assert len(exported) == 3 * len(doubles.library.stencils)


@pytest.mark.tool("objdump")
@pytest.mark.parametrize(
    ("target", "wider"), [("x86-64-v2", r"%[yz]mm|\bv[a-z]+[sp][sd]\b"), ("x86-64-v3", r"%zmm|%k[0-7]")]
)
def test_object_holds_no_instruction_beyond_its_target(target: str, wider: str, tmp_path: Path) -> None:
    built = small_library(target, tmp_path)
    assert built.shared is not None
    for path in (built.kernels, built.shared):
        assert not re.search(wider, output("objdump", "-d", path))


@pytest.mark.tool("objdump")
def test_default_target_uses_what_it_has(small: BuiltLibrary) -> None:
    assert "%ymm" in output("objdump", "-d", small.kernels)


def test_native_library_runs_here(tmp_path: Path) -> None:
    stencil = from_iir(SMOOTH)
    library = native_library([NativeSource(stencil.iir, stencil.optimized)], "small", "native")
    loaded = load(library, build_library(library, tmp_path))
    u = np.random.default_rng(0).uniform(0.0, 1.0, (20, 9, 3)).copy(order="F")
    expected, actual = np.zeros_like(u, order="F"), np.zeros_like(u, order="F")
    stencil(u, expected, 0.125, domain=(17, 7, 3), origin=(1, 1, 0))
    arguments = {"u": u, "out": actual, "weight": 0.125}
    assert loaded.stencil("smooth")(arguments, (1, 1, 0), (17, 7, 3)).text == ""
    assert np.array_equal(actual, expected)


def test_object_for_another_architecture_comes_with_the_source_to_link_it_with(tmp_path: Path) -> None:
    other = "aarch64" if os.uname().machine == "x86_64" else "x86-64-v3"
    built = small_library(other, tmp_path)
    machine = {"aarch64": 183, "x86_64": 62}[str(TARGETS[other].machine)]
    header = built.kernels.read_bytes()[:20]
    assert header[:4] == b"\x7fELF" and int.from_bytes(header[18:20], "little") == machine
    assert built.shared is None and built.static is None
    assert "smooth_kernels(" in built.boundary.read_text()
    assert {path.name for path in tmp_path.iterdir()} == {"small.h", "small_boundary.c", "small_kernels.o"}


def test_same_library_is_made_of_the_same_bytes(small: BuiltLibrary, tmp_path: Path) -> None:
    again = small_library("x86-64-v3", tmp_path)
    for one, other in (
        (small.header, again.header),
        (small.boundary, again.boundary),
        (small.kernels, again.kernels),
    ):
        assert one.read_bytes() == other.read_bytes()


@pytest.mark.tool("objdump")
def test_frames_of_kernels_are_as_large_as_is_told(doubles: Loaded) -> None:
    frames: dict[str, int] = {}
    for line in output("objdump", "-d", "--no-show-raw-insn", doubles.built.kernels).splitlines():
        if start := re.match(r"[0-9a-f]+ <(.+)>:", line):
            name = start[1]
        elif taken := re.search(r"\bsub\s+\$0x([0-9a-f]+),%rsp", line):
            frames[name] = max(frames.get(name, 0), int(taken[1], 16))
    for stencil in doubles.library.stencils:
        told = doubles.stencil(stencil.name).bytes_of("stack", (1, 1, 1))
        assert sum(size for name, size in frames.items() if stencil.name in name) < told

"""Running kernels: layouts, threads, empty domains, failed checks."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from backends import numba_cpu
from backends.base import Array, CallShape, FieldLayout, Options
from backends.loopnest.layout import FORTRAN, Layout
from backends.numba_cpu.executable import NumbaStencil, _workspaces
from iir.diagnostics import BackendError, CheckError
from iir.parser import from_text
from iir.schedule import Axis
from tests.running import build

HDIFF = """stencil smooth(u: f64[IJK], v: f64[IJK])
  temporary lap: f64[IJK]
  multistage parallel
    stage
      do [start, end)
        lap = u[1, 0, 0] + u[-1, 0, 0] + u[0, 1, 0] + u[0, -1, 0] - 4.0 * u
    stage
      do [start, end)
        v = lap[1, 0, 0] + lap[-1, 0, 0] + lap[0, 1, 0] + lap[0, -1, 0] - 4.0 * lap
"""
PLAIN = Options(parallel=False, jit=False)
DOMAIN = (9, 7, 5)


def _executable(text: str, options: Options, folder: Path) -> NumbaStencil:
    executable = build(numba_cpu.BACKEND, from_text(text), options, folder)
    assert isinstance(executable, NumbaStencil)
    return executable


def _shape(domain: tuple[int, int, int], *arrays: Array, origin: tuple[int, ...] = (2, 2, 0)) -> CallShape:
    return CallShape(domain, tuple(FieldLayout(a.shape, a.strides, origin) for a in arrays))


def _arrays(order: Any = "F") -> tuple[Array, Array]:
    u = np.asarray(np.random.default_rng(1).random((13, 11, 5)), order=order)
    return u, np.zeros_like(u)


def _expected(u: Array) -> Array:
    lap = u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4.0 * u[1:-1, 1:-1]
    result: Array = lap[2:, 1:-1] + lap[:-2, 1:-1] + lap[1:-1, 2:] + lap[1:-1, :-2] - 4.0 * lap[1:-1, 1:-1]
    return result


@pytest.mark.parametrize("jit", [False, True])
@pytest.mark.parametrize("parallel", [False, True])
def test_every_layout_gives_the_same_bits(parallel: bool, jit: bool, tmp_path: Path) -> None:
    executable = _executable(HDIFF, Options(parallel=parallel, jit=jit), tmp_path)
    for order, layout in (("F", FORTRAN), ("C", Layout(Axis.K, Axis.K)), ("sliced", Layout(None, Axis.K))):
        u, v = _arrays("C" if order == "C" else "F")
        if order == "sliced":
            u, v = np.repeat(u, 2, axis=2)[:, :, ::2], np.zeros((13, 11, 10))[:, :, ::2]
        executable.prepare(_shape(DOMAIN, u, v))([u, v], [])
        assert (v[2:-2, 2:-2] == _expected(u)).all()
        assert np.count_nonzero(v) == v[2:-2, 2:-2].size
        assert layout in executable._kernels
    assert len(executable._kernels) == 3


@pytest.mark.parametrize("name", ["x" * 300, "変" * 100])
def test_long_names_of_stencils_fit_into_file_names(name: str, tmp_path: Path) -> None:
    text = f"""stencil {name}(u: f64[IJK])
  multistage parallel
    stage
      do [start, end)
        u = 1.0
"""
    u = np.zeros((2, 2, 2), order="F")
    executable = _executable(text, Options(parallel=False), tmp_path)
    executable.prepare(_shape(u.shape, u, origin=(0, 0, 0)))([u], [])
    assert u.all() and list(tmp_path.rglob("*.nbi"))


def test_kernels_are_written_when_a_layout_first_needs_them(tmp_path: Path) -> None:
    executable = _executable(HDIFF, PLAIN, tmp_path)
    assert not list(tmp_path.glob("*.py"))
    u, v = _arrays("F")
    executable.prepare(_shape(DOMAIN, u, v))
    assert list(tmp_path.glob("*.py")) == [executable.path]
    u, v = _arrays("C")
    executable.prepare(_shape(DOMAIN, u, v))
    assert len(list(tmp_path.glob("*.py"))) == 2


def test_fields_without_an_axis_do_not_decide_the_layout(tmp_path: Path) -> None:
    text = """stencil s(u: f64[IJK], p: f64[K])
  multistage parallel
    stage
      do [start, end)
        u = u + p
"""
    u, p = np.zeros((2, 3, 4), order="F"), np.arange(8.0)[::2]
    layouts = FieldLayout(u.shape, u.strides, (0, 0, 0)), FieldLayout(p.shape, p.strides, (0,))
    executable = _executable(text, PLAIN, tmp_path)
    executable.prepare(CallShape((2, 3, 4), layouts))([u, p], [])
    assert (u == p).all() and list(executable._kernels) == [FORTRAN]


def test_empty_domain_computes_nothing_and_compiles_nothing(tmp_path: Path) -> None:
    executable = _executable(HDIFF, Options(), tmp_path)
    u, v = _arrays()
    for domain in ((0, 7, 5), (9, 0, 5), (9, 7, 0)):
        executable.prepare(_shape(domain, u, v))([u, v], [])
    assert not v.any() and not list(tmp_path.glob("*.py"))


def test_threads_share_nothing_where_no_loop_may_be_shared(tmp_path: Path) -> None:
    text = (
        HDIFF.replace("parallel", "forward")
        .replace("u[1, 0, 0]", "v[0, 1, -1]")
        .replace("[start", "[start+1")
    )
    executable = _executable(text, Options(parallel=True), tmp_path)
    u, v = _arrays()
    executable.prepare(_shape(DOMAIN, u, v))([u, v], [])
    assert "prange" not in executable.path.read_text()


@pytest.mark.parametrize("inputs", [2, 12])
def test_threads_finish_a_loop_before_the_next_starts(inputs: int, tmp_path: Path) -> None:
    # The first loop is cut along j and the second along k, so that each share needs all of the first.
    names = [f"a{n}" for n in range(inputs)]
    text = f"""stencil s({", ".join(f"{name}: f64[IJK]" for name in (*names, "out"))})
  temporary sums: f64[IJK]
  multistage forward
    stage
      do [start, start+1)
        sums = {" + ".join(names)}
      do [start+1, end)
        sums = {" + ".join(names)} + sums[0, 0, -1]
  multistage parallel
    stage
      do [start, end)
        out = {" + ".join(names)} + sums[0, 1, 0]
"""
    kernels = _executable(text, Options(), tmp_path)._kernels_for(FORTRAN)
    arrays = [np.ones((3, 9, 8), order="F") for _ in names] + [np.zeros((3, 9, 8), order="F")]
    chunks, domain = 8, (3, 8, 8)
    workspaces = _workspaces(kernels.interface.workspaces, domain, chunks)
    kernels.parallel()(*arrays, *workspaces, *(0, 0, 0) * len(arrays), *domain, chunks)
    assert (arrays[-1][:, :8] == inputs * np.arange(2.0, 10.0)).all()


def test_many_threads_may_call_one_runner(tmp_path: Path) -> None:
    executable = _executable(HDIFF, Options(parallel=False), tmp_path)
    u, v = _arrays()
    runner = executable.prepare(_shape(DOMAIN, u, v))
    fields = [(u + n, np.zeros_like(u)) for n in range(8)]

    def work(n: int) -> None:
        for _ in range(200):
            runner(fields[n], [])

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(work, range(8)))
    assert all((b[2:-2, 2:-2] == _expected(a)).all() for a, b in fields)


def test_many_threads_may_call_parallel_kernels(tmp_path: Path) -> None:
    executable = _executable(HDIFF, Options(parallel=True), tmp_path)
    u, v = _arrays()
    runner = executable.prepare(_shape(DOMAIN, u, v))
    fields = [(u + n, np.zeros_like(u)) for n in range(4)]
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(lambda n: [runner(fields[n], []) for _ in range(50)], range(4)))
    assert all((b[2:-2, 2:-2] == _expected(a)).all() for a, b in fields)


def test_calls_wait_for_each_other_where_numba_would_end_the_process(tmp_path: Path) -> None:
    test = f"{__file__}::{test_many_threads_may_call_parallel_kernels.__name__}"
    command = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--basetemp={tmp_path}", test)
    layer = {"NUMBA_THREADING_LAYER": "workqueue"}
    done = subprocess.run(command, check=False, capture_output=True, text=True, env=os.environ | layer)
    assert done.returncode == 0, done.stdout + done.stderr


CHECK = """stencil s(u: f64[IJK])
  multistage backward
    stage
      do [start, end)
        check user(u < 5.0, "%g is too big", u) key(0, 1)
        u = 0.0
"""


@pytest.mark.parametrize("parallel", [False, True])
@pytest.mark.parametrize("jit", [False, True])
def test_failed_check_with_the_smallest_key_is_raised_after_the_run(
    parallel: bool, jit: bool, tmp_path: Path
) -> None:
    u = np.zeros((4, 4, 4), order="F")
    u[1, 2, 3], u[3, 1, 3], u[0, 0, 0] = 7.0, 8.0, 9.0
    executable = _executable(CHECK, Options(parallel=parallel, jit=jit), tmp_path)
    runner = executable.prepare(_shape((4, 4, 4), u, origin=(0, 0, 0)))
    with pytest.raises(CheckError, match="8 is too big") as caught:
        runner([u], [])
    assert caught.value.index == (3, 1, 3) and caught.value.values == (8.0,)
    assert not u.any()
    runner([u], [])


@pytest.mark.parametrize("option", ["nnan", "ninf", "fast"])
def test_options_that_break_nan_are_refused(option: str, tmp_path: Path) -> None:
    with pytest.raises(BackendError, match=f"'{option}' is not allowed"):
        _executable(HDIFF, Options(fastmath=frozenset({option})), tmp_path)


def test_allowed_fastmath_options_compile(tmp_path: Path) -> None:
    options = Options(parallel=False, fastmath=frozenset({"contract", "reassoc", "arcp", "afn", "nsz"}))
    u, v = _arrays()
    _executable(HDIFF, options, tmp_path).prepare(_shape(DOMAIN, u, v))([u, v], [])
    assert np.allclose(v[2:-2, 2:-2], _expected(u))


def test_external_function_that_numba_cannot_compile_is_a_backend_error(tmp_path: Path) -> None:
    text = CHECK.replace('check user(u < 5.0, "%g is too big", u) key(0, 1)', 'u = call "os:getenv"(u)')
    u = np.zeros((4, 4, 4), order="F")
    executable = _executable(text, Options(parallel=False), tmp_path)
    with pytest.raises(BackendError, match="Numba cannot compile 's_0'") as caught:
        executable.prepare(_shape((4, 4, 4), u, origin=(0, 0, 0)))
    assert str(executable.path) in str(caught.value)


def test_external_function_must_exist(tmp_path: Path) -> None:
    text = CHECK.replace('check user(u < 5.0, "%g is too big", u) key(0, 1)', 'u = call "os:nothing"(u)')
    with pytest.raises(BackendError, match="'os:nothing' cannot be found"):
        _executable(text, PLAIN, tmp_path)

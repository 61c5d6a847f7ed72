"""Calls of tuned stencils: measured once for each kind of call, and not again by later processes."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from textwrap import dedent
from typing import Any

import numpy as np
import pytest

from backends import numba_cpu
from backends.base import Array, CallShape, FieldLayout, Options, Origin
from backends.loopnest.layout import FORTRAN
from backends.numba_cpu.executable import SMALLEST_TUNED, NumbaStencil
from backends.numba_cpu.manifest import read_manifest, write_manifest
from backends.numba_cpu.tuning import Candidate, Tuning
from iir.diagnostics import CheckError
from iir.nodes import Stencil
from iir.parser import from_text
from tests.running import build

TUNED = Options(parallel=False, tune=True)
BOTH = Candidate(replace(FORTRAN, prefetches=True, streams=True), 1)

COPY = """stencil s(u: f64[IJK], v: f64[IJK])
  multistage parallel
    stage
      do [start, end)
        v = u + u[0, 1, 0]
"""
IN_PLACE = """stencil s(u: f64[IJK], v: f64[IJK])
  multistage parallel
    stage
      do [start, end)
        check user(u < 3.0, "%g is too big", u) key(0, 0)
        u = 2.0 * u
        v = u
"""


def _scheduled(ir: Stencil, options: Options) -> Any:
    program = numba_cpu.BACKEND.lower(numba_cpu.BACKEND.schedule(ir, options), options)
    return numba_cpu.BACKEND.emit(program, options)


def _kept(text: str, options: Options, folder: Path) -> NumbaStencil:
    """A new executable that uses what *folder* holds."""
    ir = from_text(text)
    executable = numba_cpu.BACKEND.reuse(Origin(ir, "", lambda: _scheduled(ir, options)), options, folder)
    assert isinstance(executable, NumbaStencil)
    return executable


def _arrays(ni: int = 5) -> tuple[Array, Array]:
    u = np.asfortranarray(np.random.default_rng(2).random((ni, 6, 4)))
    return u, np.zeros_like(u, order="F")


def _shape(u: Array) -> CallShape:
    layout = FieldLayout(u.shape, u.strides, (0, 0, 0))
    return CallShape((u.shape[0], u.shape[1] - 1, u.shape[2]), (layout, layout))


def _messages(executable: NumbaStencil) -> list[str]:
    assert {note.code for note in executable.notes} <= {"tuned"}
    return [note.message for note in executable.notes]


def _tunings(folder: Path) -> dict[str, Tuning]:
    (path,) = folder.glob("*.json")
    manifest = read_manifest(path)
    assert manifest is not None
    return dict(manifest.tunings)


def test_first_call_measures_all_candidates_and_keeps_what_they_took(tmp_path: Path) -> None:
    executable = _kept(COPY, TUNED, tmp_path)
    u, v = _arrays()
    runner = executable.prepare(_shape(u))
    assert _messages(executable) == []
    runner([u, v], [])
    assert (v[:, :-1] == u[:, :-1] + u[:, 1:]).all() and not v[:, -1].any()
    (tuning,) = _tunings(tmp_path).values()
    assert tuning.domain == (5, 5, 4) and tuning.chosen in tuning.seconds
    assert {Candidate(FORTRAN, 1), BOTH} <= tuning.seconds.keys()
    texts = {path.read_text() for path in tmp_path.glob("*.py")}
    assert len(texts) == len(tuning.seconds)
    assert _messages(executable) == [str(tuning)]


def test_later_executables_take_what_was_measured(tmp_path: Path) -> None:
    u, v = _arrays()
    _kept(COPY, TUNED, tmp_path).prepare(_shape(u))([u, v], [])
    (path,) = tmp_path.glob("*.json")
    manifest = read_manifest(path)
    assert manifest is not None
    ((kind, found),) = manifest.tunings.items()
    made_up = Tuning(found.domain, {item: 1.0 for item in found.seconds} | {BOTH: 0.5}, BOTH)
    write_manifest(path, replace(manifest, tunings={kind: made_up}))
    executable, again = _kept(COPY, TUNED, tmp_path), np.zeros_like(v)
    executable.prepare(_shape(u))([u, again], [])
    assert (again == v).all()
    assert "stream" in executable.source.text
    assert _tunings(tmp_path) == {kind: made_up}
    assert _messages(executable) == [str(made_up)]


def test_each_kind_of_call_is_measured(tmp_path: Path) -> None:
    executable = _kept(COPY, TUNED, tmp_path)
    for ni in (5, 9, 5):
        u, v = _arrays(ni)
        executable.prepare(_shape(u))([u, v], [])
    assert [item.domain[0] for item in _tunings(tmp_path).values()] == [5, 9]
    assert len(_messages(executable)) == 2


def test_measurements_survive_processes_that_do_not_tune(tmp_path: Path) -> None:
    u, v = _arrays()
    _kept(COPY, TUNED, tmp_path).prepare(_shape(u))([u, v], [])
    before = _tunings(tmp_path)
    plain = _kept(COPY, replace(TUNED, tune=False), tmp_path)
    transposed = np.ascontiguousarray(u)
    plain.prepare(_shape(transposed))([transposed, np.zeros_like(transposed)], [])
    assert before and _tunings(tmp_path) == before and _messages(plain) == []


def test_kernels_of_one_way_are_not_measured(tmp_path: Path) -> None:
    executable = _kept(COPY, TUNED, tmp_path)
    u, v = (item[::2] for item in _arrays(10))
    executable.prepare(_shape(u))([u, v], [])
    assert [len(item.seconds) for item in _tunings(tmp_path).values()] == [0]
    assert _messages(executable) == []


def test_threads_are_measured_against_one_where_the_user_leaves_the_choice(tmp_path: Path) -> None:
    u, v = (np.asfortranarray(np.ones((SMALLEST_TUNED, 3, 1))) for _ in range(2))
    _kept(COPY, replace(TUNED, parallel="auto"), tmp_path).prepare(_shape(u))([u, v], [])
    (tuning,) = _tunings(tmp_path).values()
    threads = {item.threads for item in tuning.seconds}
    assert 1 in threads and tuning.chosen in tuning.seconds and (v[:, :-1] == 2.0).all()


def test_stencils_in_place_run_once_on_the_users_arrays(tmp_path: Path) -> None:
    u, v = _arrays()
    before = u.copy()
    _kept(IN_PLACE, TUNED, tmp_path).prepare(CallShape(u.shape, _shape(u).fields))([u, v], [])
    assert (u == 2.0 * before).all() and (v == u).all()


def test_call_that_fails_is_no_measure(tmp_path: Path) -> None:
    executable = _kept(IN_PLACE, TUNED, tmp_path)
    u, v = _arrays()
    u[1, 2, 3] = 7.0
    before = u.copy()
    runner = executable.prepare(CallShape(u.shape, _shape(u).fields))
    with pytest.raises(CheckError, match="7 is too big") as caught:
        runner([u, v], [])
    assert caught.value.index == (1, 2, 3) and (u == 2.0 * before).all()
    assert _tunings(tmp_path) == {} and _messages(executable) == []
    u[...] = 1.0
    runner([u, v], [])
    assert len(_tunings(tmp_path)) == 1 and (u == 2.0).all()


def test_plain_python_is_not_measured(tmp_path: Path) -> None:
    executable = build(numba_cpu.BACKEND, from_text(COPY), replace(TUNED, jit=False), tmp_path)
    assert isinstance(executable, NumbaStencil)
    u, v = _arrays()
    executable.prepare(_shape(u))([u, v], [])
    assert len(list(tmp_path.glob("*.py"))) == 1 and _messages(executable) == []


MODULE = dedent("""\
    import json
    import numpy as np
    from stencil import PARALLEL, Field, computation, interval, stencil

    @stencil(backend="numba", parallel=False)
    def double(u: Field[np.float64], v: Field[np.float64]):
        with computation(PARALLEL), interval(...):
            v = u + u

    u = np.asfortranarray(np.arange(24.0).reshape(2, 3, 4))
    v = np.zeros_like(u)
    double(u, v)
    assert (v == 2.0 * u).all()
    print(json.dumps([note.message for note in double.notes]))
""")


def test_second_process_tells_what_the_first_has_measured(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(MODULE)
    own = {"STENCIL_CACHE_DIR": str(tmp_path), "STENCIL_TUNE": "on", "PYTHONPATH": os.pathsep.join(sys.path)}
    unwanted = ("NUMBA_CACHE_DIR", "STENCIL_DUMP", "NUMBA_DISABLE_JIT")
    environment = {name: value for name, value in os.environ.items() if name not in unwanted} | own

    def run() -> list[str]:
        command = (sys.executable, str(script))
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
        assert done.returncode == 0, done.stderr
        messages: list[str] = json.loads(done.stdout)
        return messages

    first, files = run(), {path: path.read_bytes() for path in tmp_path.rglob("*.json")}
    assert len(first) == 1 and first[0].startswith("Calls on 2x3x4 took: plain ")
    assert run() == first and {path: path.read_bytes() for path in tmp_path.rglob("*.json")} == files

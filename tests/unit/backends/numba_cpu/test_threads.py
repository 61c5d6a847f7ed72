"""Threads: they start with the back end's settings or the user's, and sleep when they wait."""

import multiprocessing
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.unit.backends.numba_cpu.concurrent_calls import CALLERS, ENTRIES, made

SCRIPT = """
import os, time
import numpy as np
from stencil import from_iir
f = from_iir('''stencil s(u: f64[IJK])
  multistage parallel
    stage
      do [start, end)
        u = u + 1.0
''', backend="numba", parallel=True)
f(np.zeros((4, 4, 4), order="F"))
import numba
start = time.process_time()
time.sleep(0.05)
print(numba.threading_layer(), os.environ.get("OMP_WAIT_POLICY"), time.process_time() - start < 0.02)
"""
CHOICES = ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "KMP_BLOCKTIME")


def _run(**choices: str) -> tuple[list[str], str]:
    """What the script prints, and the settings that OpenMP says it has."""
    own = {name: value for name, value in os.environ.items() if name not in CHOICES}
    environment = {**own, "OMP_DISPLAY_ENV": "VERBOSE", "NUMBA_THREADING_LAYER": "omp", **choices}
    command = (sys.executable, "-c", SCRIPT)
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    return done.stdout.split(), done.stderr


def test_waiting_threads_sleep() -> None:
    printed, settings = _run()
    assert printed == ["omp", "None", "True"]
    assert "OMP_WAIT_POLICY = 'PASSIVE'" in settings


@pytest.mark.parametrize(("name", "value"), [("OMP_WAIT_POLICY", "ACTIVE"), ("GOMP_SPINCOUNT", "77")])
def test_choice_of_the_user_stays(name: str, value: str) -> None:
    printed, settings = _run(**{name: value})
    assert printed[:2] == ["omp", "ACTIVE" if name == "OMP_WAIT_POLICY" else "None"]
    assert f"{name} = '{value}'" in settings


FORKING = """
import os
import numpy as np
from stencil import from_iir
f = from_iir('''stencil s(u: f64[IJK], out: f64[IJK])
  temporary t: f64[IJK]
  multistage parallel
    stage
      do [start, end)
        t = u * 3.0
    stage
      do [start, end)
        out = t[1, 0, 0] / 7.0 + t[0, 1, 0]
''', backend="numba", parallel=True)
u = np.asfortranarray(np.random.default_rng(1).random((9, 9, 5)))
out, again, other = (np.zeros_like(u) for _ in range(3))
f(u, out)
child = os.fork()
if child == 0:
    f(u, again)
    f(u[:, :, :4], other[:, :, :4])
    assert (out == again).all() and (out[:, :, :4] == other[:, :, :4]).all() and out.any()
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
f(u, again)
assert (out == again).all()
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system does not fork")
@pytest.mark.parametrize("layer", ["omp", "workqueue"])
def test_forked_process_gets_the_same_results(layer: str) -> None:
    environment = os.environ | {"NUMBA_THREADING_LAYER": layer}
    command = (sys.executable, "-W", "ignore", "-c", FORKING)
    done = subprocess.run(command, check=False, capture_output=True, text=True, env=environment, timeout=120)
    assert done.returncode == 0, done.stderr


def test_layer_that_is_not_there_is_a_backend_error() -> None:
    script = SCRIPT.replace("f(np.zeros", "try:\n  f(np.zeros").replace(
        "import numba\n", "except BackendError as e: print(e); raise SystemExit\n"
    )
    script = script.replace("import from_iir", "import BackendError, from_iir")
    environment = os.environ | {"NUMBA_THREADING_LAYER": "nonsense"}
    command = (sys.executable, "-c", script)
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    assert "Numba cannot start the threads that share loops. [threads]" in done.stdout
    assert "hint: Choose another NUMBA_THREADING_LAYER" in done.stdout


def test_numba_that_is_switched_off_runs_plain_python() -> None:
    script = SCRIPT[: SCRIPT.index("import numba")]
    for parallel in ("True", "False"):
        environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
        command = (sys.executable, "-c", script.replace("parallel=True", f"parallel={parallel}"))
        done = subprocess.run(command, check=False, capture_output=True, text=True, env=environment)
        assert done.returncode == 0, done.stderr


LAYERS = pytest.mark.parametrize("layer", ["omp", "workqueue", "tbb"])
CALLS = 2 * len(ENTRIES) * CALLERS
"""In one process: with temporaries on the stack, and on the heap."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of kernels; at first nobody has compiled any."""
    return tmp_path_factory.mktemp("kernels")


def _right_calls(how: str, layer: str, folder: Path) -> list[str]:
    """The layer, the number of threads, and how many callers got what they should."""
    environment = {"NUMBA_THREADING_LAYER": layer, "NUMBA_NUM_THREADS": "3", "STENCIL_CACHE_DIR": str(folder)}
    command = (sys.executable, "-W", "ignore", "-m", "tests.unit.backends.numba_cpu.concurrent_calls", how)
    done = subprocess.run(
        command, check=False, capture_output=True, text=True, env=os.environ | environment, timeout=300
    )
    if layer != "workqueue" and "Numba cannot start the threads" in done.stderr:
        pytest.skip(f"there is no {layer}")
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_temporaries_of_concurrent_calls_are_rows_and_columns() -> None:
    kinds = {str(item.kind) for entry in ENTRIES for item in made(entry, backend="numba").storage.values()}
    assert {"row", "column"} <= kinds


@LAYERS
def test_threads_that_call_at_once_get_what_each_should(layer: str, folder: Path) -> None:
    assert _right_calls("threads", layer, folder) == [layer, "3", str(CALLS)]


@LAYERS
@pytest.mark.parametrize("method", ["spawn", "fork"])
def test_processes_of_a_pool_get_what_each_should(method: str, layer: str, folder: Path) -> None:
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip(f"the system does not {method}")
    assert _right_calls(method, layer, folder) == [layer, "3", str(3 * CALLS)]

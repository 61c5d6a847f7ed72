"""Threads: they start with the back end's settings or the user's, and sleep when they wait."""

import os
import subprocess
import sys

import pytest

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

"""Kernels that an earlier process has built: used without making their source, made anew when damaged."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

MODULE = dedent('''\
    """Two stencils, and a call of one of them."""

    import json
    import sys

    import numpy as np

    from stencil import PARALLEL, CheckError, Field, computation, from_iir, interval, stencil


    @stencil(backend="numba")
    def twice(u: Field[np.float64], out: Field[np.float64]):
        with computation(PARALLEL), interval(...):
            out = u + u  # as written


    CHECKED = """stencil checked(u: f64[IJK], out: f64[IJK])
      multistage parallel
        stage
          do [start, end)
            check user(u < 23.0, "%g is too big", u) key(0, 0)
            out = u + u
    """

    f = from_iir(CHECKED, backend="numba") if "checked" in sys.argv else twice
    u = np.asarray(np.arange(24.0).reshape(2, 3, 4), order=sys.argv[1])
    out = np.zeros_like(u)
    answer = {"error": None, "file": None, "same": None}
    try:
        f(u, out)
    except CheckError as error:
        answer["error"] = str(error), error.index, error.values
    assert (out == 2.0 * u).all()
    makers = "iir.passes", "backends.loopnest.lowering", "backends.numba_cpu.emit", "filelock"
    answer["made"] = [name for name in makers if name in sys.modules]
    if "products" in sys.argv:
        assert f.scheduled.multistages and f.loops.kernels
        answer["file"] = f.source_path.name
        answer["same"] = f.source_path.read_text() == f.source
    print(json.dumps(answer))
''')


def run(folder: Path, *arguments: str, order: str = "F") -> dict[str, Any]:
    """What a process answers that uses the stencil and the cache in *folder*."""
    command = (sys.executable, str(folder / "uses_stencil.py"), order, *arguments)
    unwanted = ("NUMBA_CACHE_DIR", "STENCIL_DUMP", "STENCIL_BACKEND", "PYTHONDONTWRITEBYTECODE")
    environment = {name: value for name, value in os.environ.items() if name not in unwanted}
    environment |= {"STENCIL_CACHE_DIR": str(folder), "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder whose cache an earlier process has filled."""
    folder = tmp_path_factory.mktemp("built")
    (folder / "uses_stencil.py").write_text(MODULE)
    assert len(run(folder)["made"]) == 4
    return folder


@pytest.fixture
def cache(built: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(built, tmp_path / "copy"))


def files(cache: Path, pattern: str) -> list[Path]:
    return sorted((cache / "kernels").rglob(pattern))


def test_second_process_makes_no_source(cache: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in files(cache, "*.*")}
    assert run(cache)["made"] == []
    assert {path: path.stat().st_mtime_ns for path in files(cache, "*.*")} == before


def test_products_are_made_when_asked_for(cache: Path) -> None:
    answer = run(cache, "products")
    assert answer["made"] == [] and answer["same"]


def test_failed_check_is_told_in_full(cache: Path) -> None:
    errors = [run(cache, "checked")["error"] for _ in range(2)]
    assert errors[0] == errors[1] and errors[1][1:] == [[1, 2, 3], [23.0]]
    assert "23 is too big" in errors[1][0]


def truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def garble(path: Path) -> None:
    path.write_bytes(bytes(255 - byte for byte in path.read_bytes()))


@pytest.mark.parametrize(
    ("pattern", "damage"),
    [
        *((pattern, truncate) for pattern in ("*.json", "*.py", "*.nbi", "*.nbc", "*.pyc")),
        *((pattern, garble) for pattern in ("*.json", "*.py", "*.nbc")),
        *((pattern, Path.unlink) for pattern in ("*.py", "*.nbi", "*.nbc")),
    ],
)
def test_damaged_file_is_made_anew(pattern: str, damage: Callable[[Path], None], cache: Path) -> None:
    found = files(cache, pattern)
    assert found
    for path in found:
        damage(path)
    run(cache)
    assert run(cache)["made"] == []


def test_changed_stencil_is_not_mistaken_for_the_old_one(cache: Path) -> None:
    script = cache / "uses_stencil.py"
    script.write_text(MODULE.replace("out = u + u", "out = u * 2.0"))
    assert len(run(cache)["made"]) == 4
    assert len(files(cache, "*.json")) == 2


def test_changed_line_is_shown_by_the_source(cache: Path) -> None:
    script = cache / "uses_stencil.py"
    script.write_text(MODULE.replace("# as written", "# as changed"))
    answer = run(cache, "products")
    assert answer["same"] and "# as changed" in (cache / "kernels" / answer["file"]).read_text()


def test_moved_stencil_is_the_same(cache: Path) -> None:
    script = cache / "uses_stencil.py"
    script.write_text(MODULE.replace("import json\n", "import json\n\n\n", 1))
    assert run(cache)["made"] == []


def test_source_is_that_of_the_layout_that_ran(cache: Path) -> None:
    names = set()
    for order in ("C", "F", "C"):
        answer = run(cache, "products", order=order)
        assert answer["same"]
        names.add(answer["file"])
    assert len(names) == 2
    assert run(cache, order="C")["made"] == [] == run(cache, order="F")["made"]
    assert len(files(cache, "*.json")) == 1

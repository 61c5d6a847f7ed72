"""What the name of a generated module depends on: each ingredient, changed for real."""

import linecache
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import backends
import iir
from backends.base import Options
from backends.numba_cpu.cache_key import (
    compiler_digest,
    environment,
    ingredients,
    key,
    origin_ingredients,
)
from backends.numba_cpu.kernels import new_kernels
from iir.nodes import Stencil
from iir.parser import from_text
from iir.span import Span
from iir.traversal import rewrite
from tests.unit.backends.loopnest.lowered import lowered

TEXT = """stencil s(u: f64[IJK])
  multistage parallel
    stage
      do [start, end)
        u = u * 2.0
"""
PLAIN = Options(jit=False)
HELPER = """FACTOR = 2.0
TABLE = 0


def g(x):
    return x * FACTOR
"""
ENVIRONMENT = "from backends.numba_cpu.cache_key import environment; print(environment()"


def test_key_is_the_same_for_the_same_ingredients() -> None:
    assert key(ingredients("a", PLAIN)) == key(ingredients("a", PLAIN))


@pytest.mark.parametrize("name", [*ingredients("", PLAIN)])
def test_every_ingredient_counts(name: str) -> None:
    parts = dict(ingredients("a", PLAIN))
    assert key(parts | {name: f"{parts[name]} "}) != key(parts)


def test_ingredients_do_not_run_into_each_other() -> None:
    assert key({"a": "bc", "d": ""}) != key({"a": "b", "d": "c"}) != key({"a": "b", "dc": ""})


def test_stencil_counts(tmp_path: Path) -> None:
    first = new_kernels(lowered(TEXT), PLAIN, tmp_path).path
    assert new_kernels(lowered(TEXT), PLAIN, tmp_path).path == first
    assert new_kernels(lowered(TEXT.replace("2.0", "2.5")), PLAIN, tmp_path).path != first


def test_options_count(tmp_path: Path) -> None:
    options = [
        PLAIN,
        Options(),
        Options(fastmath=frozenset({"contract"})),
        Options(fastmath=frozenset({"arcp"})),
    ]
    paths = {new_kernels(lowered(TEXT), item, tmp_path).path for item in options}
    assert len(paths) == len(options)


def test_use_of_threads_does_not_count(tmp_path: Path) -> None:
    paths = {
        new_kernels(lowered(TEXT), Options(parallel=p, jit=False), tmp_path).path
        for p in (True, False, "auto")
    }
    assert len(paths) == 1


def test_sources_of_the_compiler_count(tmp_path: Path) -> None:
    packages = [Path(package.__file__ or "").parent for package in (iir, backends)]
    assert environment()["compiler"] == compiler_digest(packages)
    copies = [Path(shutil.copytree(package, tmp_path / package.name)) for package in packages]
    digests = [compiler_digest(copies)]
    emitter = copies[1] / "numba_cpu" / "emit.py"
    emitter.write_text(emitter.read_text() + "# changed\n")
    digests.append(compiler_digest(copies))
    emitter.rename(emitter.with_name("emitter.py"))
    digests.append(compiler_digest(copies))
    (copies[0] / "passes" / "new.py").write_text("")
    digests.append(compiler_digest(copies))
    assert digests[0] == compiler_digest(packages)
    assert len(set(digests)) == len(digests)


def test_processor_counts() -> None:
    assert _cpu_of_another_process("x86-64") != _cpu_of_another_process("x86-64-v3")


def _cpu_of_another_process(name: str) -> str:
    code = f"{ENVIRONMENT}['cpu'])"
    processor = {"NUMBA_CPU_NAME": name, "NUMBA_CPU_FEATURES": ""}
    command = (sys.executable, "-c", code)
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=os.environ | processor)
    return done.stdout


def test_sources_of_external_functions_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    file = tmp_path / "external_of_cache_key.py"
    file.write_text("def f(x):\n    return x\n")
    before = key(ingredients("", PLAIN, ["external_of_cache_key:f"]))
    file.write_text("def f(x):\n    return x + 1\n")
    assert key(ingredients("", PLAIN, ["external_of_cache_key:f"])) != before


@pytest.mark.parametrize(
    "change",
    [
        lambda helper: setattr(helper, "FACTOR", 3.0),
        lambda helper: setattr(helper, "TABLE", np.arange(4.0)),
        lambda helper: Path(helper.__file__).write_text(HELPER.replace("x *", "x +")),
    ],
    ids=["number", "array", "source"],
)
def test_what_external_functions_reach_counts(
    change: Callable[[Any], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "helper_of_external.py").write_text(HELPER)
    (tmp_path / "external_with_helper.py").write_text(
        "from helper_of_external import g\n\n\ndef f(x):\n    return g(x)\n"
    )
    monkeypatch.delitem(sys.modules, "helper_of_external", raising=False)
    monkeypatch.delitem(sys.modules, "external_with_helper", raising=False)
    before = key(ingredients("", PLAIN, ["external_with_helper:f"]))
    assert key(ingredients("", PLAIN, ["external_with_helper:f"])) == before
    change(sys.modules["helper_of_external"])
    assert key(ingredients("", PLAIN, ["external_with_helper:f"])) != before


def _origin_key(ir: Stencil, steps: str = "", options: Options = PLAIN) -> str:
    return key(origin_ingredients(ir, steps, options))


def test_all_that_kernels_are_made_from_counts() -> None:
    ir = from_text(TEXT)
    keys = [
        _origin_key(ir),
        _origin_key(from_text(TEXT.replace("2.0", "2.5"))),
        _origin_key(from_text(TEXT.replace("2.0", "-0.0"))),
        _origin_key(from_text(TEXT.replace("2.0", "0.0"))),
        _origin_key(ir, steps="other"),
        _origin_key(ir, options=Options()),
        _origin_key(ir, options=Options(fastmath=frozenset({"arcp"}))),
        _origin_key(ir, options=Options(math="vector")),
    ]
    assert len(set(keys)) == len(keys)
    assert _origin_key(from_text(TEXT)) == keys[0]


def test_lines_of_the_user_count_but_not_their_place(tmp_path: Path) -> None:
    file = tmp_path / "lines.py"

    def key_of(text: str, line: int) -> str:
        file.write_text(text)
        linecache.checkcache(str(file))
        span = Span(str(file), line, 0, line, 5)
        ir = rewrite(from_text(TEXT), lambda node: replace(node, span=span))
        return _origin_key(ir)

    first = key_of("u = u * 2.0\n", 1)
    assert key_of("\nu = u * 2.0\n", 2) == first
    assert key_of("u = u * 2.0  # twice\n", 1) != first


@pytest.mark.parametrize("package", ["numpy", "numba", "llvmlite"])
def test_versions_count(package: str) -> None:
    code = f"import {package}; {package}.__version__ += '.1'; {ENVIRONMENT}['{package}'])"
    command = (sys.executable, "-c", code)
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert done.stdout.strip() == f"{environment()[package]}.1"

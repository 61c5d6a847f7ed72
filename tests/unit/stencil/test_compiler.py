"""The steps from IIR to kernel: each made once, when it is first asked for."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from textwrap import dedent
from time import sleep

import numpy as np
import pytest

from iir.diagnostics import InvalidIIRError, StencilError
from iir.nodes import Stencil
from iir.parser import from_text
from iir.passes import DEFAULT
from iir.passes.fold_constants import fold_constants
from iir.printer import to_text
from stencil import StencilWarning, from_iir
from stencil.cache import cache_info
from stencil.compiler import BACKENDS, read_iir
from stencil.stencil_object import StencilObject

TEXT = dedent("""\
    stencil twice(u: f64[IJK], out: f64[IJK])
      multistage parallel
        stage
          do [start, end)
            out = (1.0 + 1.0) * u
    """)


class Count:
    """A slow pass that changes nothing and counts its runs."""

    def __init__(self) -> None:
        self.runs = 0

    def __call__(self, ir: Stencil) -> Stencil:
        runs = self.runs
        sleep(0.02)
        self.runs = runs + 1
        return ir


def test_nothing_is_compiled_before_it_is_asked_for() -> None:
    count = Count()
    f = from_iir(TEXT, backend="reference", passes=[count])
    assert f.required_levels == 0 and f.halo and f.iir
    assert count.runs == 0


def test_threads_that_ask_at_once_share_one_compilation() -> None:
    count = Count()
    f = from_iir(TEXT, backend="reference", passes=[count])
    with ThreadPoolExecutor(8) as pool:
        products = list(pool.map(lambda _: f.scheduled, range(8)))
    assert count.runs == 1
    assert all(product is products[0] for product in products)


def test_products_follow_from_each_other() -> None:
    f = from_iir(TEXT, backend="reference", passes=[fold_constants])
    assert "(1.0 + 1.0)" in to_text(f.iir)
    assert "out = 2.0 * u" in to_text(f.optimized)
    assert f.scheduled == f.loops == f.optimized
    assert f.source == to_text(f.optimized)
    assert f.source_path is None


def test_reference_runs_what_the_user_wrote() -> None:
    f = from_iir(TEXT, backend="reference")
    assert f.optimized is f.iir


def test_other_back_ends_run_what_the_passes_make() -> None:
    f = from_iir(TEXT, backend="numba")
    assert f.optimized == from_iir(TEXT, backend="numba", passes=DEFAULT).optimized
    assert "out = 2.0 * u" in to_text(f.optimized)


def test_passes_may_be_left_out() -> None:
    assert from_iir(TEXT, backend="numba", passes=[]).optimized == from_text(TEXT)


SHIFTED = TEXT.replace("(1.0 + 1.0) * u", "u").replace("out = u", "out = u\n        u = out[1, 0, 0]")


def test_schedule_that_chosen_passes_do_not_prepare_says_that_they_were_chosen() -> None:
    with pytest.raises(InvalidIIRError) as caught:
        from_iir(SHIFTED, backend="numba", passes=()).scheduled  # noqa: B018 - the access is the test
    (hint,) = caught.value.diagnostic.hints
    assert hint == (
        "The passes are those of 'passes=': a schedule needs the rules that 'iir.passes.DEFAULT' establishes."
    )
    assert from_iir(SHIFTED, backend="numba").scheduled
    assert from_iir(SHIFTED, backend="reference", passes=()).scheduled


def test_folder_that_cannot_be_written_is_told_at_the_line_that_compiles(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    blocker = tmp_path / "file"
    blocker.write_text("not a folder")
    monkeypatch.setenv("STENCIL_CACHE_DIR", str(blocker))
    f = from_iir(TEXT, backend="numba")
    with pytest.warns(StencilWarning, match="cannot be written") as caught:
        f.source_path  # noqa: B018 - the access is the test
    assert caught[0].filename == __file__
    assert Path(__file__).read_text().splitlines()[caught[0].lineno - 1].startswith("        f.source_path")


def test_dump_folder_gets_the_text_after_each_pass(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("STENCIL_DUMP", str(tmp_path))
    f = from_iir(TEXT, backend="reference", passes=[fold_constants])
    assert f.optimized
    (file,) = tmp_path.iterdir()
    assert from_text(file.read_text()) == f.optimized


def test_back_ends_are_known_by_name() -> None:
    assert list(BACKENDS) == ["numba", "reference"]


def test_iir_that_breaks_a_rule_is_refused_when_it_is_read() -> None:
    with pytest.raises(InvalidIIRError):
        read_iir(TEXT.replace("(1.0 + 1.0)", "2.0f32"))


def test_temporary_that_needs_itself_ever_wider_is_refused_when_it_is_read() -> None:
    text = dedent("""\
        stencil wider(u: f64[IJK], out: f64[IJK])
          temporary t: f64[IJK]
          multistage forward
            stage
              do [start, start+1)
                t = u
              do [start+1, end)
                t = t[1, 0, -1]
              do [start, end)
                out = t
        """)
    with pytest.raises(StencilError) as caught:
        read_iir(text)
    assert caught.value.kind == "unbounded-extent"


def test_rebuild_writes_the_source_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("STENCIL_CACHE_DIR", str(tmp_path))

    def run(f: StencilObject) -> tuple[Path, int]:
        out = np.zeros((2, 2, 2))
        f(np.ones((2, 2, 2)), out)
        assert np.all(out == 2.0)
        assert f.source_path is not None and f.source_path.read_text() == f.source
        return f.source_path, f.source_path.stat().st_mtime_ns

    f = from_iir(TEXT, backend="numba", jit=False)
    first = run(f)
    assert first[0].parent == tmp_path / "kernels"
    assert run(f.with_options()) == first
    again = run(f.with_options(rebuild=True))
    assert again[0] == first[0] and again[1] > first[1]


def test_stencil_runs_where_the_cache_cannot_be_written(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    blocker = tmp_path / "file"
    blocker.write_text("")
    monkeypatch.setenv("STENCIL_CACHE_DIR", str(blocker))
    f = from_iir(TEXT, backend="numba", jit=False)
    out = np.zeros((2, 2, 2))
    with pytest.warns(StencilWarning, match="cannot be written"):
        f(np.ones((2, 2, 2)), out)
    assert np.all(out == 2.0)


def test_first_calls_of_several_threads_build_one_kernel(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("STENCIL_CACHE_DIR", str(tmp_path))
    f = from_iir(TEXT, backend="numba")
    u = np.ones((4, 4, 4), order="F")

    def run(_: int) -> float:
        out = np.zeros((4, 4, 4), order="F")
        f(u, out)
        return float(out.sum())

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(run, range(8))) == [128.0] * 8
    assert cache_info().stencils == 1


def test_schedule_of_what_the_passes_did_not_put_in_order_is_refused() -> None:
    text = TEXT.replace("out = (1.0 + 1.0) * u", "out = u\n        out = out[1, 0, 0]")
    assert from_iir(text, backend="numba").scheduled
    assert from_iir(text, backend="reference", passes=[]).scheduled
    with pytest.raises(InvalidIIRError, match="'schedule'"):
        from_iir(text, backend="numba", passes=[]).scheduled  # noqa: B018 - the access is the test


def test_pass_that_touches_points_outside_the_arrays_is_found_before_the_call() -> None:
    def widen(ir: Stencil) -> Stencil:
        return from_text(to_text(ir).replace("* u", "* u[1, 0, 0]"))

    f = from_iir(TEXT, backend="reference", passes=[widen])
    out = np.zeros((2, 2, 2))
    f(np.ones((3, 2, 2)), out, domain=(2, 2, 2))
    assert np.all(out == 2.0)
    with pytest.raises(InvalidIIRError) as caught:
        f(np.ones((2, 2, 2)), np.zeros((2, 2, 2)))
    assert str(caught.value) == (
        "A pass made the stencil touch points of 'u' that its source does not: "
        "3 needed at i-high, 2 given. [wider-access]\n"
        "  hint: This is a mistake in the compiler; backend='reference' runs the source itself."
    )

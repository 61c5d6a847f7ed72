"""Passes run one after another, checked and dumped."""

from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from iir.diagnostics import Diagnostic, InvalidIIRError, StencilError
from iir.nodes import Stencil
from iir.parser import from_text
from iir.pipeline import pass_name, run

IR = from_text(
    "stencil s(u: f64[IJK])\n  multistage parallel\n    stage\n      do [start, end)\n        u = 1.0\n"
)


@dataclass(frozen=True)
class Rename:
    name: str

    def __call__(self, ir: Stencil) -> Stencil:
        return replace(ir, name=self.name)


def keep(ir: Stencil) -> Stencil:
    return ir


def drop_parameters(ir: Stencil) -> Stencil:
    return replace(ir, parameters=())


def crash(ir: Stencil) -> Stencil:
    raise KeyError(ir.name)


def refuse(ir: Stencil) -> Stencil:
    raise StencilError(Diagnostic("No.", "no"))


def test_passes_run_in_order() -> None:
    assert run(IR, (Rename("a"), Rename("b"))).name == "b"


def test_no_change_keeps_the_tree() -> None:
    assert run(IR, (keep, keep)) is IR


def test_pass_is_named_after_its_function_or_options() -> None:
    assert pass_name(keep) == "keep"
    assert pass_name(Rename("a")) == "Rename(name='a')"


def test_pass_that_breaks_a_rule_is_named() -> None:
    with pytest.raises(InvalidIIRError, match="The IIR after step 'drop_parameters' breaks"):
        run(IR, (keep, drop_parameters))


def test_rules_of_the_schedule_are_checked_when_asked() -> None:
    text = "stencil s(u: f64[IJK])\n  multistage parallel\n    stage\n      do [start, end)\n"
    ir = from_text(text + "        u = u[1, 0, 0]\n")
    assert run(ir, (Rename("a"),)).name == "a"
    with pytest.raises(InvalidIIRError, match=r"is read in the stage that stores it."):
        run(ir, (Rename("a"),), scheduled=True)


def test_pass_that_crashes_is_named() -> None:
    with pytest.raises(KeyError) as caught:
        run(IR, (keep, crash))
    assert caught.value.__notes__ == ["This happened in pass 'crash' on stencil 's'."]


def test_error_of_the_author_leaves_as_it_is() -> None:
    with pytest.raises(StencilError, match="No") as caught:
        run(IR, (refuse,))
    assert not hasattr(caught.value, "__notes__")


def test_dump_has_the_text_after_each_pass(tmp_path: Path) -> None:
    after = run(IR, (keep, Rename("b")), dump=tmp_path / "dump")
    files = sorted((tmp_path / "dump").iterdir())
    assert [file.name for file in files] == ["s.01.keep.iir", "s.02.Rename_name_b.iir"]
    assert [from_text(file.read_text()) for file in files] == [IR, after]


def test_environment_names_the_folder_of_the_dump(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STENCIL_DUMP", str(tmp_path))
    run(IR, (keep,), first=7)
    assert [file.name for file in tmp_path.iterdir()] == ["s.07.keep.iir"]

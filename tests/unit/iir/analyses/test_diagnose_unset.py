"""What is said about reads of unset temporaries."""

from iir.analyses.diagnose_unset import diagnose_unset
from iir.diagnostics import render
from iir.nodes import Stencil
from tests.unit.iir.textual import computation, parallel

T = "temporary t: f64[IJK]"


def texts(ir: Stencil) -> tuple[list[str], list[str]]:
    """Errors and warnings, without file names, which depend on the text."""
    errors, warnings = diagnose_unset(ir)
    found: tuple[list[str], list[str]] = ([], [])
    for own, diagnostics in zip(found, (errors, warnings), strict=True):
        for diagnostic in diagnostics:
            assert diagnostic.span is not None
            lines = render(diagnostic).split("\n")
            own.append("\n".join([lines[0], *lines[2:]]))
    return found


def test_level_that_a_sweep_computes_later() -> None:
    errors, warnings = texts(computation("forward", T, "t = a", "out = t[0, 0, 1] - t"))
    assert errors == [
        """Temporary 't' is read at level k+1 before that level is computed. [loop-order]
    7 |         out = t[0, 0, 1] - t
      |               ^^^^^^^^^^ level k+1 comes later in a forward computation
  note: 't' is written at line 6.
  hint: Put this statement in a computation of its own, or use 'computation(BACKWARD)'."""
    ]
    assert warnings == []


def test_temporary_that_is_written_too_late() -> None:
    errors, _ = texts(parallel(T, "out = t", "t = a"))
    assert errors == [
        """Temporary 't' is read before it is written. [unset-read]
    6 |         out = t
      |               ^ nothing has set it yet
  note: 't' is written at line 7.
  hint: Set 't' on all levels that are read, or read fewer levels."""
    ]


def test_temporary_that_its_first_statement_updates() -> None:
    errors, _ = texts(parallel(T, "t = t + a", "out = t"))
    assert errors == [
        """Temporary 't' is read before it is written. [unset-read]
    6 |         t = t + a
      |             ^ nothing has set it yet
  note: 't' is first set by this statement.
  hint: Set 't' on all levels that are read, or read fewer levels."""
    ]


def test_temporary_that_is_never_written() -> None:
    errors, _ = texts(parallel(T, "out = t"))
    assert errors == [
        """Temporary 't' is read but never written. [unset-read]
    6 |         out = t
      |               ^ no statement sets it
  hint: Make 't' an argument, or set it first."""
    ]


def test_level_that_is_never_written() -> None:
    errors, _ = texts(parallel(T, "t = a", "t = b", "out = t[0, 0, -1]"))
    assert errors == [
        """Temporary 't' is read at a level that no statement has written. [unset-read]
    8 |         out = t[0, 0, -1]
      |               ^^^^^^^^^^^ some of these levels are never written before
  note: 't' is written at lines 6 and 7.
  hint: Set 't' on all levels that are read, or read fewer levels."""
    ]


def test_temporary_that_a_branch_leaves_out_is_a_warning() -> None:
    errors, warnings = texts(parallel(T, "if a > 0.0", "  t = b", "out = t + t[1, 0, 0]"))
    assert errors == []
    assert warnings == [
        """Temporary 't' may be read where no statement has set it. [maybe-unset]
    8 |         out = t + t[1, 0, 0]
      |               ^ reads zero where it is unset
  note: 't' is written at line 7.
  hint: Set 't' before, on every level and in every branch."""
    ]


def test_temporary_that_is_always_set_is_not_mentioned() -> None:
    assert texts(parallel(T, "t = a", "out = t")) == ([], [])


def test_temporary_that_is_set_under_the_same_condition_on_scalars_is_not_mentioned() -> None:
    assert texts(parallel(T, "if c", "  t = a", "if x > 3", "  out = b", "if c", "  out = t")) == ([], [])

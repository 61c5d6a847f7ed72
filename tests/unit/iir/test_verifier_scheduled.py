"""The rules that hold from the schedule on."""

import pytest

from iir.parser import from_text
from iir.verifier import broken_rules, verify

HEAD = """\
stencil s(u: f64[IJK], out: f64[IJK], plane: f64[IJ], c: bool)
  temporary t: f64[IJK]
  temporary r: f64[IJK]{storage}
"""


def text(*lines: str, storage: str = "") -> str:
    """A stencil whose body is *lines*, each indented once more for each '>' it begins with."""
    body = [line.lstrip(">") for line in lines]
    depths = [1 + len(line) - len(rest) for line, rest in zip(lines, body, strict=True)]
    indented = (f"{'  ' * depth}{rest}\n" for depth, rest in zip(depths, body, strict=True))
    return HEAD.format(storage=storage) + "".join(indented)


IN_PARALLEL = ("multistage parallel", ">stage", ">>do [start, end)")
IN_SWEEP = ("multistage forward", ">stage", ">>do [start, end)")


@pytest.mark.parametrize(
    "lines, sentences",
    [
        (
            (*IN_PARALLEL, ">>>t = u", ">>>out = t[1, 0, 0]"),
            ["'t[1, 0, 0]' is read in the stage that stores it."],
        ),
        ((*IN_SWEEP, ">>>out = out[0, 1, -1]"), ["'out[0, 1, -1]' is read in the stage that stores it."]),
        (
            (*IN_PARALLEL, ">>>t = u", ">stage", ">>do [start, end)", ">>>out = t[0, 0, 1]"),
            ["'t[0, 0, 1]' is read in the parallel multistage that stores 't'."],
        ),
        (
            (
                "multistage parallel",
                ">stage",
                ">>do [start, start+1)",
                ">>>plane = u",
                ">>do [start, end)",
                ">>>out = plane",
            ),
            [
                "'plane', which has no K, is stored in a parallel multistage and accessed there by "
                "do-methods of different intervals."
            ],
        ),
        (
            (*IN_SWEEP, ">>>if u > 0.0", ">>>>out = out[1, 0, 0]"),
            [
                "'out[1, 0, 0]' is read in the stage that stores it.",
                "'out[1, 0, 0]' is read in 'if u > 0.0', which stores it.",
            ],
        ),
        (
            (
                *IN_PARALLEL,
                ">>>if c",
                ">>>>t = u",
                ">>>>out = u",
                ">stage",
                ">>do [start, end)",
                ">>>out = t[1, 0, 0]",
            ),
            ["The statements of 'if c' run on different columns."],
        ),
    ],
)
def test_stage_can_run_point_by_point(lines: tuple[str, ...], sentences: list[str]) -> None:
    ir = from_text(text(*lines))
    verify(ir, after="front end")
    assert [fault.sentence for fault in broken_rules(ir, scheduled=True)] == sentences


@pytest.mark.parametrize(
    "lines",
    [
        (*IN_PARALLEL, ">>>t = u[1, 0, 0]", ">>>out = t + u[0, 0, 1]"),
        (*IN_PARALLEL, ">>>t = u", ">stage", ">>do [start, end)", ">>>out = t[1, 0, 0]"),
        (*IN_PARALLEL, ">>>t = u", *IN_PARALLEL, ">>>out = t[1, 0, 1]"),
        (*IN_SWEEP, ">>>out = out[0, 0, -1]"),
        (*IN_SWEEP, ">>>if out[0, 0, 1] > 0.0", ">>>>out = out[0, 0, -1]"),
        (*IN_SWEEP, ">>>plane = u", ">>do [start, start+1)", ">>>out = plane"),
        (*IN_PARALLEL, ">>>if u[1, 0, 0] > 0.0", ">>>>t = u", ">>>>out = t"),
    ],
)
def test_what_can_run_point_by_point_passes(lines: tuple[str, ...]) -> None:
    verify(from_text(text(*lines)), after="schedule", scheduled=True)


def test_levels_of_a_sweep_are_not_parallel() -> None:
    ir = from_text(text("multistage backward  @ parallel(k)"))
    (fault,) = broken_rules(ir)
    assert fault.sentence == "A backward multistage visits its levels in order, not in parallel."


def test_what_must_be_on_the_heap_is_no_register() -> None:
    lines = (*IN_PARALLEL, ">>>r = u", ">>>out = r")
    (fault,) = broken_rules(from_text(text(*lines, storage=" heap  @ register")))
    assert fault.sentence == "'r', which must be on the heap, is kept as a register."
    verify(from_text(text(*lines, storage=" heap  @ row")), after="schedule", scheduled=True)


@pytest.mark.parametrize(
    "storage, lines, sentence",
    [
        (
            "register",
            (*IN_SWEEP, ">>>r = u", ">>>out = r[0, 0, -1]"),
            "'r', kept as a register, is read at the offset (0, 0, -1).",
        ),
        (
            "plane",
            (*IN_SWEEP, ">>>r = u", ">>>out = r[0, 0, -1]"),
            "'r', kept as a plane, is read at the offset (0, 0, -1).",
        ),
        (
            "plane",
            (*IN_SWEEP, ">>>r = u", *IN_SWEEP, ">>>out = r"),
            "'r', kept as a plane, is accessed in more than one multistage.",
        ),
    ],
)
def test_storage_holds_what_is_accessed(storage: str, lines: tuple[str, ...], sentence: str) -> None:
    verify(from_text(text(*lines, storage="  @ field")), after="test")
    (fault,) = broken_rules(from_text(text(*lines, storage=f"  @ {storage}")))
    assert fault.sentence == sentence


@pytest.mark.parametrize(
    "storage, lines",
    [
        ("register", (*IN_PARALLEL, ">>>r = u", ">>>out = r", *IN_SWEEP, ">>>r = u", ">>>out = r")),
        ("plane", (*IN_PARALLEL, ">>>r = u", ">stage", ">>do [start, end)", ">>>out = r[1, 0, 0]")),
    ],
)
def test_storage_that_holds_what_is_accessed_passes(storage: str, lines: tuple[str, ...]) -> None:
    verify(from_text(text(*lines, storage=f"  @ {storage}")), after="schedule", scheduled=True)

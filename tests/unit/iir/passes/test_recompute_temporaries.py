"""Cheap temporaries are computed where they are read, if that is the same and pays."""

from dataclasses import replace
from typing import Final

import pytest

from iir.analyses.recipes import places
from iir.parser import from_text
from iir.passes.recompute_temporaries import MOST_ADDED, SHORT, recompute_temporaries
from iir.span import Span
from iir.statements import Assign
from iir.traversal import rewrite, walk
from tests.unit.iir.textual import assert_keeps, assert_turns_into, program

T: Final = "temporary t: f64[IJK]"
W: Final = "temporary w: f64[IJK]"
SPAN: Final = Span("model.py", 1, 0, 1, 9)


def stages(*bodies: str, order: str = "parallel", declared: str = T) -> str:
    """A multistage with a stage for each of *bodies*; lines of a body are separated by ``;``."""
    text = [declared, f"multistage {order}"]
    for body in bodies:
        text += ["  stage", "    do [start, end)", *(f"      {line}" for line in _lines(body))]
    return "\n".join(text)


def _lines(body: str) -> list[str]:
    """The lines of *body*; one that starts with ``>`` is indented."""
    lines = [line.strip() for line in body.split(";")]
    return ["  " + line[1:].strip() if line.startswith(">") else line for line in lines]


def turns_into(before: str, after: str) -> None:
    assert_turns_into(recompute_temporaries, program(before), program(after))


def pays(text: str, *names: str) -> None:
    """All of *names* are computed where they are read, and so need no memory."""
    after = places(recompute_temporaries(program(text)))
    assert all(after.private.get(name, 0) == after.items[-1].run for name in names)


def keeps(text: str) -> None:
    assert_keeps(recompute_temporaries, program(text))


@pytest.mark.parametrize("order", ["parallel", "forward", "backward"])
def test_each_offset_gets_a_copy_in_front_of_the_reader(order: str) -> None:
    turns_into(
        stages("t = a * b[1, 0, 0]", "out = t - t[-1, 2, 0]", order=order),
        stages(
            "t_im1_jp2 = a[-1, 2, 0] * b[0, 2, 0]; t = a * b[1, 0, 0]; out = t - t_im1_jp2",
            order=order,
            declared=f"{T}\ntemporary t_im1_jp2: f64[IJK]",
        ),
    )


def test_all_assignments_of_the_temporary_are_copied() -> None:
    turns_into(
        stages("t = a[1, 0, 0] - a; t = 0.0 if t * b > 0.0 else t", "out = t - t[-1, 0, 0]"),
        stages(
            """t_im1 = a - a[-1, 0, 0]
            ; t_im1 = 0.0 if t_im1 * b[-1, 0, 0] > 0.0 else t_im1
            ; t = a[1, 0, 0] - a
            ; t = 0.0 if t * b > 0.0 else t
            ; out = t - t_im1""",
            declared=f"{T}\ntemporary t_im1: f64[IJK]",
        ),
    )


def test_what_only_other_rows_read_is_left_behind_by_the_loop_that_reads_it() -> None:
    keeps(stages("t = a[1, 0, 0] - a; t = 0.0 if t * b > 0.0 else t", "out = t - t[0, -1, 0]"))
    pays(stages("t = a - b", "out = t - t[0, -1, 0]"), "t")


def test_what_is_used_for_the_temporary_only_is_copied_with_it() -> None:
    turns_into(
        stages("w = a + b; t = w * w", "out = t[1, 0, 0]", declared=f"{W}\n{T}"),
        stages(
            "w_ip1 = a[1, 0, 0] + b[1, 0, 0]; t_ip1 = w_ip1 * w_ip1; out = t_ip1",
            declared="temporary w_ip1: f64[IJK]\ntemporary t_ip1: f64[IJK]",
        ),
    )


def test_what_others_need_too_stays_where_it_is() -> None:
    v = "temporary v: f64[IJK]"
    neighbours = "w_ip1 = a[1, 0, 0] * 2.0; t_ip1 = w_ip1 + 1.0"
    turns_into(
        stages(
            "w = a * 2.0; t = w + 1.0; v = w / b",
            "out = t - t[1, 0, 0] + v - v[1, 0, 0]",
            declared=f"{W}\n{T}\n{v}",
        ),
        stages(
            "w = a * 2.0; v = w / b",
            f"w_1 = a * 2.0; t = w_1 + 1.0; {neighbours}; out = t - t_ip1 + v - v[1, 0, 0]",
            declared="\n".join(
                f"temporary {name}: f64[IJK]" for name in ("w", "w_1", "w_ip1", "t", "t_ip1", "v")
            ),
        ),
    )


def test_temporary_behind_a_temporary_is_copied_for_its_copies() -> None:
    turns_into(
        stages("w = a * b", "t = w - w[-1, 0, 0]", "out = t * t[0, 1, 0]", declared=f"{W}\n{T}"),
        stages(
            """w_im1 = a[-1, 0, 0] * b[-1, 0, 0]
            ; w_im1_jp1 = a[-1, 1, 0] * b[-1, 1, 0]
            ; w = a * b
            ; w_jp1 = a[0, 1, 0] * b[0, 1, 0]
            ; t = w - w_im1
            ; t_jp1 = w_jp1 - w_im1_jp1
            ; out = t * t_jp1""",
            declared="\n".join(
                f"temporary {name}: f64[IJK]" for name in ("w", "w_im1", "w_im1_jp1", "w_jp1", "t", "t_jp1")
            ),
        ),
    )


def test_each_run_of_readers_gets_copies_of_its_own() -> None:
    turns_into(
        stages("t = a + 1.0", "w = t[1, 0, 0] / 3.0", "out = w[0, 1, 0] / w + t", declared=f"{T}\n{W}"),
        stages(
            "t_ip1 = a[1, 0, 0] + 1.0; w = t_ip1 / 3.0",
            "t = a + 1.0; out = w[0, 1, 0] / w + t",
            declared=f"{T}\ntemporary t_ip1: f64[IJK]\n{W}",
        ),
    )


def test_readers_in_a_condition_and_under_it_read_copies() -> None:
    turns_into(
        stages("t = a", "if t > 0.0; > out = t[1, 0, 0]; else; > out = b"),
        stages(
            "t = a; t_ip1 = a[1, 0, 0]; if t > 0.0; > out = t_ip1; else; > out = b",
            declared=f"{T}\ntemporary t_ip1: f64[IJK]",
        ),
    )


KEPT: Final = {
    "an input is stored in between": ("t = a", "a = b", "out = t[1, 0, 0]"),
    "an input is stored between the assignments": ("t = a; a = b; t = t + a", "out = t[1, 0, 0]"),
    "an input is stored in the stage of the reader": ("t = a", "out = t[1, 0, 0]; a = b"),
    "the reader stores an input": ("t = a", "a = t - t[1, 0, 0]"),
    "it is set under a condition": ("t = 0.0; if c; > t = a", "out = t[1, 0, 0]"),
    "it is set by a call": ('t = call "m:f"(a)', "out = t[1, 0, 0]"),
    "it is set by a check": ('check user(c, "c") guard(t = a)', "out = t[1, 0, 0]"),
    "it is set in two runs": ("t = a; b = a", "out = b[1, 0, 0]; t = t + 1.0", "b = t[1, 0, 0]"),
    "it is read before it is set": ("b = t", "t = a", "out = t[1, 0, 0]"),
    "it is read before it is set for good": ("t = a; w = t; t = t + 1.0", "out = t[1, 0, 0] / w[1, 0, 0]"),
    "it is read at another level": ("t = a", "out = t[0, 0, 1]"),
    "it needs what is set under a condition": (
        "w = 0.0; if c; > w = a; t = w + 1.0",
        "out = t[1, 0, 0]",
    ),
    "outside code may act in between": ("t = a", 'b = call "m:f"(b) effects(any)', "out = t[1, 0, 0]"),
    "outside code reads it": ("t = a", 'out = call "m:f"(t[1, 0, 0]) effects(read)'),
    "a bundle may store it": ("t = a", 'out = call "m:f"(b) bundle "inject"(t)'),
    "its value is at hand": ("t = a; out = t",),
    "it costs a division more": ("t = a / b", "out = t[1, 0, 0] + t"),
    "it costs much arithmetic more": ("t = a * (b - 2.0 * a) + a * b - 3.0 * b", "out = t[1, 0, 0] - t"),
}


@pytest.mark.parametrize("bodies", KEPT.values(), ids=KEPT)
def test_temporary_is_kept_where(bodies: tuple[str, ...]) -> None:
    keeps(stages(*bodies, declared=f"{T}\n{W}"))


@pytest.mark.parametrize(
    ("value", "neighbour"),
    [("plane * a[0, 0, 1]", "plane[1, 1] * a[1, 1, 1]"), ("a + f64(x)", "a[1, 1, 0] + f64(x)")],
)
def test_copies_keep_levels_and_scalars(value: str, neighbour: str) -> None:
    turns_into(
        stages(f"t = {value}", "out = t[1, 1, 0]"),
        stages(f"t_ip1_jp1 = {neighbour}; out = t_ip1_jp1", declared="temporary t_ip1_jp1: f64[IJK]"),
    )


def test_fields_without_an_axis_are_read_at_no_offset_on_it() -> None:
    text = """stencil s(row: f64[I], column: f64[J], levels: f64[K], out: f64[IJK])
  temporary {name}: f64[IJK]
  multistage parallel
    stage
      do [start, end)
        {name} = row[{i}] + column{j} + levels[1]
        out = {name}{reader}
"""
    before = from_text(text.format(name="t", i=1, j="", reader="[1, -1, 0]"))
    after = from_text(text.format(name="t_ip1_jm1", i=2, j="[-1]", reader=""))
    assert_turns_into(recompute_temporaries, before, after)


def test_what_must_be_on_the_heap_is_kept() -> None:
    keeps(stages("t = a", "out = t[1, 0, 0]", declared=f"{T} heap"))


def test_what_must_be_on_the_heap_is_read_by_copies_and_not_copied() -> None:
    declared = f"{W} heap"
    turns_into(
        stages("w = a * b", "t = w + 1.0", "out = t[1, 0, 0]", declared=f"{declared}\n{T}"),
        stages(
            "w = a * b",
            "t_ip1 = w[1, 0, 0] + 1.0; out = t_ip1",
            declared=f"{declared}\ntemporary t_ip1: f64[IJK]",
        ),
    )


def intervals(*do_methods: tuple[str, str], order: str = "parallel", declared: str = T) -> str:
    """A multistage with a stage for each interval and its lines."""
    text = [declared, f"multistage {order}"]
    for interval, body in do_methods:
        text += ["  stage", f"    do {interval}", *(f"      {line}" for line in _lines(body))]
    return "\n".join(text)


def test_arithmetic_on_other_levels_is_none_more() -> None:
    parts = ("[start, start+1)", "[start+1, end-1)", "[end-1, end)")
    names = ("t_ip1", "t_ip1_1", "t_ip1_2")
    turns_into(
        intervals(("[start, end)", "t = a / b"), *((part, "out = t[1, 0, 0]") for part in parts)),
        intervals(
            *(
                (part, f"{t} = a[1, 0, 0] / b[1, 0, 0]; out = {t}")
                for part, t in zip(parts, names, strict=True)
            ),
            declared="\n".join(f"temporary {t}: f64[IJK]" for t in names),
        ),
    )


@pytest.mark.parametrize(
    ("own", "read"), [("start+1, end", "start, end"), ("start, x", "start, end"), ("x, end", "start+2, end")]
)
def test_temporary_that_may_be_unset_on_levels_of_the_reader_is_kept(own: str, read: str) -> None:
    keeps(intervals((f"[{own})", "t = a"), (f"[{read})", "out = t[1, 0, 0]")))


def test_readers_in_another_multistage_do_not_get_copies() -> None:
    second = intervals(("[start, end)", "out = t[1, 0, 0]"), declared="")
    keeps(intervals(("[start, end)", "t = a")) + second)


def test_plane_that_is_stored_stays_on_its_levels() -> None:
    keeps(
        intervals(
            ("[start, start+1)", "plane = 1.0"),
            ("[start, start+1)", "t = plane"),
            ("[start, start)", "out = t"),
        )
    )


def test_temporary_of_a_sweep_stays_as_small_as_it_is() -> None:
    keeps(stages("w = a / b", "t = w * 2.0", "out = t[1, 0, 0] + w", order="forward", declared=f"{W}\n{T}"))


@pytest.mark.parametrize(
    ("declared", "offset"), [("t: f64[IJK]  @ field", "1, 0, 0"), ("t: f64[IJ]", "1, 0")]
)
def test_planes_and_storage_that_is_decided_are_kept(declared: str, offset: str) -> None:
    level = "[start, start+1)"
    keeps(intervals((level, "t = a"), (level, f"out = t[{offset}]"), declared=f"temporary {declared}"))


def test_loads_count_that_are_not_there_already() -> None:
    row = "t = a[0, -1, 0] + a + a[0, 1, 0]"
    readers = "out = t[-1, 0, 0] + t + t[1, 0, 0]"
    keeps(stages(row, readers))
    pays(stages(row, f"{readers} + a[-1, 0, 0] + a[1, 0, 0]"), "t")
    other = "w = a[0, -1, 0] - a - a[0, 1, 0]"
    pays(stages(row, other, f"{readers} - w[1, 0, 0] + w", declared=f"{T}\n{W}"), "t", "w")


def test_loop_does_not_grow_without_end() -> None:
    names = [f"t{number}" for number in range(MOST_ADDED // 3 + 5)]
    before = stages(
        "; ".join(f"{name} = a * b - 2.0 * a" for name in names),
        "; ".join(f"out = out + {name}[1, 0, 0]" for name in names),
        declared="\n".join(f"temporary {name}: f64[IJK]" for name in names),
    )
    after = recompute_temporaries(program(before))
    assert sum(item.name in names for item in after.temporaries) == 5


def test_short_stencil_becomes_longer_by_few_statements() -> None:
    keeps(stages("t = a", "out = " + " + ".join(f"t[{i}, 0, 0]" for i in range(1, SHORT + 3))))


def test_long_stencil_becomes_twice_as_long_at_most() -> None:
    names = [f"t{number}" for number in range(30)]
    before = stages(
        "; ".join(f"{name} = a" for name in names),
        "out = " + " + ".join(f"{name}[{i}, 0, 0]" for name in names for i in (1, 2, 3)),
        declared="\n".join(f"temporary {name}: f64[IJK]" for name in names),
    )
    after = recompute_temporaries(program(before))
    assert sum(isinstance(node, Assign) for node in walk(after)) == 2 * (len(names) + 1) - 1


def test_copies_have_the_spans_of_what_they_copy() -> None:
    ir = program(stages("t = a * b", "out = t[1, 0, 0]"))
    spanned = rewrite(ir, lambda node: replace(node, span=SPAN))
    assert all(node.span == SPAN for node in walk(recompute_temporaries(spanned)))

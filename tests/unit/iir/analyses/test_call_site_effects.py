"""What external calls may do to fields, and what that means for intents."""

import pytest

from iir.analyses.call_site_effects import call_site_effects, escapes
from iir.analyses.dead_statements import dead_statements
from iir.analyses.dependencies import footprint
from iir.analyses.extents import extents
from iir.analyses.intents import AccessMode, Intent, intents
from iir.analyses.unset_reads import unset_reads
from iir.interval import FULL
from iir.nodes import Stencil
from iir.passes.zero_unset_temporaries import zero_unset_temporaries
from iir.statements import ExternalCall
from iir.traversal import walk
from tests.unit.iir.textual import computation, parallel, program


def calls(ir: Stencil) -> list[ExternalCall]:
    return [node for node in walk(ir) if isinstance(node, ExternalCall)]


def only_call(text: str) -> ExternalCall:
    (call,) = calls(parallel(text))
    return call


def test_plain_call_reads_its_arguments_alone() -> None:
    effects = call_site_effects(only_call('out = call "m:f"(a, b[1, 0, 0])'))
    assert [access.name for access in effects.reads] == ["a", "b"]
    assert (effects.may_store, effects.escaping) == ((), ())
    assert (effects.sees, effects.changes, effects.is_effectful) == (False, False, False)


Names = list[str]


@pytest.mark.parametrize(
    ("bundle", "reads", "may_store", "escaping", "sees", "changes", "is_effectful", "may_inline"),
    [
        ('"trace"(a)', ["a"], [], ["a"], True, True, True, False),
        ('"deopt"(a)', ["a"], [], [], True, False, False, True),
        ('"inject"(a)', ["a"], ["a"], [], False, False, True, True),
        ('"assume"(a)', [], [], [], False, False, False, True),
    ],
)
def test_each_tag_has_its_effects(
    bundle: str,
    reads: Names,
    may_store: Names,
    escaping: Names,
    sees: bool,
    changes: bool,
    is_effectful: bool,
    may_inline: bool,
) -> None:
    effects = call_site_effects(only_call(f'out = call "m:f"() bundle {bundle}'))
    found = ([item.name for item in part] for part in (effects.reads, effects.may_store, effects.escaping))
    assert tuple(found) == (reads, may_store, escaping)
    assert (effects.sees, effects.changes) == (sees, changes)
    assert (effects.is_effectful, effects.may_inline) == (is_effectful, may_inline)


@pytest.mark.parametrize(
    ("word", "sees", "changes"),
    [("none", False, False), ("read", True, False), ("write", False, True), ("any", True, True)],
)
def test_effects_of_the_function_are_on_what_has_escaped(word: str, sees: bool, changes: bool) -> None:
    effects = call_site_effects(only_call(f'out = call "m:f"(a) effects({word})'))
    assert (effects.sees, effects.changes, effects.is_effectful) == (sees, changes, word != "none")


def test_unknown_tag_sees_and_may_change_the_whole_field() -> None:
    ir = program("""
        multistage parallel
          stage
            do [start, start+1)
              out = call "m:f"(a) bundle "trace"(b)
    """)
    b = intents(ir)["b"]
    assert (str(b.irbw), str(b.may_write), str(b.must_write)) == ("k=[start, end)", "k=[start, end)", "empty")
    assert b.intent is Intent.INOUT


def test_field_that_is_written_before_is_not_seen() -> None:
    b = intents(parallel("b = a", 'out = call "m:f"(a) bundle "trace"(b)'))["b"]
    assert (b.label, str(b.irbw)) == ("out_full", "empty")


def test_what_is_injected_is_changed_at_the_point_alone() -> None:
    ir = program("""
        multistage parallel
          stage
            do [start+1, end)
              out = call "m:f"(a) bundle "inject"(b)
    """)
    b = intents(ir)["b"]
    assert (str(b.irbw), str(b.may_write), str(b.must_write)) == (
        "k=[start+1, end)",
        "k=[start+1, end)",
        "empty",
    )


def test_field_that_has_escaped_is_seen_by_later_effectful_calls() -> None:
    trace, plain, effectful = (
        'b = call "m:f"() bundle "trace"(b)',
        'out = call "m:f"(a)',
        'out = call "m:f"(a) effects(any)',
    )
    for second, intent in ((plain, Intent.NONE), (effectful, Intent.INOUT)):
        ir = program(
            f"multistage parallel\n  stage\n    do [start, end)\n      {trace}\n"
            f"multistage parallel\n  stage\n    do [start, end)\n      {second}"
        )
        assert intents(ir, ir.multistages[1])["b"].intent is intent


def test_escape_comes_after_earlier_statements_but_in_a_sweep_on_all_levels() -> None:
    lines = ('out = call "m:f"(a) effects(any)', 'out = call "m:f"(a) bundle "trace"(b)')
    for order, expected in (("parallel", []), ("forward", ["b"])):
        ir = computation(order, *lines)
        first, second = calls(ir)
        found = {id(call): [item.operand.name for item in escapes(ir)[id(call)]] for call in (first, second)}
        assert found == {id(first): expected, id(second): ["b"]}


def test_operands_that_are_only_assumed_about_have_no_intent() -> None:
    table = intents(parallel('out = call "m:f"(a) bundle "assume"(b)'))
    assert (table["b"].intent, table["b"].access) == (Intent.NONE, AccessMode.NONE)


def test_what_a_failure_is_rebuilt_from_is_read_at_the_point() -> None:
    ir = program("""
        multistage parallel
          stage
            do [start+1, end)
              out = call "m:f"(a) bundle "deopt"(b[0, 0, -1])
    """)
    assert (str(intents(ir)["b"].irbw), intents(ir)["b"].intent) == ("k=[start, end-1)", Intent.IN)


@pytest.mark.parametrize(
    ("order", "before", "call", "irbw"),
    [
        ("forward", "[start, start+3)", "[start+3, end)", "k=[start+3, end)"),
        ("forward", "[start, start+3)", "[start+1, end)", "k=[start+2, end)"),
        ("backward", "[end-2, end)", "[start, end-2)", "k=[start, end-2)"),
        ("backward", "[end-2, end)", "[start, end)", "k=[start, end-1)"),
        ("forward", "[start+1, end)", "[start, start+1)", "k=[start, end)"),
        ("parallel", "[start, start+3)", "[start+1, end)", "k=[start+3, end)"),
    ],
)
def test_outside_code_sees_all_that_is_not_written_before_the_first_call(
    order: str, before: str, call: str, irbw: str
) -> None:
    ir = program(f"""
        multistage {order}
          stage
            do {before}
              b = a
            do {call}
              out = call "m:f"(a) bundle "trace"(b)
    """)
    assert str(intents(ir)["b"].irbw) == irbw


def test_an_escaped_temporary_is_computed_on_the_whole_domain() -> None:
    """Although all that is read of it at points lies one column further on."""
    ir = parallel(
        "temporary t: f64[IJK]",
        "temporary u: f64[IJK]",
        "t = a",
        'u = call "m:f"(a) bundle "trace"(t)',
        "out = u[1, 0, 0]",
    )
    store = ir.multistages[0].stages[0].do_methods[0].body[0]
    assert extents(ir).box(store).i == (0, 1)
    assert not intents(ir).temporaries["t"].irbw


def test_stores_that_only_outside_code_sees_are_alive() -> None:
    trace = 'out = call "m:f"(a) bundle "trace"(b)'
    assert not dead_statements(parallel("b = a", trace, 'b = call "m:f"(a) effects(read)', "b = a"))
    assert dead_statements(parallel("b = a", 'out = call "m:f"(a) effects(read)', "b = a"))


def test_a_temporary_that_outside_code_gets_is_set_on_all_levels() -> None:
    ir = program("""
        temporary t: f64[IJK]
        multistage parallel
          stage
            do [start+1, end)
              t = a
              out = call "m:f"(a) bundle "trace"(t)
    """)
    (read,) = unset_reads(ir)
    assert (read.name, read.certain, read.levels) == ("t", False, FULL)
    assert not intents(zero_unset_temporaries(ir)).temporaries["t"].irbw


def test_injected_values_are_stores_that_keep_their_order() -> None:
    unit = footprint(only_call('out = call "m:f"(a) bundle "inject"(b)'))
    assert (unit.stores, unit.has_effects) == (("out", "b"), True)

"""What external calls may do to fields, and what that means for intents."""

import pytest

from iir.analyses.call_site_effects import call_site_effects, escaped_fields
from iir.analyses.intents import Intent, intents
from iir.nodes import Stencil
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
    assert (effects.may_store, effects.escaping, effects.sees, effects.changes) == ((), (), False, False)


@pytest.mark.parametrize(
    ("bundle", "reads", "may_store", "escaping", "sees", "changes"),
    [
        ('"trace"(a)', ["a"], [], ("a",), True, True),
        ('"deopt"(a)', ["a"], [], (), True, False),
        ('"inject"(a)', ["a"], ["a"], (), False, False),
        ('"assume"(a)', ["a"], [], (), False, False),
    ],
)
def test_each_tag_has_its_effects(
    bundle: str, reads: list[str], may_store: list[str], escaping: tuple[str, ...], sees: bool, changes: bool
) -> None:
    effects = call_site_effects(only_call(f'out = call "m:f"() bundle {bundle}'))
    assert [access.name for access in effects.reads] == reads
    assert [access.name for access in effects.may_store] == may_store
    assert (effects.escaping, effects.sees, effects.changes) == (escaping, sees, changes)


@pytest.mark.parametrize(
    ("word", "sees", "changes"),
    [("none", False, False), ("read", True, False), ("write", True, True), ("any", True, True)],
)
def test_effects_of_the_function_are_on_what_has_escaped(word: str, sees: bool, changes: bool) -> None:
    effects = call_site_effects(only_call(f'out = call "m:f"(a) effects({word})'))
    assert (effects.sees, effects.changes) == (sees, changes)


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
    for order, expected in (("parallel", ()), ("forward", ("b",))):
        ir = computation(order, *lines)
        first, second = calls(ir)
        found = escaped_fields(ir)
        assert (found[id(first)], found[id(second)]) == (expected, ("b",))

"""Each rule that decides whether an array is on the stack."""

from dataclasses import replace
from textwrap import dedent

import pytest

from backends.loopnest.expressions import Affine
from backends.loopnest.nodes import (
    Function,
    Invoke,
    MakeView,
    Memory,
    Report,
    RestoreStack,
    Return,
    SaveStack,
    Step,
    Within,
)
from backends.loopnest.stack_arrays import stack_arrays
from backends.loopnest.stack_policy import DEVICE, NO_STACK, StackPolicy, innermost
from backends.loopnest.stack_rules import Rule
from iir.dtypes import DType
from tests.unit.backends.loopnest.arrays import (
    ZERO,
    allocate,
    body_text,
    branch,
    free,
    function,
    let,
    loop,
    store,
    view,
)


def _rules(*steps: Step, policy: StackPolicy | None = None) -> dict[str, Rule]:
    return dict(stack_arrays(function(*steps), policy).rules)


def _rule(*steps: Step, policy: StackPolicy | None = None) -> Rule:
    (rule,) = _rules(*steps, policy=policy).values()
    return rule


def _moved(*steps: Step) -> str:
    return body_text(stack_arrays(function(*steps)).function)


def _expect(actual: str, expected: str) -> None:
    assert actual == dedent(expected).strip("\n")


def test_array_that_is_freed_at_the_end_goes_on_the_stack() -> None:
    assert _rule(allocate("a", 4), free("a")) is Rule.CONSTANT_SIZE


def test_array_that_is_freed_on_one_path_only_stays_on_the_heap() -> None:
    assert _rule(allocate("a", 4), branch(free("a"))) is Rule.NOT_SURELY_FREED


def test_array_that_is_freed_on_both_paths_goes_on_the_stack() -> None:
    assert _rule(allocate("a", 4), branch(free("a"), orelse=(free("a"),))) is Rule.CONSTANT_SIZE


def test_free_where_the_state_is_unknown_does_not_count() -> None:
    assert _rule(allocate("a", 4), branch(free("a")), free("a")) is Rule.NOT_SURELY_FREED


def test_array_that_is_freed_at_one_of_two_exits_stays_on_the_heap() -> None:
    assert _rule(allocate("a", 4), branch(Return()), free("a")) is Rule.NOT_SURELY_FREED


def test_array_that_is_freed_at_both_exits_goes_on_the_stack() -> None:
    assert _rule(allocate("a", 4), branch(free("a"), Return()), free("a")) is Rule.CONSTANT_SIZE


def test_code_after_a_return_does_not_count() -> None:
    assert _rule(allocate("a", 4), free("a"), Return(), allocate("a", 4)) is Rule.CONSTANT_SIZE
    assert _rule(allocate("a", 4), Return(), free("a")) is Rule.NOT_SURELY_FREED


def test_array_that_is_allocated_again_after_its_free_is_not_freed() -> None:
    assert _rule(allocate("a", 4), free("a"), allocate("a", 4)) is Rule.NOT_SURELY_FREED


def test_loop_may_have_no_iteration() -> None:
    assert _rule(allocate("a", 4), loop("k", free("a"))) is Rule.NOT_SURELY_FREED
    assert _rule(loop("k", allocate("a", 4), free("a"))) is Rule.CONSTANT_SIZE


def test_range_of_a_body_may_be_missed() -> None:
    inside = Within("n", ZERO, Affine(None, 5), (free("a"),))
    assert _rule(allocate("a", 4), inside) is Rule.NOT_SURELY_FREED


def test_checks_are_no_exits() -> None:
    failed = branch(Report(1, (ZERO,), ()))
    assert _rule(allocate("a", 4), failed, free("a")) is Rule.CONSTANT_SIZE


def test_calls_free_nothing() -> None:
    call = Invoke("kernel", ("a",))
    assert _rule(allocate("a", 4), call) is Rule.NOT_SURELY_FREED
    assert _rule(allocate("a", 4), call, free("a")) is Rule.CONSTANT_SIZE


def test_array_that_must_be_on_the_heap_stays_there() -> None:
    steps = allocate("a", 4, must_be_heap=True), free("a")
    assert _rule(*steps) is Rule.MUST_BE_HEAP
    assert stack_arrays(function(*steps)).function == function(*steps)


def test_array_that_others_may_reach_stays_on_the_heap() -> None:
    assert _rule(allocate("a", 4, escapes=True), free("a")) is Rule.ESCAPED


def test_array_of_constant_size_is_in_the_frame_from_the_beginning() -> None:
    inside = allocate("a_array", 4), view("a_array", 0), loop("i", store("a", "i")), free("a_array")
    steps = let("x"), loop("k", branch(*inside))
    assert _rule(*steps) is Rule.CONSTANT_SIZE
    _expect(
        _moved(*steps),
        """
        allocate a_array: f64 4, unit stride on axis 0 on the stack
        a = view of a_array at [0], unit stride on axis 0
        x = 1:i64
        serial k in [0, 3)
            if True:bool
                serial i in [0, 3)
                    a[i] = 1.0:f64
        """,
    )


def test_array_of_a_size_that_is_an_argument_is_allocated_at_the_entry() -> None:
    steps = let("x"), loop("k", allocate("a", "n", "m"), free("a"))
    assert _rule(*steps) is Rule.KNOWN_SIZE
    assert _moved(*steps).startswith("allocate a: f64 n x m, unit stride on axis 0 on the stack\nx = 1")


def test_array_of_a_run_time_size_is_allocated_after_its_last_operand() -> None:
    steps = let("x"), let("y"), let("z"), loop("k", allocate("a", "x", "y"), free("a"))
    assert _rule(*steps) is Rule.KNOWN_SIZE
    _expect(
        _moved(*steps),
        """
        x = 1:i64
        y = 1:i64
        allocate a: f64 x x y, unit stride on axis 0 on the stack
        z = 1:i64
        serial k in [0, 3)
        """,
    )


def test_operand_that_is_set_several_times_has_its_value_where_it_is_used_only() -> None:
    _expect(
        _moved(let("x"), let("x", "n"), let("y"), allocate("a", "x"), free("a")),
        """
        x = 1:i64
        x = n
        y = 1:i64
        allocate a: f64 x, unit stride on axis 0 on the stack
        """,
    )


def test_view_stays_where_its_origin_is_known() -> None:
    steps = loop("k", allocate("a_array", "n"), view("a_array", "k"), free("a_array"))
    _expect(
        _moved(steps),
        """
        allocate a_array: f64 n, unit stride on axis 0 on the stack
        serial k in [0, 3)
            a = view of a_array at [k], unit stride on axis 0
        """,
    )


def test_each_iteration_that_allocates_gives_the_stack_back() -> None:
    steps = loop("k", let("x", "k"), allocate("a_array", "x"), view("a_array", 0), let("y"), free("a_array"))
    assert _rule(steps) is Rule.SAVED_AND_RESTORED
    _expect(
        _moved(steps),
        """
        serial k in [0, 3)
            x = k
            a_array_stack = save stack
            allocate a_array: f64 x, unit stride on axis 0 on the stack
            a = view of a_array at [0], unit stride on axis 0
            y = 1:i64
            restore stack to a_array_stack
        """,
    )


def test_array_that_is_freed_in_another_block_of_a_loop_stays_on_the_heap() -> None:
    freed = branch(free("a"), orelse=(free("a"),))
    assert _rule(loop("k", allocate("a", "k"), freed)) is Rule.FREED_ELSEWHERE


def test_token_of_a_scope_has_a_name_of_its_own() -> None:
    steps = let("a_stack"), loop("k", allocate("a", "k"), free("a"))
    assert "a_stack_ = save stack" in _moved(*steps)


def test_array_in_a_loop_stays_on_the_heap_if_another_allocation_lies_between() -> None:
    other = replace(allocate("b", "k"), memory=Memory.STACK)
    assert _rule(loop("k", allocate("a", "k"), other, free("a"))) is Rule.INTERVENING_ALLOCATION


def test_of_two_arrays_in_a_loop_whose_lives_overlap_the_second_stays_on_the_heap() -> None:
    steps = loop("k", allocate("a", "k"), allocate("b", "k"), free("a"), free("b"))
    assert _rules(steps) == {"a": Rule.SAVED_AND_RESTORED, "b": Rule.INTERVENING_ALLOCATION}


def test_of_two_arrays_in_a_loop_one_may_live_within_the_other() -> None:
    steps = loop("k", allocate("a", "k"), allocate("b", "k"), free("b"), free("a"))
    assert _rules(steps) == dict.fromkeys("ab", Rule.SAVED_AND_RESTORED)
    _expect(
        _moved(steps),
        """
        serial k in [0, 3)
            a_stack = save stack
            allocate a: f64 k, unit stride on axis 0 on the stack
            b_stack = save stack
            allocate b: f64 k, unit stride on axis 0 on the stack
            restore stack to b_stack
            restore stack to a_stack
        """,
    )


def test_arrays_that_share_an_operand_stay_on_their_sides_of_a_scope() -> None:
    scope = SaveStack("s"), allocate("a", "x"), free("a"), RestoreStack("s")
    steps = let("x"), *scope, allocate("b", "x"), free("b")
    assert _rules(*steps) == dict.fromkeys("ab", Rule.KNOWN_SIZE)
    _expect(
        _moved(*steps),
        """
        x = 1:i64
        allocate b: f64 x, unit stride on axis 0 on the stack
        s = save stack
        allocate a: f64 x, unit stride on axis 0 on the stack
        restore stack to s
        """,
    )


def test_scope_in_a_loop_needs_no_other_scope() -> None:
    steps = loop("k", SaveStack("s"), allocate("a", "k"), free("a"), RestoreStack("s"))
    assert _rule(steps) is Rule.KNOWN_SIZE
    assert _moved(steps).count("save stack") == 1


def test_array_of_constant_size_outlives_a_scope() -> None:
    steps = SaveStack("s"), allocate("a", 4), RestoreStack("s"), free("a")
    assert _rule(*steps) is Rule.CONSTANT_SIZE
    _expect(
        _moved(*steps),
        """
        allocate a: f64 4, unit stride on axis 0 on the stack
        s = save stack
        restore stack to s
        """,
    )


def test_scope_around_a_loop_does_not_give_the_stack_back_in_each_iteration() -> None:
    steps = SaveStack("s"), loop("k", allocate("a", "k"), free("a")), RestoreStack("s")
    assert _rule(*steps) is Rule.SAVED_AND_RESTORED
    assert _moved(*steps).count("save stack") == 2


def test_array_that_outlives_a_scope_stays_on_the_heap() -> None:
    steps = SaveStack("s"), allocate("a", "n"), RestoreStack("s"), free("a")
    assert _rule(*steps) is Rule.FREED_ELSEWHERE


def test_budget_is_spent_in_program_order() -> None:
    steps = [step for name in "abc" for step in (allocate(name, 40), free(name))]
    rules = _rules(*steps, policy=StackPolicy(budget=2 * 40 * 8))
    assert rules == {"a": Rule.CONSTANT_SIZE, "b": Rule.CONSTANT_SIZE, "c": Rule.OVER_BUDGET}


def test_array_that_still_fits_goes_on_the_stack_after_one_that_did_not() -> None:
    steps = allocate("a", 50), free("a"), allocate("b", 60), free("b"), allocate("c", 40), free("c")
    rules = _rules(*steps, policy=StackPolicy(budget=90 * 8))
    assert rules == {"a": Rule.CONSTANT_SIZE, "b": Rule.OVER_BUDGET, "c": Rule.CONSTANT_SIZE}


def test_policy_may_switch_the_stack_off() -> None:
    assert _rule(allocate("a", 4), free("a"), policy=NO_STACK) is Rule.SWITCHED_OFF


def test_policy_may_want_sizes_that_are_known_before_the_call() -> None:
    policy = StackPolicy(run_time_sizes=False)
    steps = allocate("a", "n"), free("a"), allocate("b", 4), free("b")
    assert _rules(*steps, policy=policy) == {"a": Rule.RUN_TIME_SIZE, "b": Rule.CONSTANT_SIZE}


@pytest.mark.parametrize(
    ("length", "rule"),
    [("n", Rule.RUN_TIME_SIZE), (128, Rule.CONSTANT_SIZE), (129, Rule.TOO_LARGE)],
)
def test_devices_have_small_arrays_of_constant_size_on_the_stack(length: int | str, rule: Rule) -> None:
    assert _rule(allocate("a", length), free("a"), policy=DEVICE) is rule


def test_innermost_policy_wins() -> None:
    outer, inner = StackPolicy(budget=1), StackPolicy(budget=2)
    assert innermost(outer, inner) is inner
    assert innermost(outer, None) is outer
    assert innermost(None, None) == StackPolicy()


def test_every_rule_is_a_sentence() -> None:
    for rule in Rule:
        assert rule.value[0].isupper()
        assert rule.value.endswith(".")


def test_what_is_on_the_stack_is_left_alone() -> None:
    steps = loop("k", allocate("a", "k"), free("a")), allocate("b", "n"), free("b")
    once = stack_arrays(function(*steps)).function
    again = stack_arrays(once)
    assert (again.function, dict(again.rules)) == (once, {})


def test_views_keep_their_dtype_and_unit_stride() -> None:
    made = MakeView("v", "a", (ZERO,), DType.INT32, None)
    moved: Function = stack_arrays(function(loop("k", allocate("a", 3), made, free("a")))).function
    assert moved.body[1] == made

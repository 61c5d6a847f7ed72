"""Moves allocations from the heap to the stack of their kernel."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from math import prod
from types import MappingProxyType

from backends.loopnest.allocation_states import freed_at_every_exit
from backends.loopnest.insertion_places import Places
from backends.loopnest.nodes import (
    Allocate,
    Free,
    Function,
    MakeView,
    Memory,
    RestoreStack,
    SaveStack,
    Step,
)
from backends.loopnest.stack_policy import StackPolicy
from backends.loopnest.stack_rules import Rule
from backends.loopnest.steps import Edits, Path, all_steps, block_at, edited, located
from backends.loopnest.uses import fresh_name
from iir.dtypes import numpy_dtype


@dataclass(frozen=True, slots=True)
class Stacked:
    """*function* with arrays on the stack where *rules*, by array, say so."""

    function: Function
    rules: Mapping[str, Rule]


def stack_arrays(function: Function, policy: StackPolicy | None = None) -> Stacked:
    """*function* with its arrays on the stack where they may be.

    Everything on the stack is dead when *function* returns, a bounded part of it is in use, and no loop
    makes that grow. What is on the heap stays exactly as it was.
    """
    found = [
        item for item in located(function.body) if isinstance(item[1], Allocate) and _is_on_heap(item[1])
    ]
    rules = _Decisions(function, policy or StackPolicy()).rules(found)
    outside = {name for name, rule in rules.items() if rule in (Rule.CONSTANT_SIZE, Rule.KNOWN_SIZE)}
    inside = [name for name, rule in rules.items() if rule is Rule.SAVED_AND_RESTORED]
    function = _moved(function, outside)
    for name in inside:
        function, rules[name] = _with_scope(function, name)
    return Stacked(function, MappingProxyType(rules))


def _is_on_heap(step: Allocate) -> bool:
    return step.memory is Memory.HEAP


def constant_bytes(step: Allocate) -> int | None:
    """The size of an array, None if only a call knows it."""
    if any(size.name for size in step.sizes):
        return None
    return prod(size.offset for size in step.sizes) * numpy_dtype(step.dtype).itemsize


class _Decisions:
    """Goes over allocations in program order with what is left of the budget."""

    def __init__(self, function: Function, policy: StackPolicy) -> None:
        self.places = Places(function)
        self.freed = freed_at_every_exit(function)
        self.frees: defaultdict[str, list[Path]] = defaultdict(list)
        for path, step in located(function.body):
            if isinstance(step, Free):
                self.frees[step.array].append(path)
        self.policy = policy
        self.left = policy.budget

    def rules(self, found: Iterable[tuple[Path, Step]]) -> dict[str, Rule]:
        rules: dict[str, Rule] = {}
        for path, step in found:
            assert isinstance(step, Allocate)
            if step.array not in rules:
                rules[step.array] = self._rule(path, step)
        return rules

    def _rule(self, path: Path, step: Allocate) -> Rule:
        if step.must_be_heap:
            return Rule.MUST_BE_HEAP
        if step.escapes:
            return Rule.ESCAPED
        if step.array not in self.freed:
            return Rule.NOT_SURELY_FREED
        if not self.policy.budget:
            return Rule.SWITCHED_OFF
        size = constant_bytes(step)
        if size is not None:
            return self._rule_of_constant_size(size)
        if not self.policy.run_time_sizes:
            return Rule.RUN_TIME_SIZE
        if any(self.places.scopes(path) != self.places.scopes(free) for free in self.frees[step.array]):
            return Rule.FREED_ELSEWHERE
        place = self.places.earliest(path, step.sizes)
        return Rule.SAVED_AND_RESTORED if self.places.is_repeated(place) else Rule.KNOWN_SIZE

    def _rule_of_constant_size(self, size: int) -> Rule:
        if self.policy.largest is not None and size > self.policy.largest:
            return Rule.TOO_LARGE
        if size > self.left:
            return Rule.OVER_BUDGET
        self.left -= size
        return Rule.CONSTANT_SIZE


def _moved(function: Function, arrays: set[str]) -> Function:
    """*function* with each of *arrays* on the stack, once, where its size is known for the first time.

    Views of them move along where their origin is known there as well.
    """
    places = Places(function)
    before: defaultdict[Path, list[Step]] = defaultdict(list)
    without: set[Path] = set()
    of_array: dict[str, Path] = {}
    for path, step in located(function.body):
        match step:
            case Allocate(array) if array in arrays:
                without.add(path)
                if array not in of_array:
                    place = of_array[array] = places.earliest(path, step.sizes)
                    before[place].append(replace(step, memory=Memory.STACK))
            case Free(array) if array in arrays:
                without.add(path)
            case MakeView(array=array) if array in arrays:
                place = of_array[array]
                if places.earliest(path, step.origin) <= place:
                    without.add(path)
                    before[place].append(step)
            case _:
                pass
    edits = Edits({path: tuple(steps) for path, steps in before.items()}, frozenset(without))
    return replace(function, body=edited(function.body, edits))


def _with_scope(function: Function, array: str) -> tuple[Function, Rule]:
    """*function* with *array* on the stack from its allocation to where it is freed, if that can be."""
    steps = dict(located(function.body))
    begins = [path for path, step in steps.items() if isinstance(step, Allocate) and step.array == array]
    ends = [path for path, step in steps.items() if isinstance(step, Free) and step.array == array]
    if len(begins) != 1 or len(ends) != 1 or begins[0][:-1] != ends[0][:-1]:
        return function, Rule.FREED_ELSEWHERE
    (begin,), (end,) = begins, ends
    between = block_at(function.body, begin[:-1])[begin[-1] + 1 : end[-1]]
    if _touches_stack(between):
        return function, Rule.INTERVENING_ALLOCATION
    token = fresh_name(f"{array}_stack", function)
    step = steps[begin]
    assert isinstance(step, Allocate)
    edits = {
        begin: (SaveStack(token), replace(step, memory=Memory.STACK)),
        end: (RestoreStack(token),),
    }
    body = edited(function.body, Edits(edits, frozenset((begin, end))))
    return replace(function, body=body), Rule.SAVED_AND_RESTORED


def _touches_stack(steps: tuple[Step, ...]) -> bool:
    """Whether something in *steps* stays on the stack after them, or takes away what was there before."""
    scopes = 0
    for step in all_steps(steps):
        match step:
            case SaveStack():
                scopes += 1
            case RestoreStack():
                scopes -= 1
            case Allocate(memory=Memory.STACK) if not scopes:
                return True
            case _:
                pass
        if scopes < 0:
            return True
    return scopes > 0

"""Moves allocations from the heap to the stack of their kernel."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from math import prod
from types import MappingProxyType

from backends.loopnest.allocation_states import freed_at_every_exit
from backends.loopnest.insertion_places import ENTRY, Places
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
from backends.loopnest.uses import defined_names, fresh_name
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
    inside = {name for name, rule in rules.items() if rule is Rule.SAVED_AND_RESTORED}
    function, own_rules = _with_scopes(_moved(function, outside), inside)
    return Stacked(function, MappingProxyType({**rules, **own_rules}))


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
                    # What has a constant size is in the frame, which no scope gives back.
                    is_in_frame = constant_bytes(step) is not None
                    place = of_array[array] = ENTRY if is_in_frame else places.earliest(path, step.sizes)
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


def _with_scopes(function: Function, arrays: set[str]) -> tuple[Function, Mapping[str, Rule]]:
    """*function* with those of *arrays* on the stack for which that can be, from their allocation to where
    they are freed."""
    begins, ends = _lives(function, arrays)
    taken = defined_names(function) if arrays else ()
    rules: dict[str, Rule] = {}
    accepted: defaultdict[Path, list[tuple[int, int]]] = defaultdict(list)
    before: defaultdict[Path, tuple[Step, ...]] = defaultdict(tuple)
    for array, places in begins.items():
        rule = rules[array] = _rule_of_scope(function, places, ends[array], accepted)
        if rule is Rule.SAVED_AND_RESTORED:
            ((begin, step),), (end,) = places, ends[array]
            accepted[begin[:-1]].append((begin[-1], end[-1]))
            token = fresh_name(f"{array}_stack", taken)
            before[begin] = SaveStack(token), replace(step, memory=Memory.STACK)
            before[end] = (RestoreStack(token),)
    body = edited(function.body, Edits(before, frozenset(before)))
    return replace(function, body=body), rules


def _lives(
    function: Function, arrays: set[str]
) -> tuple[Mapping[str, list[tuple[Path, Allocate]]], Mapping[str, list[Path]]]:
    """Where each of *arrays* is allocated, in program order, and where it is freed."""
    begins: defaultdict[str, list[tuple[Path, Allocate]]] = defaultdict(list)
    ends: defaultdict[str, list[Path]] = defaultdict(list)
    for path, step in located(function.body) if arrays else ():
        match step:
            case Allocate(array) if array in arrays:
                begins[array].append((path, step))
            case Free(array) if array in arrays:
                ends[array].append(path)
            case _:
                pass
    return begins, ends


def _rule_of_scope(
    function: Function,
    begins: list[tuple[Path, Allocate]],
    ends: list[Path],
    accepted: Mapping[Path, list[tuple[int, int]]],
) -> Rule:
    """Whether one array can have a scope; *accepted* are those that begin before it, by their block."""
    if len(begins) != 1 or len(ends) != 1 or begins[0][0][:-1] != ends[0][:-1]:
        return Rule.FREED_ELSEWHERE
    (*block, first), last = begins[0][0], ends[0][-1]
    crosses = any(first < end < last for _, end in accepted.get(tuple(block), ()))
    between = block_at(function.body, tuple(block))[first + 1 : last]
    return Rule.INTERVENING_ALLOCATION if crosses or _touches_stack(between) else Rule.SAVED_AND_RESTORED


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

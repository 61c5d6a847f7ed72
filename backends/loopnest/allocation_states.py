"""Which arrays are surely freed when a function ends."""

from collections.abc import Iterator, Mapping
from enum import Enum
from typing import TypeAlias

from backends.loopnest.nodes import Allocate, Branch, Free, Function, Loop, Return, Step, Within
from backends.loopnest.steps import all_steps


class State(Enum):
    """Of an array at one place of a function; UNKNOWN where ways with different states meet."""

    ALLOCATED = "allocated"
    FREED = "freed"
    UNKNOWN = "unknown"

    def __repr__(self) -> str:
        return f"State.{self.name}"


States: TypeAlias = Mapping[str, State]
"""Arrays that no way to a place has met are not in it."""


def freed_at_every_exit(function: Function) -> frozenset[str]:
    """The arrays that *function* allocates and has freed whenever it returns.

    A failed check is no exit, and what a function calls frees nothing.
    """
    found = {step.array for step in all_steps(function.body) if isinstance(step, Allocate)}
    exits = tuple(_Flow().exits(function))
    return frozenset(
        name for name in found if all(states.get(name, State.FREED) is State.FREED for states in exits)
    )


class _Flow:
    """States along the ways through a function; None where no way leads."""

    def __init__(self) -> None:
        self.returns: list[States] = []

    def exits(self, function: Function) -> Iterator[States]:
        end = self._after(function.body, {})
        yield from self.returns
        if end is not None:
            yield end

    def _after(self, steps: tuple[Step, ...], states: States | None) -> States | None:
        for step in steps:
            if states is None:
                break
            states = self._after_step(step, states)
        return states

    def _after_step(self, step: Step, states: States) -> States | None:
        match step:
            case Allocate(array):
                return {**states, array: State.ALLOCATED}
            case Free(array):
                return _freed(array, states)
            case Return():
                self.returns.append(states)
                return None
            case Loop(body=body):
                return self._after_loop(body, states)
            case Within(body=body):
                return _joined(states, self._after(body, states))
            case Branch(_, then, orelse):
                return _joined(self._after(then, states), self._after(orelse, states))
            case _:
                return states

    def _after_loop(self, body: tuple[Step, ...], states: States) -> States:
        """At the end of any number of iterations: each round of joining only loses certainty."""
        while True:
            joined = _joined(states, self._after(body, states))
            assert joined is not None
            if joined == states:
                return states
            states = joined


def _freed(array: str, states: States) -> States:
    if states.get(array) is State.ALLOCATED:
        return {**states, array: State.FREED}
    return states


def _joined(left: States | None, right: States | None) -> States | None:
    if left is None or right is None:
        return right if left is None else left
    return {**left, **{name: _join(left.get(name, state), state) for name, state in right.items()}}


def _join(left: State, right: State) -> State:
    return left if left is right else State.UNKNOWN

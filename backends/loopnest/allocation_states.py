"""Which arrays are surely freed when a function ends."""

from collections.abc import Iterator, Mapping
from enum import Enum
from typing import TypeAlias, assert_never

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

    def _after(self, steps: tuple[Step, ...], before: States) -> States | None:
        states = dict(before)
        for step in steps:
            match step:
                case Allocate(array):
                    states[array] = State.ALLOCATED
                case Free(array) if states.get(array) is State.ALLOCATED:
                    states[array] = State.FREED
                case Return():
                    self.returns.append(states)
                    return None
                case Loop() | Within() | Branch() if _matters(step):
                    after = self._after_blocks(step, states)
                    if after is None:
                        return None
                    states = dict(after)
                case _:
                    pass
        return states

    def _after_blocks(self, step: Loop | Within | Branch, states: States) -> States | None:
        match step:
            case Loop(body=body):
                return self._after_loop(body, states)
            case Within(body=body):
                return _joined(states, self._after(body, states))
            case Branch(_, then, orelse):
                return _joined(self._after(then, states), self._after(orelse, states))
            case _:
                assert_never(step)

    def _after_loop(self, body: tuple[Step, ...], states: States) -> States:
        """At the end of any number of iterations: each round of joining only loses certainty."""
        while True:
            joined = _joined(states, self._after(body, states))
            assert joined is not None
            if joined == states:
                return states
            states = joined


def _matters(step: Step) -> bool:
    """Whether the states after *step* may not be those before it."""
    return any(isinstance(inner, Allocate | Free | Return) for inner in all_steps((step,)))


def _joined(left: States | None, right: States | None) -> States | None:
    if left is None or right is None:
        return right if left is None else left
    return {**left, **{name: _join(left.get(name, state), state) for name, state in right.items()}}


def _join(left: State, right: State) -> State:
    return left if left is right else State.UNKNOWN

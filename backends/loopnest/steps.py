"""Ways over the steps of a function."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from backends.loopnest.nodes import Branch, Loop, Step, Within

Rule = Callable[[Step], tuple[Step, ...]]


def all_steps(steps: Iterable[Step]) -> Iterator[Step]:
    """*steps* and those inside them, in program order."""
    for step in steps:
        yield step
        match step:
            case Loop(body=body) | Within(body=body):
                yield from all_steps(body)
            case Branch(_, then, orelse):
                yield from all_steps(then)
                yield from all_steps(orelse)
            case _:
                pass


def replaced(steps: tuple[Step, ...], rule: Rule) -> tuple[Step, ...]:
    """*steps* with each step replaced by those that *rule* makes of it, the inner ones first."""
    return tuple(new for step in steps for new in rule(_with_inner(step, rule)))


def _with_inner(step: Step, rule: Rule) -> Step:
    match step:
        case Loop(body=body) | Within(body=body):
            return replace(step, body=replaced(body, rule))
        case Branch(_, then, orelse):
            return replace(step, then=replaced(then, rule), orelse=replaced(orelse, rule))
        case _:
            return step

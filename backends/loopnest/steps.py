"""Ways over the steps of a function."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from backends.loopnest.nodes import Branch, Loop, Step, Within

Rule = Callable[[Step], tuple[Step, ...]]

Path: TypeAlias = tuple[int, ...]
"""Where a step stands: its number in the outermost block, which block of that step, its number there, ...

Paths of steps compare as the steps stand in the text; without its last number a path is that of a block.
"""


def all_steps(steps: Iterable[Step]) -> Iterator[Step]:
    """*steps* and those inside them, in program order."""
    for step in steps:
        yield step
        for block in blocks(step):
            yield from all_steps(block)


def blocks(step: Step) -> tuple[tuple[Step, ...], ...]:
    """The blocks of steps inside *step*."""
    match step:
        case Loop(body=body) | Within(body=body):
            return (body,)
        case Branch(_, then, orelse):
            return then, orelse
        case _:
            return ()


def with_blocks(step: Step, inside: tuple[tuple[Step, ...], ...]) -> Step:
    """*step* with other blocks inside it."""
    match step:
        case Loop() | Within():
            return replace(step, body=inside[0])
        case Branch():
            return replace(step, then=inside[0], orelse=inside[1])
        case _:
            return step


def replaced(steps: tuple[Step, ...], rule: Rule) -> tuple[Step, ...]:
    """*steps* with each step replaced by those that *rule* makes of it, the inner ones first."""
    return tuple(new for step in steps for new in rule(_with_inner(step, rule)))


def _with_inner(step: Step, rule: Rule) -> Step:
    return with_blocks(step, tuple(replaced(block, rule) for block in blocks(step)))


def located(steps: tuple[Step, ...], block: Path = ()) -> Iterator[tuple[Path, Step]]:
    """*steps* and those inside them, in program order, and where they stand."""
    for number, step in enumerate(steps):
        path = (*block, number)
        yield path, step
        for which, inside in enumerate(blocks(step)):
            yield from located(inside, (*path, which))


def block_at(steps: tuple[Step, ...], block: Path) -> tuple[Step, ...]:
    """The steps of the block at a path."""
    for number, which in zip(block[::2], block[1::2], strict=True):
        steps = blocks(steps[number])[which]
    return steps


@dataclass(frozen=True, slots=True)
class Edits:
    """Steps to be put before those that stand at some paths now, and paths of steps to be left out."""

    before: Mapping[Path, tuple[Step, ...]]
    without: frozenset[Path] = field(default_factory=frozenset)


def edited(steps: tuple[Step, ...], edits: Edits, block: Path = ()) -> tuple[Step, ...]:
    """*steps* after *edits*; a path one beyond the last step means the end of its block."""
    result: list[Step] = []
    for number, step in enumerate(steps):
        path = (*block, number)
        result += edits.before.get(path, ())
        if path not in edits.without:
            inner = tuple(edited(inside, edits, (*path, at)) for at, inside in enumerate(blocks(step)))
            result.append(with_blocks(step, inner))
    return (*result, *edits.before.get((*block, len(steps)), ()))

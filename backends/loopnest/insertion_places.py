"""The first place of a function where something can be computed."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Final

from backends.loopnest.expressions import Affine
from backends.loopnest.nodes import CallExternal, Function, Let, Loop, RestoreStack, SaveStack, Step
from backends.loopnest.steps import Path, block_at, located

ENTRY: Final[Path] = (0,)


class Places:
    """A place is the path of the step before which something is put."""

    def __init__(self, function: Function) -> None:
        self.body = function.body
        self.defined: defaultdict[str, list[Path]] = defaultdict(list)
        self.has_scopes = False
        for parameter in function.parameters:
            self.defined[parameter.name].append(ENTRY)
        for path, step in located(self.body):
            self.has_scopes |= isinstance(step, SaveStack)
            for name, place in _definitions(path, step):
                self.defined[name].append(place)

    def earliest(self, path: Path, operands: Iterable[Affine]) -> Path:
        """Where all *operands* have for the first time the values that they have at *path*.

        It is on every way to *path*, and not outside a part that gives the stack back at its end.
        """
        places = [ENTRY, *self.scopes(path)]
        places += [self._definition(item.name, path) for item in operands if item.name]
        return max(places)

    def is_repeated(self, place: Path) -> bool:
        """Whether each iteration of a loop comes by *place*, and nothing gives the stack back before."""
        loops = [
            place[:length]
            for length in range(1, len(place) - 1, 2)
            if isinstance(self._step(place[:length]), Loop)
        ]
        if not loops:
            return False
        inside = (*loops[-1], 0)
        return not any(scope[: len(inside)] == inside for scope in self.scopes(place))

    def _definition(self, name: str, path: Path) -> Path:
        """After what sets *name* on all ways to *path*; at *path* itself if that is several steps."""
        places = self.defined[name]
        if len(places) != 1 or path[: len(places[0]) - 1] != places[0][:-1]:
            return path
        return min(places[0], path)

    def scopes(self, path: Path) -> tuple[Path, ...]:
        """After each step that saves what a later one restores, with *path* between them."""
        return tuple(self._scopes(path)) if self.has_scopes else ()

    def _scopes(self, path: Path) -> Iterator[Path]:
        for length in range(1, len(path) + 1, 2):
            block, number = path[: length - 1], path[length - 1]
            steps = block_at(self.body, block)
            ends = {step.token for step in steps[number:] if isinstance(step, RestoreStack)}
            for at, step in enumerate(steps[:number]):
                if isinstance(step, SaveStack) and step.token in ends:
                    yield (*block, at + 1)

    def _step(self, path: Path) -> Step:
        return block_at(self.body, path[:-1])[path[-1]]


def _definitions(path: Path, step: Step) -> Iterator[tuple[str, Path]]:
    """Names that *step* sets, and where they are known."""
    after = (*path[:-1], path[-1] + 1)
    match step:
        case Let(name):
            yield name, after
        case CallExternal(targets):
            yield from ((name, after) for name in targets)
        case Loop(index=index):
            yield index, (*path, 0, 0)
        case _:
            pass

"""From which assignments temporaries get their values."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from types import MappingProxyType
from typing import TypeVar

from iir.analyses.dependencies import Unit, units
from iir.analyses.extents import extents
from iir.analyses.operations import operations
from iir.expressions import CENTER, Offset
from iir.nodes import Axes, MultiStage, Stencil, TemporaryDecl
from iir.statements import Assign

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Place:
    """A unit and where it stands. Units of one *run* follow each other in a do-method on one box."""

    unit: Unit
    multistage: MultiStage
    run: int


@dataclass(frozen=True, slots=True)
class Recipe:
    """The assignments, at *positions* of one run, that alone give temporary *name* its value.

    *own* are the names that they set: *name*, and others that nobody uses outside the run or away
    from the point itself. *inputs* are what else they read.
    """

    name: str
    own: tuple[str, ...]
    positions: tuple[int, ...]
    inputs: tuple[tuple[str, Offset], ...]
    operations: int


@dataclass(frozen=True, slots=True)
class Places:
    """All units of a stencil in program order, and the positions of those that store and read a name.

    *homes* has the runs of temporaries that assignments of one run alone set, before anybody reads
    them; *private* those of temporaries that are used in one run, at the point itself, and nowhere else.
    What must be on the heap is in neither: no assignment to it belongs to a recipe.
    """

    items: tuple[Place, ...]
    stores: Mapping[str, tuple[int, ...]]
    reads: Mapping[str, tuple[tuple[int, Offset], ...]]
    homes: Mapping[str, int]
    private: Mapping[str, int]

    def recipe(self, name: str, most: int) -> Recipe | None:
        """The recipe of *name*; None if it has none, or only one of more than *most* assignments."""
        if name not in self.homes:
            return None
        last = self.stores[name][-1]
        own, inputs, positions = {name: None}, dict[tuple[str, Offset], None](), set[int]()
        pending = [name]
        while pending:
            found = [at for at in self.stores[pending.pop()] if at <= last]
            positions.update(found)
            if len(positions) > most:
                return None
            for read, offset in (read for at in found for read in self._reads_at(at)):
                if read in own or self.private.get(read) != self.homes[name]:
                    inputs[read, offset] = None
                elif read in self.homes:
                    own[read] = None
                    pending.append(read)
                else:
                    return None
        if any(read in own and offset != CENTER for read, offset in inputs):
            return None
        others = tuple(read for read in inputs if read[0] not in own)
        ordered = tuple(sorted(positions))
        return Recipe(name, tuple(own), ordered, others, sum(map(self._operations_at, ordered)))

    def _reads_at(self, position: int) -> tuple[tuple[str, Offset], ...]:
        return self.items[position].unit.footprint.reads

    def _operations_at(self, position: int) -> int:
        return operations(self.items[position].unit.statement)


def places(ir: Stencil) -> Places:
    """The places of *ir*; its temporaries are those with all axes whose storage is still to be decided."""
    items = tuple(_places(ir))
    stores: dict[str, list[int]] = {}
    reads: dict[str, list[tuple[int, Offset]]] = {}
    for position, place in enumerate(items):
        for name in place.unit.footprint.stores:
            stores.setdefault(name, []).append(position)
        for name, offset in place.unit.footprint.reads:
            reads.setdefault(name, []).append((position, offset))
    homes: dict[str, int] = {}
    private: dict[str, int] = {}
    for name in (item.name for item in ir.temporaries if _may_go(item)):
        set_at, read_at = stores.get(name, []), reads.get(name, [])
        set_in = {items[at].run for at in set_at}
        used_in = set_in.union(items[at].run for at, _ in read_at)
        if len(set_in) == 1 and _are_plain(set_at, items) and all(at > set_at[0] for at, _ in read_at):
            homes[name] = items[set_at[0]].run
        if len(used_in) == 1 and all(offset == CENTER for _, offset in read_at):
            private[name] = min(used_in)
    return Places(items, _frozen(stores), _frozen(reads), homes, private)


def _may_go(temporary: TemporaryDecl) -> bool:
    return temporary.axes is Axes.IJK and temporary.storage is None and not temporary.on_heap


def _are_plain(positions: list[int], items: tuple[Place, ...]) -> bool:
    """Whether the units at *positions* are unconditional assignments."""
    return all(isinstance(items[at].unit.statement, Assign) for at in positions)


def _frozen(found: Mapping[str, list[T]]) -> Mapping[str, tuple[T, ...]]:
    return MappingProxyType({name: tuple(positions) for name, positions in found.items()})


def _places(ir: Stencil) -> Iterator[Place]:
    boxes, run = extents(ir), 0
    for multistage in ir.multistages:
        for _, group in groupby(
            units(multistage), lambda unit: (id(unit.do_method), boxes.box(unit.statement))
        ):
            run += 1
            for unit in group:
                yield Place(unit, multistage, run)

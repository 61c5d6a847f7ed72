"""From which assignments temporaries get their values."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby

from iir.analyses.dependencies import Unit, units
from iir.analyses.extents import extents
from iir.analyses.operations import operations
from iir.expressions import CENTER, Offset
from iir.nodes import Axes, MultiStage, Stencil
from iir.statements import Assign


@dataclass(frozen=True, slots=True)
class Place:
    """A unit and where it stands. Units of one *run* follow each other in a do-method on one box."""

    unit: Unit
    multistage: MultiStage
    run: int


@dataclass(frozen=True, slots=True)
class Recipe:
    """The assignments, at *positions* of one run, that alone give temporary *name* its value.

    *own* are all names that they set: *name*, and others that are used in that run only, at the point
    itself. *inputs* are what else they read.
    """

    name: str
    own: tuple[str, ...]
    positions: tuple[int, ...]
    inputs: tuple[tuple[str, Offset], ...]
    operations: int


@dataclass(frozen=True, slots=True)
class Places:
    """All units of a stencil in program order, and the positions that store and read a name."""

    items: tuple[Place, ...]
    stores: Mapping[str, tuple[int, ...]]
    reads: Mapping[str, tuple[tuple[int, Offset], ...]]
    temporaries: frozenset[str]

    def recipe(self, name: str) -> Recipe | None:
        """The recipe of *name*; None if it has none, or if its first use is not an assignment of it."""
        stores = self.stores.get(name, ())
        if not stores or not self._is_set_in_one_run(name):
            return None
        run, last = self.items[stores[0]].run, stores[-1]
        own, inputs, positions = {name: None}, dict[tuple[str, Offset], None](), set[int]()
        pending = [name]
        while pending:
            positions.update(found := [at for at in self.stores[pending.pop()] if at <= last])
            for read in (read for at in found for read in self.items[at].unit.footprint.reads):
                if read[0] in own:
                    continue
                if not self._is_private(read[0], run):
                    inputs[read] = None
                elif self._is_set_in_one_run(read[0]):
                    own[read[0]] = None
                    pending.append(read[0])
                else:
                    return None
        if any(offset != CENTER for at in positions for read, offset in self._reads_at(at) if read in own):
            return None
        ordered = tuple(sorted(positions))
        cost = sum(operations(self.items[at].unit.statement) for at in ordered)
        return Recipe(name, tuple(own), ordered, tuple(inputs), cost)

    def _reads_at(self, position: int) -> tuple[tuple[str, Offset], ...]:
        return self.items[position].unit.footprint.reads

    def _is_set_in_one_run(self, name: str) -> bool:
        """Whether assignments of one run alone store *name*, the first before all that read it."""
        places = [self.items[at] for at in self.stores[name]]
        return (
            all(isinstance(place.unit.statement, Assign) for place in places)
            and len({place.run for place in places}) == 1
            and all(at > self.stores[name][0] for at, _ in self.reads.get(name, ()))
        )

    def _is_private(self, name: str, run: int) -> bool:
        """Whether temporary *name* is used in *run* only, and at the point itself."""
        if name not in self.temporaries:
            return False
        reads = self.reads.get(name, ())
        uses = (*self.stores.get(name, ()), *(at for at, _ in reads))
        return all(self.items[at].run == run for at in uses) and all(offset == CENTER for _, offset in reads)


def places(ir: Stencil) -> Places:
    """The places of *ir*; its temporaries are those with all axes whose storage is not decided yet."""
    items = tuple(_places(ir))
    stores: dict[str, list[int]] = {}
    reads: dict[str, list[tuple[int, Offset]]] = {}
    for position, place in enumerate(items):
        for name in place.unit.footprint.stores:
            stores.setdefault(name, []).append(position)
        for name, offset in place.unit.footprint.reads:
            reads.setdefault(name, []).append((position, offset))
    return Places(
        items,
        {name: tuple(positions) for name, positions in stores.items()},
        {name: tuple(positions) for name, positions in reads.items()},
        frozenset(item.name for item in ir.temporaries if item.axes is Axes.IJK and item.storage is None),
    )


def _places(ir: Stencil) -> Iterator[Place]:
    boxes, run = extents(ir), 0
    for multistage in ir.multistages:
        own = units(multistage)
        for _, group in groupby(own, lambda unit: (id(unit.do_method), boxes.box(unit.statement))):
            run += 1
            for unit in group:
                yield Place(unit, multistage, run)

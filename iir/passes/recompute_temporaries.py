"""Compute cheap temporaries where they are read, instead of keeping them until then.

A temporary that is always set by the same few assignments is computed again in front of its
readers: once for each offset at which they read it, by copies of the assignments, displaced by that
offset. A copy serves the statements of one run, which share a loop over the columns, so that its
value needs no memory.

Legal where a copy computes what its readers would have read: the assignments are pure and
unconditional and have set every point that is read; between them and the copy nothing stores what
they read, and no effectful call happens. The points that copies read are those that were read
before. What they read at a horizontal offset is not stored in the reader's stage, so that stages
keep their rule.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from iir.analyses.accesses import nested
from iir.analyses.declarations import declarations
from iir.analyses.dependencies import is_horizontal, planes_of
from iir.analyses.interval_order import LevelLimits, is_at_most, is_disjoint, level_limits
from iir.analyses.recipes import Place, Places, Recipe, places
from iir.base import Node
from iir.expressions import CENTER, FieldAccess, Offset
from iir.interval import Interval
from iir.nodes import Axes, DoMethod, LoopOrder, ScalarDecl, Stencil, TemporaryDecl
from iir.passes.fresh_names import FreshNames
from iir.passes.rebuild import map_bodies
from iir.statements import Effects, ExternalCall, Stmt
from iir.traversal import rewrite

MOST_MORE: Final = 5
"""How much more a point may cost, in additions or accesses to memory, so that a temporary needs no memory.

Less memory means fewer loops, and more room in the caches for other fields; but these are not free either.
"""
MOST_MORE_FOR_ROWS: Final = 1
"""The same where only its own and other rows read a temporary: one row after another is then computed in
the loops that read it, so that it costs a store and some loads, but no loop."""
MOST_ADDED: Final = 60
"""How much arithmetic may be added to one run: longer loops have more values than registers.

A recipe has no more assignments than that either.
"""

SHORT: Final = 20
"""A stencil becomes at most twice as long as it is, or by so many statements longer."""


def recompute_temporaries(ir: Stencil) -> Stencil:
    """Make values of the statements that read them out of temporaries that are cheap to compute."""
    if not any(item.axes is Axes.IJK and item.storage is None for item in ir.temporaries):
        return ir
    found = places(ir)
    plan = _Plan(ir, found)
    last = {item.name: found.stores.get(item.name, (-1,))[-1] for item in ir.temporaries}
    # From the last to the first: then all readers of a temporary are known, copies included.
    for name in sorted(last, key=last.__getitem__, reverse=True):
        plan.consider(name)
    return plan.result()


@dataclass(frozen=True, slots=True)
class _Reader:
    """A run that reads a temporary: where, in order, and at which offsets."""

    place: Place
    positions: list[int]
    offsets: set[Offset]


class _Plan:
    """Which assignments go, and which copies come in front of which unit."""

    def __init__(self, ir: Stencil, found: Places) -> None:
        self.ir = ir
        self.places = found
        self.rules = _Rules(ir, found)
        self.names = FreshNames(ir)
        self.declared = declarations(ir)
        self.reads = {name: dict.fromkeys(reads) for name, reads in found.reads.items()}
        self.loads: dict[int, set[tuple[str, Offset]]] = {}
        for place in found.items:
            self.loads.setdefault(place.run, set()).update(place.unit.footprint.reads)
        self.room = max(len(found.items), SHORT)
        self.added: dict[int, int] = {}
        self.removed: set[int] = set()
        self.free: set[str] = set()
        self.new: dict[str, list[TemporaryDecl]] = {}
        self.copies: dict[int, list[tuple[Stmt, ...]]] = {}
        self.values: dict[int, dict[tuple[str, Offset], str]] = {}

    def consider(self, name: str) -> None:
        """Replace temporary *name* by copies of its recipe if that is legal and pays."""
        recipe = self.places.recipe(name, MOST_ADDED) if self._needs_memory(name) else None
        if recipe is None or not self.removed.isdisjoint(recipe.positions):
            return
        readers = self._readers(recipe)
        if self._pays(recipe, readers) and all(self.rules.admit(recipe, reader) for reader in readers):
            self._remove(recipe)
            for reader in readers:
                self._copy(recipe, reader)

    def _needs_memory(self, name: str) -> bool:
        """Whether a run reads *name* that did not set it, or some run away from the point itself."""
        home = self.places.homes.get(name)
        return home is not None and any(
            offset != CENTER or self.places.items[at].run != home
            for at, offset in self.reads.get(name, ())
            if at not in self.removed
        )

    def _readers(self, recipe: Recipe) -> tuple[_Reader, ...]:
        readers: dict[int, _Reader] = {}
        for position, offset in sorted(self.reads.get(recipe.name, ())):
            if position in self.removed or position in recipe.positions:
                continue
            place = self.places.items[position]
            reader = readers.setdefault(place.run, _Reader(place, [], set()))
            reader.positions.append(position)
            reader.offsets.add(offset)
        return tuple(readers.values())

    def _pays(self, recipe: Recipe, readers: tuple[_Reader, ...]) -> bool:
        """Whether copies cost no more than it is worth that *recipe* needs no memory."""
        copies = sum(len(reader.offsets) for reader in readers)
        most = MOST_MORE_FOR_ROWS if self._is_read_along_rows(readers) else MOST_MORE
        if (copies - 1) * len(recipe.positions) > self.room or self._more(recipe, readers) > most:
            return False
        return all(
            self.added.get(reader.place.run, 0) + len(reader.offsets) * recipe.operations <= MOST_ADDED
            for reader in readers
        )

    def _is_read_along_rows(self, readers: tuple[_Reader, ...]) -> bool:
        """Whether one run of a parallel multistage reads a temporary, at several rows but no other lane."""
        if len(readers) != 1 or readers[0].place.multistage.order is not LoopOrder.PARALLEL:
            return False
        return len(readers[0].offsets) > 1 and all(offset.i == 0 for offset in readers[0].offsets)

    def _more(self, recipe: Recipe, readers: tuple[_Reader, ...]) -> int:
        """Operations and accesses at a point with copies, minus those without."""
        costs = Counter[Interval]()
        for reader in readers:
            copies = len(reader.offsets)
            loads = self._inputs(recipe, reader) - self.loads[reader.place.run]
            costs[reader.place.unit.do_method.interval] += copies * recipe.operations + len(loads) - copies
        before = recipe.operations + len(recipe.inputs) + 1
        return _most_at_a_level(costs, self.rules.limits) - before

    def _inputs(self, recipe: Recipe, reader: _Reader) -> set[tuple[str, Offset]]:
        """What copies of *recipe* for *reader* read."""
        return {
            (name, _displaced(own, offset, self.rules.axes[name]))
            for name, own in recipe.inputs
            for offset in reader.offsets
        }

    def _remove(self, recipe: Recipe) -> None:
        """Take out the assignments that only *recipe* needs; their names are free for copies."""
        stores = self.places.stores
        for name in sorted(recipe.own, key=lambda own: stores[own][-1], reverse=True):
            readers = {position for position, _ in self.reads.get(name, ())}
            if name == recipe.name or readers <= self.removed.union(stores[name]):
                self.removed.update(stores[name])
                self.room += len(stores[name])
                self.free.add(name)

    def _copy(self, recipe: Recipe, reader: _Reader) -> None:
        copies: list[Stmt] = []
        for offset in sorted(reader.offsets):
            names = {name: self._name(name, offset) for name in recipe.own}
            copies += (self._copied(position, names, offset) for position in recipe.positions)
            values = self.values.setdefault(reader.place.run, {})
            values[recipe.name, offset] = names[recipe.name]
        inputs = self._inputs(recipe, reader)
        self.loads[reader.place.run] |= inputs
        for name, offset in sorted(inputs):
            self.reads.setdefault(name, {})[reader.positions[0], offset] = None
        self.copies.setdefault(reader.positions[0], []).append(tuple(copies))
        self.room -= len(copies)
        added = self.added.get(reader.place.run, 0)
        self.added[reader.place.run] = added + len(reader.offsets) * recipe.operations

    def _name(self, name: str, offset: Offset) -> str:
        """A name for *name* at *offset*: its own where that has become free and says no less."""
        if offset == CENTER and name in self.free:
            self.free.remove(name)
            return name
        new = self.names.take(f"{name}{_suffix('i', offset.i)}{_suffix('j', offset.j)}")
        declaration = self.declared[name]
        assert isinstance(declaration, TemporaryDecl)
        self.new.setdefault(name, []).append(replace(declaration, name=new))
        return new

    def _copied(self, position: int, names: Mapping[str, str], offset: Offset) -> Stmt:
        def rule(node: Node) -> Node:
            match node:
                case FieldAccess(name) if name in names:
                    return replace(node, name=names[name])
                case FieldAccess(name, own):
                    return replace(node, offset=_displaced(own, offset, self.rules.axes[name]))
                case _:
                    return node

        return rewrite(self.places.items[position].unit.statement, rule)

    def result(self) -> Stencil:
        if not self.removed:
            return self.ir
        positions = {id(place.unit.statement): at for at, place in enumerate(self.places.items)}

        def rule(do_method: DoMethod, order: LoopOrder) -> tuple[Stmt, ...]:
            return tuple(part for item in do_method.body for part in self._parts(item, positions[id(item)]))

        return replace(map_bodies(self.ir, rule), temporaries=tuple(self._temporaries()))

    def _parts(self, statement: Stmt, position: int) -> Iterator[Stmt]:
        values = self.values.get(self.places.items[position].run, {})

        def rule(node: Node) -> Node:
            if isinstance(node, FieldAccess) and (node.name, node.offset) in values:
                return replace(node, name=values[node.name, node.offset], offset=CENTER)
            return node

        # What was copied later is read by what was copied first.
        for copies in reversed(self.copies.get(position, ())):
            yield from (rewrite(copy, rule) for copy in copies)
        if position not in self.removed:
            yield rewrite(statement, rule) if values else statement

    def _temporaries(self) -> Iterator[TemporaryDecl]:
        for item in self.ir.temporaries:
            if item.name not in self.free:
                yield item
            yield from self.new.get(item.name, ())


class _Rules:
    """What is legal in one stencil."""

    def __init__(self, ir: Stencil, found: Places) -> None:
        self.places = found
        self.limits = level_limits(ir)
        self.planes = planes_of(ir)
        self.temporaries = frozenset(item.name for item in ir.temporaries)
        self.axes = {
            name: item.axes for name, item in declarations(ir).items() if not isinstance(item, ScalarDecl)
        }
        self.calls = [at for at, place in enumerate(found.items) if _is_effectful(place.unit.statement)]
        self.stores: dict[int, set[str]] = {}
        for place in found.items:
            for part in (place.unit.stage, place.multistage):
                self.stores.setdefault(id(part), set()).update(place.unit.footprint.stores)

    def admit(self, recipe: Recipe, reader: _Reader) -> bool:
        """Whether copies of *recipe* may stand in front of *reader*."""
        home, place = self.places.items[recipe.positions[0]], reader.place
        return (
            place.multistage is home.multistage
            and reader.positions[0] > recipe.positions[-1]
            and all(offset.k == 0 for offset in reader.offsets)
            and _holds(home.unit.do_method.interval, place.unit.do_method.interval, self.limits)
            and not _has_between(self.calls, recipe.positions[0], reader.positions[0])
            and set(reader.positions).isdisjoint(self.calls)
            and all(self._admit_input(name, own, recipe, reader) for name, own in recipe.inputs)
        )

    def _admit_input(self, name: str, own: Offset, recipe: Recipe, reader: _Reader) -> bool:
        home, place = self.places.items[recipe.positions[0]], reader.place
        if _has_between(self.places.stores.get(name, ()), recipe.positions[0], reader.positions[0]):
            return False
        if name in self.stores[id(place.unit.stage)] and any(
            is_horizontal(_displaced(own, offset, self.axes[name])) for offset in reader.offsets
        ):
            return False
        if name not in self.stores[id(place.multistage)]:
            return True
        if place.multistage.order is not LoopOrder.PARALLEL:
            return name not in self.temporaries  # it might need more memory than it has now
        return name not in self.planes or home.unit.do_method.interval == place.unit.do_method.interval


def _displaced(own: Offset, offset: Offset, axes: Axes) -> Offset:
    """*own* of an access to a field on *axes* whose statement is displaced by the horizontal *offset*."""
    names = axes.value
    return Offset(own.i + offset.i * ("I" in names), own.j + offset.j * ("J" in names), own.k)


def _is_effectful(statement: Stmt) -> bool:
    """Whether *statement* may touch more than it says: no copy is moved over it or made for it."""
    return any(
        isinstance(item, ExternalCall) and (item.effects is not Effects.NONE or bool(item.bundles))
        for item in nested((statement,))
    )


def _has_between(positions: Sequence[int], first: int, last: int) -> bool:
    """Whether one of the ascending *positions* is in ``(first, last)``."""
    index = bisect_right(positions, first)
    return index < len(positions) and positions[index] < last


def _holds(outer: Interval, inner: Interval, limits: LevelLimits) -> bool:
    """Whether *inner* surely lies in *outer*."""
    return is_at_most(outer.start, inner.start, limits) and is_at_most(inner.end, outer.end, limits)


def _most_at_a_level(costs: Mapping[Interval, int], limits: LevelLimits) -> int:
    """The largest sum of *costs* whose intervals may share a level."""
    return max(
        sum(cost for other, cost in costs.items() if not is_disjoint(own, other, limits)) for own in costs
    )


def _suffix(axis: str, offset: int) -> str:
    """As ``_im1`` for i-1."""
    return f"_{axis}{'p' if offset > 0 else 'm'}{abs(offset)}" if offset else ""

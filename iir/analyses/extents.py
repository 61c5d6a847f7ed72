"""On which columns each statement runs."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import assert_never

from iir.analyses.accesses import own_reads, own_stores
from iir.analyses.declarations import declarations
from iir.analyses.interval_order import LevelLimits, level_limits
from iir.analyses.needs import Needs
from iir.analyses.unbounded_extent import unbounded_extent
from iir.extent import DOMAIN, Extent, displace, hull
from iir.interval import Interval
from iir.nodes import Axes, DoMethod, LoopOrder, MultiStage, Stencil, TemporaryDecl
from iir.statements import Assign, Check, ExternalCall, If, Stmt


@dataclass(frozen=True, slots=True)
class Extents:
    """The box of columns of every statement of *ir*, found by identity."""

    ir: Stencil
    boxes: Mapping[int, Extent]

    def box(self, statement: Stmt) -> Extent:
        """The columns on which *statement* runs; of an `If`, on which its condition is evaluated."""
        return self.boxes[id(statement)]


def extents(ir: Stencil) -> Extents:
    """The least boxes such that every temporary is computed wherever it is read later.

    A store to a field argument runs on the domain, a store to a temporary on the hull of the
    columns that later reads need of it. A need ends at an unconditional store that surely covers
    its levels. In a sweep a read of a level behind it sees the level's last store, wherever that
    stands in the text, so there the boxes are a least fixpoint; one that grows without end raises
    `StencilError` (code ``unbounded-extent``). A temporary that nobody reads runs on the domain.
    """
    walker = _Backward(ir)
    for multistage in reversed(ir.multistages):
        walker.multistage(multistage)
    return Extents(ir, walker.boxes)


class _Backward:
    """Walks the program from its end and keeps what the statements seen so far need."""

    def __init__(self, ir: Stencil) -> None:
        self.boxes: dict[int, Extent] = {}
        self.limits: LevelLimits = level_limits(ir)
        self.axes: Mapping[str, Axes] = {
            name: item.axes for name, item in declarations(ir).items() if isinstance(item, TemporaryDecl)
        }
        self.needs = Needs(self.limits)
        self.behind = Needs(self.limits)
        self.ahead = Needs(self.limits)
        self.order = LoopOrder.PARALLEL

    def multistage(self, multistage: MultiStage) -> None:
        self.order = multistage.order
        if multistage.order is LoopOrder.PARALLEL:
            self.statements(multistage)
        else:
            self.sweep(multistage)
        self.needs.forget_levels(name for name, axes in self.axes.items() if axes is Axes.IJ)

    def sweep(self, multistage: MultiStage) -> None:
        """Repeat one iteration until what it needs of earlier iterations is stable.

        Each round carries needs at least one temporary further back, so that a path without a
        repetition is done after as many rounds as there are temporaries: what still grows then
        goes round a cycle.
        """
        after = self.needs
        self.behind = Needs(self.limits)
        for _ in range(len(self.axes) + 2):
            before = self.behind.copy()
            self.ahead = Needs(self.limits)
            self.needs = after.copy()
            self.needs.add_all(before)
            self.statements(multistage)
            if self.behind == before:
                self.needs.add_all(self.ahead)
                return
        raise unbounded_extent(multistage, self.axes)

    def statements(self, multistage: MultiStage) -> None:
        for stage in reversed(multistage.stages):
            for do_method in reversed(stage.do_methods):
                for statement in reversed(do_method.body):
                    self.statement(statement, do_method, is_sure=True)
        if self.order is not LoopOrder.PARALLEL:
            for name, axes in self.axes.items():
                if axes is Axes.IJ:
                    self.behind.add_any_level(name, self.needs.columns(name))

    def statement(self, statement: Stmt, do_method: DoMethod, is_sure: bool) -> Extent:
        match statement:
            case Assign() | ExternalCall() | Check():
                box = self.store_box(statement, do_method.interval)
                if is_sure:
                    self.kill(statement, do_method.interval)
            case If():
                box = self.body_box((*statement.then, *statement.orelse), do_method)
            case _:
                assert_never(statement)
        self.boxes[id(statement)] = box
        for access in own_reads(statement):
            if access.name in self.axes:
                self.read(access.name, access.offset.k, do_method.interval, displace(box, access.offset))
        return box

    def body_box(self, body: tuple[Stmt, ...], do_method: DoMethod) -> Extent:
        boxes = [self.statement(item, do_method, is_sure=False) for item in reversed(body)]
        return _hull_of(boxes)

    def store_box(self, statement: Stmt, interval: Interval) -> Extent:
        """The hull of what is needed of the targets; a check runs on the domain at least."""
        boxes: list[Extent] = [DOMAIN] if isinstance(statement, Check) else []
        for target in own_stores(statement):
            if target.name in self.axes:
                needed = self.needs.columns(target.name, interval)
                boxes += [needed] if needed else []
            else:
                boxes.append(DOMAIN)
        return _hull_of(boxes)

    def kill(self, statement: Stmt, interval: Interval) -> None:
        for target in own_stores(statement):
            if target.name in self.axes:
                is_parallel = self.order is LoopOrder.PARALLEL
                self.needs.kill(
                    target.name, interval, is_plane=self.axes[target.name] is Axes.IJ and is_parallel
                )

    def read(self, name: str, k: int, interval: Interval, columns: Extent) -> None:
        """Note a need where the statement that satisfies it is found: see the class of *k*."""
        if self.order is LoopOrder.PARALLEL and self.axes[name] is Axes.IJ:
            self.needs.add_any_level(name, columns)
        elif self.order is LoopOrder.PARALLEL or k == 0:
            self.needs.add(name, interval, k, columns)
        elif (k < 0) == (self.order is LoopOrder.FORWARD):
            self.behind.add(name, interval, k, columns)
        else:
            self.ahead.add(name, interval, k, columns)


def _hull_of(boxes: list[Extent]) -> Extent:
    if not boxes:
        return DOMAIN
    result = boxes[0]
    for box in boxes[1:]:
        result = hull(result, box)
    return result

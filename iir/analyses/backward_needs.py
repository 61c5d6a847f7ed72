"""One walk from the end of a program to its start that keeps what later statements read."""

from collections.abc import Mapping
from itertools import count
from typing import assert_never

from iir.analyses.accesses import own_reads, own_stores
from iir.analyses.call_site_effects import call_site_effects, escapes, whole_reads
from iir.analyses.declarations import declarations
from iir.analyses.interval_order import lasting_limits, level_limits
from iir.analyses.needs import Needs
from iir.analyses.unbounded_extent import unbounded_extent
from iir.extent import DOMAIN, Extent, displace, hull
from iir.interval import FULL, Interval
from iir.nodes import Axes, DoMethod, FieldDecl, LoopOrder, MultiStage, Stencil, TemporaryDecl
from iir.statements import Assign, Check, ExternalCall, If, Stmt


class BackwardNeeds:
    """The boxes of all statements, and which statements are dead, found by ``id``.

    A need ends at an unconditional store that surely covers its levels. In a sweep a read of a
    level behind it sees that level's last store, wherever it stands in the text: there the needs
    are a least fixpoint. With *skips_dead*, statements whose stores nobody needs need nothing
    themselves; the values of field arguments on the domain are then needed at the end. Without it,
    levels are compared only by what stays true when dead statements go, so that this never makes a
    box wider.
    """

    def __init__(self, ir: Stencil, skips_dead: bool = False) -> None:
        self.ir = ir
        self.boxes: dict[int, Extent] = {}
        self.dead: dict[int, bool] = {}
        self.skips_dead = skips_dead
        self.limits = level_limits(ir) if skips_dead else lasting_limits(ir)
        declared = declarations(ir).items()
        self.temporaries = {name for name, item in declared if isinstance(item, TemporaryDecl)}
        self.axes: Mapping[str, Axes] = {
            name: item.axes
            for name, item in declared
            if isinstance(item, TemporaryDecl) or (skips_dead and isinstance(item, FieldDecl))
        }
        self.planes = tuple(name for name, axes in self.axes.items() if "K" not in axes.value)
        self.escapes = escapes(ir)
        self.needs = Needs(self.limits)
        self.behind = Needs(self.limits)
        self.ahead = Needs(self.limits)
        self.order = LoopOrder.PARALLEL

    def run(self) -> None:
        """Fill `boxes` and `dead`; `StencilError` (``unbounded-extent``) where a box has no bound."""
        for name in self.axes.keys() - self.temporaries:
            self.needs.add(name, None if name in self.planes else FULL, 0, DOMAIN)
        for multistage in reversed(self.ir.multistages):
            self.order = multistage.order
            if multistage.order is LoopOrder.PARALLEL:
                self._statements(multistage)
            else:
                self._sweep(multistage)
            self.needs.forget_levels(self.planes)

    def _sweep(self, multistage: MultiStage) -> None:
        """The fixpoint of what is alive; then, if anything is dead, that of all, which starts there.

        Otherwise a statement whose readers have not been met yet would count as one that nobody
        reads, and run on the domain.
        """
        after, skips_dead = self.needs, self.skips_dead
        self.behind = Needs(self.limits)
        self.skips_dead = True
        self._fixpoint(multistage, after)
        self.skips_dead = skips_dead
        if not skips_dead and any(self.dead.values()):
            self._fixpoint(multistage, after)

    def _fixpoint(self, multistage: MultiStage, after: Needs) -> None:
        """Repeat one iteration until what it needs of earlier iterations is stable.

        Each round carries the need of a temporary on some levels at least one step further back, so
        that a path without a repetition is done after as many rounds as there are such needs. What
        still grows then goes round a cycle, if there is one that leads sideways.
        """
        most = (len(self.axes) + 1) * sum(len(stage.do_methods) + 1 for stage in multistage.stages)
        for number in count(1):
            before = self.behind.copy()
            self.ahead = Needs(self.limits)
            self.needs = after.copy()
            self.needs.add_all(before)
            self._statements(multistage)
            for name in self.planes:
                self.behind.add_any_level(name, self.needs.columns(name))
            if self.behind == before:
                self.needs.add_all(self.ahead)
                return
            if number % most == 0 and (error := unbounded_extent(multistage, self.temporaries)):
                raise error

    def _statements(self, multistage: MultiStage) -> None:
        for stage in reversed(multistage.stages):
            for do_method in reversed(stage.do_methods):
                for statement in reversed(do_method.body):
                    self._statement(statement, do_method, is_sure=True)

    def _statement(self, statement: Stmt, do_method: DoMethod, is_sure: bool) -> None:
        interval = do_method.interval
        match statement:
            case Assign() | ExternalCall() | Check():
                box, is_dead = self._store_box(statement, interval)
                if is_sure:
                    self._kill(statement, interval)
            case If():
                body = (*statement.then, *statement.orelse)
                for item in reversed(body):
                    self._statement(item, do_method, is_sure=False)
                box = _hull_of([self.boxes[id(item)] for item in body])
                is_dead = all(self.dead[id(item)] for item in body)
            case _:
                assert_never(statement)
        self.boxes[id(statement)] = box
        self.dead[id(statement)] = is_dead
        if is_dead and self.skips_dead:
            return
        for access in own_reads(statement):
            if access.name in self.axes:
                self._read(access.name, access.offset.k, interval, displace(box, access.offset))
        if isinstance(statement, ExternalCall):
            self._read_whole(statement)

    def _store_box(self, statement: Stmt, interval: Interval) -> tuple[Extent, bool]:
        """The hull of what is needed of the targets, and whether nothing is."""
        boxes: list[Extent] = [DOMAIN] if isinstance(statement, Check) else []
        is_dead = not _has_effects(statement)
        for target in own_stores(statement):
            needed = self.needs.columns(target.name, interval)
            if target.name not in self.temporaries:
                boxes.append(DOMAIN)
                is_dead &= target.name in self.axes and needed is None
            elif needed is not None:
                boxes.append(needed)
                is_dead = False
        return _hull_of(boxes), is_dead

    def _kill(self, statement: Stmt, interval: Interval) -> None:
        for target in own_stores(statement):
            if target.name in self.axes:
                is_plane = target.name in self.planes and self.order is LoopOrder.PARALLEL
                self.needs.kill(target.name, interval, is_plane)

    def _read(self, name: str, k: int, interval: Interval, columns: Extent) -> None:
        """Note a need where the stores that satisfy it will be met."""
        if name not in self.temporaries:
            columns = DOMAIN
        if self.order is LoopOrder.PARALLEL and name in self.planes:
            self.needs.add_any_level(name, columns)
        elif self.order is LoopOrder.PARALLEL or k == 0:
            self.needs.add(name, interval, k, columns)
        elif (k < 0) == (self.order is LoopOrder.FORWARD):
            self.behind.add(name, interval, k, columns)
        else:
            self.ahead.add(name, interval, k, columns)

    def _read_whole(self, call: ExternalCall) -> None:
        """Outside code sees the fields that it has got on the whole domain, whoever has stored there."""
        for item in whole_reads(call, self.escapes):
            name = item.operand.name
            if name in self.axes:
                levels = None if name in self.planes else FULL
                for needs in (self.needs, self.behind, self.ahead):
                    needs.add(name, levels, 0, DOMAIN)


def _has_effects(statement: Stmt) -> bool:
    match statement:
        case Check():
            return True
        case ExternalCall():
            return call_site_effects(statement).is_effectful
        case Assign() | If():
            return False
        case _:
            assert_never(statement)


def _hull_of(boxes: list[Extent]) -> Extent:
    if not boxes:
        return DOMAIN
    result = boxes[0]
    for box in boxes[1:]:
        result = hull(result, box)
    return result

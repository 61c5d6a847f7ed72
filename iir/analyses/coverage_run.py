"""One run of a reduced program on a concrete call: which levels are set where each read happens."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from iir.analyses.call_cases import Case
from iir.analyses.coverage import Block, Read, Step, Sweep
from iir.interval import Interval, interval_levels
from iir.nodes import Axes, LoopOrder


@dataclass(slots=True)
class Finding:
    """What the cases so far say about one read."""

    may_be_unset: bool = False
    happens: bool = False
    is_always_unset: bool = True
    has_order_fault: bool = False

    @property
    def is_certain(self) -> bool:
        return self.happens and self.is_always_unset


_Bits: TypeAlias = int
"""A set of levels: bit ``level + base``."""


@dataclass(slots=True)
class _Covered:
    """What has been stored, by name.

    *here* by the point itself on its path; *anywhere* by every point whatever its path; *possible*
    by any point on any path.
    """

    here: dict[str, _Bits]
    anywhere: dict[str, _Bits]
    possible: dict[str, _Bits]

    def copy(self) -> "_Covered":
        return _Covered(dict(self.here), dict(self.anywhere), dict(self.possible))


_NOTHING: Final = 0


class CoverageRun:
    """One case: which levels are covered where each read happens."""

    def __init__(self, case: Case, axes: Mapping[str, Axes], base: int, findings: list[Finding]) -> None:
        self.case = case
        self.axes = axes
        self.base = base
        self.findings = findings
        self.everything: _Bits = (1 << (case.nk + 2 * base + 1)) - 1
        self.before = _Covered({}, {}, {})
        self.covered = _Covered({}, {}, {})
        self.total = _Covered({}, {}, {})
        self.order = LoopOrder.PARALLEL
        self.is_recording = True
        self.stored_in_block: set[str] = set()

    def sweep(self, sweep: Sweep) -> None:
        self.order = sweep.order
        if sweep.order is LoopOrder.PARALLEL:
            self.before = _Covered({}, {}, {})
            self.is_recording = True
            self.blocks(sweep.blocks)
            return
        self.before, self.covered = self.covered, _Covered({}, {}, {})
        self.is_recording = False
        self.blocks(sweep.blocks)
        self.total, self.covered = self.covered, _Covered({}, {}, {})
        self.is_recording = True
        self.blocks(sweep.blocks)
        self.covered = self.after_sweep()

    def after_sweep(self) -> _Covered:
        """What was covered before, and what the sweep covers; a plane is set or is not."""
        result = self.before.copy()
        for known, new in (
            (result.here, self.total.here),
            (result.anywhere, self.total.anywhere),
            (result.possible, self.total.possible),
        ):
            for name, bits in new.items():
                is_plane = self.axes[name] is Axes.IJ and bits != _NOTHING
                known[name] = known.get(name, _NOTHING) | (self.everything if is_plane else bits)
        return result

    def blocks(self, blocks: tuple[Block, ...]) -> None:
        for block in blocks:
            sure, possible = self.levels(block.interval)
            self.stored_in_block.clear()
            for step in block.steps:
                self.step(step, sure, possible, depth=0)

    def levels(self, interval: Interval) -> tuple[_Bits, _Bits]:
        """The levels that *interval* surely and possibly holds."""
        unknown = any(
            isinstance(bound.anchor, str) and bound.anchor not in self.case.scalars
            for bound in (interval.start, interval.end)
        )
        if unknown:
            return _NOTHING, self.bits(range(self.case.nk))
        bits = self.bits(interval_levels(interval, self.case.nk, self.case.scalars))
        return bits, bits

    def bits(self, levels: range) -> _Bits:
        if not levels:
            return _NOTHING
        return ((1 << len(levels)) - 1) << (levels.start + self.base)

    def step(self, step: Step, sure: _Bits, possible: _Bits, depth: int) -> None:
        if self.is_recording:
            for read in step.reads:
                self.record(read, possible, is_unknown=sure != possible)
        for name in step.stores:
            self.store(name, sure, possible, is_everywhere=depth == 0)
        if step.then or step.orelse:
            self.branches(step, sure, possible, depth)

    def store(self, name: str, sure: _Bits, possible: _Bits, is_everywhere: bool) -> None:
        if self.axes[name] is Axes.IJ and self.order is LoopOrder.PARALLEL:
            sure, possible = (self.everything if bits else _NOTHING for bits in (sure, possible))
        covered = self.covered
        covered.here[name] = covered.here.get(name, _NOTHING) | sure
        covered.possible[name] = covered.possible.get(name, _NOTHING) | possible
        if is_everywhere:
            self.stored_in_block.add(name)
            covered.anywhere[name] = covered.anywhere.get(name, _NOTHING) | sure

    def branches(self, step: Step, sure: _Bits, possible: _Bits, depth: int) -> None:
        """A branch on fields leaves a point's neighbours free, one on scalars takes all along."""
        inner = depth if step.is_uniform else depth + 1
        entry = self.covered.copy()
        for item in step.then:
            self.step(item, sure, possible, inner)
        then = self.covered
        self.covered = _Covered(dict(entry.here), dict(entry.anywhere), then.possible)
        for item in step.orelse:
            self.step(item, sure, possible, inner)
            if depth == 0 and not step.is_uniform:
                _meet(entry.anywhere, then.here, self.covered.here, self.covered.anywhere)
        orelse = self.covered
        self.covered = _Covered(entry.here, entry.anywhere, orelse.possible)
        _meet(dict(entry.here), then.here, orelse.here, self.covered.here)
        if depth == 0:
            _meet(dict(entry.anywhere), then.here, orelse.here, self.covered.anywhere)

    def record(self, read: Read, levels: _Bits, is_unknown: bool) -> None:
        if is_unknown and read.k == 0 and read.name in self.stored_in_block:
            return  # whatever the levels are, they are the same
        shifted = levels << read.k if read.k >= 0 else levels >> -read.k
        here = "here" if read.is_center else "anywhere"
        missing = shifted & ~self.seen(read, here)
        impossible = shifted & ~self.seen(read, "possible")
        finding = self.findings[read.position]
        finding.may_be_unset |= missing != _NOTHING
        if self.case.is_large and shifted:
            finding.happens = True
            never = read.name not in self.covered.possible | self.before.possible | self.total.possible
            finding.is_always_unset &= impossible != _NOTHING and (not is_unknown or never)
            later = self.total.possible.get(read.name, _NOTHING)
            finding.has_order_fault |= self.order is not LoopOrder.PARALLEL and bool(impossible & later)

    def seen(self, read: Read, kind: str) -> _Bits:
        """The levels of *read*'s temporary that are covered (in the sense of *kind*) when it happens."""
        now = getattr(self.covered, kind).get(read.name, _NOTHING)
        if self.order is LoopOrder.PARALLEL:
            return int(now)
        kind_of_others = "anywhere" if kind == "here" else kind
        before = getattr(self.before, kind_of_others).get(read.name, _NOTHING)
        total = getattr(self.total, kind_of_others).get(read.name, _NOTHING)
        if self.axes[read.name] is Axes.IJ:
            return int(before | now | self.later_levels(total))
        if read.k == 0:
            return int(before | now)
        is_behind = (read.k < 0) == (self.order is LoopOrder.FORWARD)
        return int(before | total if is_behind else before)

    def later_levels(self, levels: _Bits) -> _Bits:
        """The levels that the sweep visits after the first of *levels*."""
        if not levels:
            return _NOTHING
        if self.order is LoopOrder.FORWARD:
            first = (levels & -levels).bit_length()
            return self.everything >> first << first
        return (1 << (levels.bit_length() - 1)) - 1


def _meet(
    entry: Mapping[str, _Bits],
    left: Mapping[str, _Bits],
    right: Mapping[str, _Bits],
    result: dict[str, _Bits],
) -> None:
    """Set *result* to *entry* and what both branches have covered."""
    for name in left.keys() & right.keys():
        result[name] = entry.get(name, _NOTHING) | (left[name] & right[name])

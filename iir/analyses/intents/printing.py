"""From points of a universe back to bounds: the symbolic form of regions."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np

from iir.analyses.intents.covers import Literals, covers
from iir.analyses.intents.exploration import Plan
from iir.analyses.intents.field_analysis import Explored, FieldAnalysis
from iir.analyses.intents.summaries import Summary
from iir.analyses.intents.universe import NOTHING, Points, Universe
from iir.boxes import Box, Grid, cells
from iir.interval import Anchor, Bound
from iir.region import WHOLE, RegionBox, Side, Size


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the sets of points of a summary; where it is not known to be the same, all that may be
    in it, or, if *is_sure*, only what must."""

    points: Callable[[Summary, Universe], Points]
    is_sure: bool = False


_Literal: TypeAlias = tuple[int, bool, Bound]
"""Points on an axis at or above a bound, or (False) below it."""


@dataclass(frozen=True)
class Printing:
    """The symbolic form of the regions of one field.

    Without run-time bounds the bounds are read off at a size so large that no two coincide. A
    run-time bound stands anywhere between the others; there the boxes are chosen so that they
    hold for all its values, with ``max`` and ``min`` where it takes them.
    """

    analysis: FieldAnalysis

    def boxes(self, choice: Choice) -> tuple[RegionBox, ...]:
        explored = self._generic
        points = choice.points(explored.total, explored.universe)
        if self._is_covered:
            return self._covered(points, explored.universe, choice)
        return tuple(self._labelled(box) for box in cells(self._grid(points, choice)))

    def levels(self, choice: Choice) -> tuple[RegionBox, ...]:
        """The levels alone on which there are points on any column."""

        def on_all_columns(summary: Summary, universe: Universe) -> Points:
            return universe.on_all_columns(choice.points(summary, universe))

        boxes = self.boxes(Choice(on_all_columns, choice.is_sure))
        return tuple(dict.fromkeys(RegionBox(WHOLE, WHOLE, box.k) for box in boxes))

    def has_whole_columns(self, choice: Choice) -> bool:
        """Whether on large domains each level has all columns of the domain or none."""
        explored = self._generic
        return explored.universe.has_whole_columns(choice.points(explored.total, explored.universe))

    @property
    def _is_covered(self) -> bool:
        """Whether run-time bounds are among the bounds of the boxes: a field without levels has none."""
        return bool(self._generic.plan.scalars) and self._generic.universe.has_axis(2)

    @cached_property
    def _has_decided_conditions(self) -> bool:
        """Whether run-time bounds decide conditions, which boxes cannot tell: they join what may be."""
        scalars = self.analysis.explored.plan.scalars
        return any(self.analysis.is_decided(atom, scalars) for atom in self.analysis.atoms)

    def _grid(self, points: Points, choice: Choice) -> Grid:
        """The cells of *points* at the generic size, whatever the values of run-time bounds."""
        universe = self._generic.universe
        return _joined(points, choice, universe, range(len(universe.settings)))

    def generic_from(self, chosen: Mapping[Choice, tuple[RegionBox, ...]]) -> Size:
        """The size from which on the given boxes are exact, for a field without levels joined over the
        values of run-time bounds."""
        plan = self.analysis.explored.plan
        is_joined = bool(plan.scalars) and not self._is_covered
        bad = self._wrong_when_joined(chosen) if is_joined else self._wrong(chosen)
        return _least_size(bad, plan, max(1, self.analysis.limits.levels))

    def _wrong(self, chosen: Mapping[Choice, tuple[RegionBox, ...]]) -> set[Size]:
        """The sizes for which some of the given boxes do not hold."""
        universe, total = self.analysis.explored.universe, self.analysis.explored.total
        differing = NOTHING
        for choice, boxes in chosen.items():
            points, printed = choice.points(total, universe), self._points(boxes, universe)
            if not self._has_decided_conditions:
                differing |= points ^ printed
            else:
                differing |= printed & ~points if choice.is_sure else points & ~printed
        wrong = universe.occupied(differing)
        return {s.domain for s, is_wrong in zip(universe.settings, wrong, strict=True) if is_wrong}

    def _wrong_when_joined(self, chosen: Mapping[Choice, tuple[RegionBox, ...]]) -> set[Size]:
        universe, total = self.analysis.explored.universe, self.analysis.explored.total
        numbers: dict[Size, list[int]] = {}
        for number, setting in enumerate(universe.settings):
            numbers.setdefault(setting.domain, []).append(number)
        wrong = set()
        for choice, boxes in chosen.items():
            points, printed = choice.points(total, universe), self._points(boxes, universe)
            for size, those in numbers.items():
                expected = universe.grid(printed, those[0])
                if (_joined(points, choice, universe, those) != expected).any():
                    wrong.add(size)
        return wrong

    @cached_property
    def _generic(self) -> Explored:
        explored = self.analysis.explored
        settings = tuple(s for s in explored.plan.settings if s.domain == explored.plan.generic)
        scalars = explored.plan.scalars
        plan = Plan(explored.plan.generic, scalars, settings)
        padding = 1 if scalars and explored.universe.has_axis(2) else 0
        return self.analysis.explore(plan, explored.history, padding)

    def _points(self, boxes: tuple[RegionBox, ...], universe: Universe) -> Points:
        result = NOTHING
        for box in boxes:
            points = universe.everything
            for axis, side in enumerate((box.i, box.j, box.k)):
                for lower in side.lower if universe.has_axis(axis) else ():
                    points &= universe.at_least(axis, lower)
                for upper in side.upper if universe.has_axis(axis) else ():
                    points &= ~universe.at_least(axis, upper)
            result |= points
        return result

    @cached_property
    def _labels(self) -> tuple[tuple[Bound, ...], ...]:
        """The bound at each cut of each axis, at the generic size."""
        universe = self._generic.universe
        size = universe.settings[0].domain
        result = []
        for axis, bounds in enumerate(self._generic.universe.bounds):
            at = {_level(bound, size[axis]): bound for bound in bounds}
            cuts = universe.cuts[0][axis]
            result.append(tuple(at[cut] for cut in cuts) if universe.has_axis(axis) else ())
        return tuple(result)

    def _labelled(self, box: Box) -> RegionBox:
        i, j, k = (self._side(axis, box[axis]) for axis in range(3))
        return RegionBox(i, j, k)

    def _side(self, axis: int, cut: tuple[int, int]) -> Side:
        if not self._generic.universe.has_axis(axis):
            return WHOLE
        labels = self._labels[axis]
        return Side((labels[cut[0]],), (labels[cut[1]],))

    def _covered(self, points: Points, universe: Universe, choice: Choice) -> tuple[RegionBox, ...]:
        literals: list[tuple[_Literal, Points]] = []
        for axis, bounds in enumerate(self._generic.universe.bounds):
            for bound in bounds if universe.has_axis(axis) else ():
                above = universe.at_least(axis, bound)
                literals.append(((axis, True, bound), above))
                literals.append(((axis, False, bound), universe.everything & ~above))
        if self._has_decided_conditions:
            points = _told_apart(points, universe.everything, literals, choice.is_sure)
        return tuple(_box_of(term) for term in covers(points, points, literals))


def _told_apart(points: Points, everything: Points, literals: Literals[_Literal], is_sure: bool) -> Points:
    """The least set around *points* that literals can tell, or, if *is_sure*, the greatest inside."""
    result = NOTHING
    remaining = points
    while remaining:
        member = remaining & -remaining
        alike = everything
        for _, members in literals:
            if members & member:
                alike &= members
        if not (is_sure and alike & ~points):
            result |= alike
        remaining &= ~alike
    return result


def _joined(points: Points, choice: Choice, universe: Universe, numbers: Iterable[int]) -> Grid:
    """The cells of *points* in any of the given settings, which are cut alike; sure ones in all."""
    combine = np.logical_and if choice.is_sure else np.logical_or
    grid: Grid = combine.reduce([universe.grid(points, number) for number in numbers])
    return grid


def _level(bound: Bound, size: int) -> int:
    return bound.offset if bound.anchor is Anchor.START else size + bound.offset


def _box_of(term: tuple[_Literal, ...]) -> RegionBox:
    i, j, k = (
        Side(
            tuple(bound for at, is_lower, bound in term if at == axis and is_lower),
            tuple(bound for at, is_lower, bound in term if at == axis and not is_lower),
        )
        for axis in range(3)
    )
    return RegionBox(i, j, k)


def _least_size(bad: set[Size], plan: Plan, least: int) -> Size:
    """A small size such that it and all larger ones are not *bad*; none is bad that is generic."""
    size = [1, 1, least]
    if plan.is_thin:
        size[:2] = plan.generic[:2]
    for axis in range(3):
        others = [other for other in range(3) if other != axis]
        alone = (s[axis] + 1 for s in bad if all(s[other] == plan.generic[other] for other in others))
        size[axis] = max(size[axis], *alone, 0)
    for wrong in sorted(bad):
        if all(n >= m for n, m in zip(wrong, size, strict=True)):
            axis = max(axis for axis in range(3) if wrong[axis] < plan.generic[axis])
            size[axis] = wrong[axis] + 1
    return size[0], size[1], size[2]

"""Regions as tables show them: by their levels, where the columns go without saying."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from iir.analyses.intents.printing import Choice
from iir.analyses.intents.summaries import Summary
from iir.analyses.intents.universe import Points, Universe
from iir.region import Region

LevelsOf: TypeAlias = Callable[[Choice], Region]


@dataclass(frozen=True, slots=True)
class Shown:
    """The levels on which *region* has points *inside* the columns of the domain, and *outside* alone.

    *is_plain*: on each level it has all columns of the domain or none.
    """

    region: Region
    inside: Region
    outside: Region
    is_plain: bool

    def __str__(self) -> str:
        """The levels, those outside the domain where there are more; columns only where needed."""
        if not self.is_plain:
            return str(self.region)
        parts = [str(self.inside)] if self.inside.boxes else []
        if self.outside.boxes:
            parts.append(f"halo {self.outside}")
        return "; ".join(parts) or str(self.region)


@dataclass(frozen=True, slots=True)
class Cells:
    """What a table shows: the levels read, irbw as *seen* and may_write as *written*."""

    read_levels: Region
    seen: Shown
    written: Shown


def shown(choice: Choice, region: Region, levels_of: LevelsOf, is_plain: bool) -> Shown:
    return Shown(region, levels_of(_inside(choice)), levels_of(_outside(choice)), is_plain)


def _inside(choice: Choice) -> Choice:
    def points(summary: Summary, universe: Universe) -> Points:
        return choice.points(summary, universe) & universe.domain_columns

    return Choice(points, choice.is_sure)


def _outside(choice: Choice) -> Choice:
    def points(summary: Summary, universe: Universe) -> Points:
        every = choice.points(summary, universe)
        return every & ~universe.on_all_columns(every & universe.domain_columns)

    return Choice(points, choice.is_sure)

"""The columns of temporaries that later statements read, by interval."""

from collections.abc import Iterable
from typing import Self

from iir.analyses.interval_order import LevelLimits, is_disjoint, is_nonempty, without
from iir.extent import Extent, hull
from iir.interval import Interval, shift_interval


class Needs:
    """For each temporary the needed columns of each interval; None stands for unknown levels."""

    def __init__(self, limits: LevelLimits) -> None:
        self._limits = limits
        self._entries: dict[str, dict[Interval | None, Extent]] = {}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Needs) and self._entries == other._entries

    __hash__ = None  # type: ignore[assignment]  # mutable

    def copy(self) -> Self:
        result = type(self)(self._limits)
        result._entries = {name: dict(entries) for name, entries in self._entries.items()}
        return result

    def add(self, name: str, interval: Interval | None, k: int, columns: Extent) -> None:
        """Need *columns* on the levels of *interval* displaced by *k*."""
        if interval is not None and k:
            interval = shift_interval(interval, k)
        entries = self._entries.setdefault(name, {})
        known = entries.get(interval)
        entries[interval] = columns if known is None else hull(known, columns)

    def add_any_level(self, name: str, columns: Extent | None) -> None:
        if columns is not None:
            self.add(name, None, 0, columns)

    def add_all(self, other: "Needs") -> None:
        for name, entries in other._entries.items():
            for interval, columns in entries.items():
                self.add(name, interval, 0, columns)

    def columns(self, name: str, interval: Interval | None = None) -> Extent | None:
        """The hull of what is needed of *name* on levels that *interval* may hold."""
        result: Extent | None = None
        for levels, columns in self._entries.get(name, {}).items():
            if interval is None or levels is None or not is_disjoint(interval, levels, self._limits):
                result = columns if result is None else hull(result, columns)
        return result

    def kill(self, name: str, interval: Interval, is_plane: bool) -> None:
        """Drop the needs that a store on *interval* surely satisfies.

        *is_plane*: the store is the last word on all levels of a plane, if it happens at all.
        """
        entries = self._entries.get(name)
        if not entries:
            return
        if is_plane and is_nonempty(interval, self._limits):
            entries.clear()
            return
        for levels, columns in tuple(entries.items()):
            if levels is None:
                continue
            rest = without(levels, interval, self._limits)
            if rest != (levels,):
                del entries[levels]
                for part in rest:
                    self.add(name, part, 0, columns)

    def forget_levels(self, names: Iterable[str]) -> None:
        """Make the needs of planes independent of the sweep in which they arose."""
        for name in names:
            columns = self.columns(name)
            if columns is not None:
                self._entries[name] = {None: columns}

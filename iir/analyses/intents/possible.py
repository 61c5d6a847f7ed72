"""Programs that store more or less than a given one: what could cover a read, and where it happens."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import assert_never

from iir.analyses.intents.events import Branch, Event, History, Read, Store


def all_stores(history: History) -> History:
    """A history that surely stores all that *history* may store."""
    return tuple(replace(sweep, events=tuple(_surely(sweep.events))) for sweep in history)


def no_stores(history: History) -> History:
    """A history that surely stores nothing, so that each of its reads sees entry values."""
    return tuple(replace(sweep, events=tuple(_perhaps(sweep.events))) for sweep in history)


def _surely(events: Iterable[Event]) -> Iterator[Event]:
    for event in events:
        match event:
            case Branch(condition, True, then, orelse):
                yield Branch(condition, True, tuple(_surely(then)), tuple(_surely(orelse)))
            case Branch():
                yield from _surely((*event.then, *event.orelse))
            case Store():
                yield replace(event, may=False)
            case Read():
                yield event
            case _:
                assert_never(event)


def _perhaps(events: Iterable[Event]) -> Iterator[Event]:
    for event in events:
        match event:
            case Branch(condition, uniform, then, orelse):
                yield Branch(condition, uniform, tuple(_perhaps(then)), tuple(_perhaps(orelse)))
            case Store():
                yield replace(event, may=True)
            case Read():
                yield event
            case _:
                assert_never(event)

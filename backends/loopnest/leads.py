"""How far ahead bodies run that share a loop although one needs what another leaves at neighbours."""

from collections.abc import Iterator
from dataclasses import replace

from backends.loopnest.bodies import AXES, Body, body_reads, body_stores
from iir.expressions import CENTER, Offset
from iir.schedule import Axis


def in_step(bodies: tuple[Body, ...], axis: Axis) -> tuple[Body, ...]:
    """*bodies*, each so far ahead on *axis* that one loop over it can run them one after another.

    What a body reads has then been stored by those before it, and not yet by those after it: each runs
    at least as far ahead as the later ones that it shares a field with need. (Loop fusion with shifts:
    the least shift is the longest path over the dependences.)
    """
    leads = _Leads(AXES.index(axis))
    last_first = [leads.with_lead(body) for body in reversed(bodies)]
    return tuple(reversed(last_first))


class _Leads:
    """Finds the leads of bodies that come last one first.

    For each name it keeps the furthest index, relative to the loop's, that a later body reads or stores.
    """

    def __init__(self, at: int) -> None:
        self.at = at
        self.read: dict[str, int] = {}
        self.stored: dict[str, int] = {}

    def with_lead(self, body: Body) -> Body:
        lead = max(self._needs(body), default=0)
        for furthest, accesses in ((self.read, body_reads(body)), (self.stored, body_stores(body))):
            for access in accesses:
                index = lead + access.offset[self.at]
                furthest[access.name] = max(index, furthest.get(access.name, index))
        steps = [*CENTER]
        steps[self.at] = lead
        return replace(body, lead=Offset(*steps))

    def _needs(self, body: Body) -> Iterator[int]:
        """Leads with which *body* is early enough for what later ones read, and store over."""
        for store in body_stores(body):
            for furthest in (self.read, self.stored):
                if store.name in furthest:
                    yield furthest[store.name] - store.offset[self.at]
        for read in body_reads(body):
            if read.name in self.stored:
                yield self.stored[read.name] - read.offset[self.at]

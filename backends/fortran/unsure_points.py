"""Points that a stencil perhaps writes, and perhaps keeps."""

from collections.abc import Mapping
from typing import TypeAlias

from backends.fortran.general_boxes import general_boxes
from backends.fortran.regions import is_static
from iir.analyses.intents.field_intents import FieldIntent
from iir.boxes import BoxSet, box_set
from iir.diagnostics import ArgumentError
from iir.region import RegionBox, Size

Flags: TypeAlias = Mapping[str, bool]


def unsure_points(facts: FieldIntent, flags: Flags) -> tuple[RegionBox, ...]:
    """Boxes with all that is in ``may_write`` but not in ``must_write`` while scalars have those values.

    They hold on domains from `FieldIntent.generic_from` on. Where scalars bound the regions, they are all
    of ``may_write``.
    """
    may, must = facts.may_write, facts.must_write
    if may.boxes == must.boxes:
        return ()
    if not is_static(must.boxes):
        return may.boxes

    def points(size: Size) -> BoxSet:
        return box_set(may.evaluate(size, flags)) - box_set(must.evaluate(size, flags))

    try:
        return general_boxes(points, may.boxes, facts.axes, facts.generic_from)
    except ArgumentError:
        # A run-time bound that is compared in a condition decides the regions without bounding them.
        return may.boxes

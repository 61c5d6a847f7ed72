"""What a driver copies before it computes by itself, and which points it compares afterwards."""

from collections.abc import Mapping
from dataclasses import dataclass

from backends.fortran.conditions import EVER, NEVER, holds_any
from backends.fortran.spec import FieldSpec, StencilSpec
from backends.fortran.unsure_points import unsure_points
from iir.analyses.intents.modes import Intent
from iir.region import RegionBox, Size


@dataclass(frozen=True, slots=True)
class Copy:
    """Boxes whose values on entry are needed while *condition* holds."""

    boxes: tuple[RegionBox, ...]
    condition: str


@dataclass(frozen=True, slots=True)
class FieldCheck:
    """What verification does with field *number* (from 1), which a stencil may change.

    While *is_changed* holds, the stencil computes into memory of its own; there it finds *copies*, and
    *compared* is what it writes. On domains smaller than *exact_from* all is copied and compared.
    """

    number: int
    field: FieldSpec
    is_changed: str
    copies: tuple[Copy, ...]
    compared: tuple[RegionBox, ...]
    exact_from: Size


def field_checks(stencil: StencilSpec, scalars: Mapping[str, str]) -> tuple[FieldCheck, ...]:
    """One for each field that *stencil* may change; *scalars* are the names of the numbers."""
    return tuple(
        _field_check(number, field, scalars)
        for number, field in enumerate(stencil.fields, start=1)
        if field.is_changed
    )


def _field_check(number: int, field: FieldSpec, scalars: Mapping[str, str]) -> FieldCheck:
    facts = field.facts
    unsure = unsure_points(facts)
    is_changed = holds_any(facts, (Intent.OUT, Intent.INOUT), scalars)
    seen = Copy(facts.irbw.boxes, holds_any(facts, (Intent.INOUT,), scalars))
    kept = Copy(unsure.boxes, is_changed)
    copies = tuple(copy for copy in (seen, kept) if copy.boxes and copy.condition != NEVER)
    return FieldCheck(number, field, is_changed, _joined(copies), facts.may_write.boxes, unsure.exact_from)


def _joined(copies: tuple[Copy, ...]) -> tuple[Copy, ...]:
    """Copies that always happen, without boxes that stand in both."""
    if any(copy.condition != EVER for copy in copies):
        return copies
    boxes = tuple(dict.fromkeys(box for copy in copies for box in copy.boxes))
    return (Copy(boxes, EVER),) if boxes else ()

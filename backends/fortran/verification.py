"""What a driver copies before it computes by itself, and which points it compares afterwards."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product

from backends.fortran.conditions import NEVER, deciding_flags, holds_any
from backends.fortran.general_boxes import disjoint
from backends.fortran.spec import FieldSpec, StencilSpec
from backends.fortran.unsure_points import unsure_points
from iir.analyses.intents.field_intents import FieldIntent
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
    is_changed = holds_any(facts, (Intent.OUT, Intent.INOUT), scalars)
    seen = Copy(facts.irbw.boxes, holds_any(facts, (Intent.INOUT,), scalars))
    copies = tuple(
        Copy(disjoint(copy.boxes, field.axes, facts.generic_from), copy.condition)
        for copy in _joined((seen, *_kept(facts, is_changed, scalars)))
    )
    return FieldCheck(number, field, is_changed, copies, facts.may_write.boxes, facts.generic_from)


def _kept(facts: FieldIntent, is_changed: str, scalars: Mapping[str, str]) -> Iterator[Copy]:
    """What the stencil perhaps does not write, under each outcome of the flags that decide the intent."""
    flags = deciding_flags(facts)
    if not flags:
        yield Copy(unsure_points(facts, {}), is_changed)
        return
    found: dict[tuple[RegionBox, ...], list[str]] = {}
    for values in product((False, True), repeat=len(flags)):
        terms = [
            f"{'' if value else '.not. '}{scalars[flag]}" for flag, value in zip(flags, values, strict=True)
        ]
        boxes = unsure_points(facts, dict(zip(flags, values, strict=True)))
        found.setdefault(boxes, []).append(" .and. ".join(terms))
    for boxes, conditions in found.items():
        is_one = len(conditions) == 1
        yield Copy(boxes, conditions[0] if is_one else " .or. ".join(f"({text})" for text in conditions))


def _joined(copies: Iterable[Copy]) -> Iterator[Copy]:
    """One copy for each condition."""
    found: dict[str, dict[RegionBox, None]] = {}
    for copy in copies:
        if copy.condition != NEVER:
            found.setdefault(copy.condition, {}).update(dict.fromkeys(copy.boxes))
    for condition, boxes in found.items():
        if boxes:
            yield Copy(tuple(boxes), condition)

"""The stored form of a driver interface spec: JSON, for those who write drivers with other tools."""

import json
from collections.abc import Mapping
from typing import Any, Final

from backends.fortran.module_text import LibraryNames, library_names
from backends.fortran.spec import FieldSpec, LibrarySpec, StencilSpec
from backends.fortran.stencil_names import StencilNames
from backends.loopnest.stack_policy import NATIVE_BUDGET
from iir.interval import Anchor, Bound
from iir.nodes import Axes
from iir.region import Region, RegionBox, Side

FORMAT: Final = "stencil-driver-interface"
VERSION: Final = 1
"""Counts up with every change after which older readers would understand documents wrongly or not at all."""


def document_text(library: LibrarySpec) -> str:
    """The text of ``<name>.json``; docs/driver-interface.schema.json describes it."""
    return json.dumps(_library(library, library_names(library)), indent=2, ensure_ascii=False) + "\n"


def _library(library: LibrarySpec, names: LibraryNames) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "version": VERSION,
        "library": library.name,
        "module": names.module,
        "target": library.target,
        "stack_bytes": NATIVE_BUDGET,
        "stencils": [
            _stencil(stencil, own) for stencil, own in zip(library.stencils, names.stencils, strict=True)
        ],
    }


def _stencil(stencil: StencilSpec, names: StencilNames) -> dict[str, Any]:
    return {
        "name": stencil.name,
        "iir_hash": stencil.iir_hash,
        "required_levels": stencil.required_levels,
        "blockable": stencil.is_blockable,
        "workspace": stencil.has_workspace,
        "procedures": {task.value[1:] + form.value: name for (task, form), name in names.public.items()},
        "fields": [_field(field, names) for field in stencil.fields],
        "scalars": [
            {"name": item.name, "dummy": names.arguments[item.name].dummy, "kind": item.dtype.value}
            for item in stencil.scalars
        ],
    }


def _field(field: FieldSpec, names: StencilNames) -> dict[str, Any]:
    facts = field.facts
    return {
        "name": field.name,
        "dummy": names.arguments[field.name].dummy,
        "kind": field.dtype.value,
        "axes": field.axes.value,
        "intent": facts.label,
        "fortran_intent": field.fortran_intent,
        "access": str(facts.access),
        "cases": [{"condition": text, "intent": str(intent)} for text, intent in facts.case_texts],
        "halo": {axis.lower(): list(sides) for axis, sides in zip(Axes.IJK.value, field.halo, strict=True)},
        "levels": field.levels,
        "exact_from": list(facts.generic_from),
        "irbw": _region(facts.irbw),
        "may_write": _region(facts.may_write),
        "must_write": _region(facts.must_write),
        "missing": _region(facts.missing),
    }


def _region(region: Region) -> dict[str, Any]:
    return {"text": str(region), "boxes": [_box(box, region.axes) for box in region.boxes]}


def _box(box: RegionBox, axes: Axes) -> Mapping[str, Any]:
    sides = zip("ijk", (box.i, box.j, box.k), strict=True)
    return {axis: _side(side) for axis, side in sides if axis.upper() in axes.value}


def _side(side: Side) -> dict[str, Any]:
    """From the highest of the lower bounds to below the lowest of the upper ones."""
    return {
        "lower": [_bound(bound) for bound in side.lower],
        "upper": [_bound(bound) for bound in side.upper],
    }


def _bound(bound: Bound) -> list[Any]:
    anchor = bound.anchor.value if isinstance(bound.anchor, Anchor) else bound.anchor
    return [anchor, bound.offset]

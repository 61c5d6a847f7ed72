"""The remarks at the head of a module: how to call it, and what each argument is."""

from collections.abc import Sequence

from backends.fortran.declarations import type_of
from backends.fortran.fortran_writer import FortranWriter
from backends.fortran.spec import FieldSpec, LibrarySpec, StencilSpec
from backends.fortran.stencil_names import StencilNames
from iir.nodes import Axes


def write_header(w: FortranWriter, library: LibrarySpec, names: Sequence[StencilNames], module: str) -> None:
    w.comment(f"Module {module}: the stencils of library {library.name}. Generated from IIR; do not edit.")
    w.comment()
    w.comment(
        "Arrays hold their halo. Bounds count from 1 in the argument, whatever the declared lower bounds of "
        "the array that is passed; both ends belong to the domain. Without rc a failure stops the program."
    )
    for stencil, own in zip(library.stencils, names, strict=True):
        w.comment()
        _write_stencil(w, stencil, own)


def _write_stencil(w: FortranWriter, stencil: StencilSpec, names: StencilNames) -> None:
    columns = "columns may come in blocks" if stencil.is_blockable else "columns see their neighbours"
    w.comment(f"Stencil {stencil.name}: {_levels(stencil.required_levels)}; {columns}.")
    for field in stencil.fields:
        w.comment(f"  {names.arguments[field.name].dummy}: {field_text(field)}")
    for scalar in stencil.scalars:
        w.comment(f"  {names.arguments[scalar.name].dummy}: {type_of(scalar.dtype)}")
    if stencil.has_workspace:
        w.comment(
            f"  workspace: needed where {names.workspace_bytes}(ni, nj, nk) is not 0, one for each thread"
        )


def field_text(field: FieldSpec) -> str:
    """``real(wp) on IJK, inout; before: k=[start, end); written: k=[start, end); halo i 1+1``."""
    facts = field.facts
    parts = [f"{type_of(field.dtype)} on {field.axes.value}, {facts.label}"]
    if facts.irbw:
        seen = facts.irbw if field.is_changed else facts.show().read_levels
        parts.append(f"values before the call count on {seen}")
    if facts.may_write:
        parts.append(f"written on {facts.may_write}")
    if facts.partial:
        parts.append(f"keeps, or may keep, its values on {facts.missing}")
    parts += [f"{intent} if {text}" for text, intent in facts.remarkable_cases]
    rim = ", ".join(
        f"{axis.lower()} {low}+{high}"
        for axis, (low, high) in zip(Axes.IJK.value, field.halo, strict=True)
        if low or high
    )
    if rim:
        parts.append(f"halo {rim}")
    if field.levels not in (None, "nk"):
        parts.append(f"{field.levels} levels")
    return "; ".join(parts)


def _levels(required: int) -> str:
    if required == 0:
        return "any number of levels"
    return f"at least {required} level{'' if required == 1 else 's'}"

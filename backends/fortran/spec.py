"""The driver interface spec: all that a driver has to know of a library of stencils."""

from dataclasses import dataclass
from hashlib import sha256
from typing import Final, Literal

from iir.analyses.accesses import accesses
from iir.analyses.intents import intents
from iir.analyses.intents.field_intents import FieldIntent, Halo
from iir.analyses.intents.modes import Intent
from iir.analyses.reach import halo
from iir.analyses.required_levels import required_levels
from iir.dtypes import DType
from iir.nodes import Axes, FieldDecl, ScalarDecl, Stencil
from iir.printer import to_text

_CHANGED: Final = (Intent.OUT, Intent.INOUT)


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """A field argument; *halo* are the points outside the domain that its array must have."""

    name: str
    dtype: DType
    axes: Axes
    facts: FieldIntent
    halo: Halo

    @property
    def is_changed(self) -> bool:
        return self.facts.intent in _CHANGED

    @property
    def fortran_intent(self) -> Literal["in", "inout"]:
        """Never ``out``: what a stencil does not write keeps its value, also through a compiler's copy."""
        return "inout" if self.is_changed else "in"

    @property
    def levels(self) -> str | None:
        """How many levels an array must have from the domain's first one on; None without axis K."""
        if "K" not in self.axes.value:
            return None
        above = self.halo[2][1]
        return f"nk+{above}" if above > 0 else "nk"


@dataclass(frozen=True, slots=True)
class ScalarSpec:
    """A number argument."""

    name: str
    dtype: DType


@dataclass(frozen=True, slots=True)
class StencilSpec:
    """One stencil: fields and scalars in the order of its signature, and what its domains need.

    *is_blockable* says that no point sees another column, so that columns may come in any blocks.
    *has_workspace* says that the kernel wants memory from its caller, if the domain is large.
    """

    name: str
    iir_hash: str
    fields: tuple[FieldSpec, ...]
    scalars: tuple[ScalarSpec, ...]
    required_levels: int
    is_blockable: bool
    has_workspace: bool = False

    @property
    def arguments(self) -> tuple[FieldSpec | ScalarSpec, ...]:
        """Fields first, then scalars, as procedures take them."""
        return (*self.fields, *self.scalars)

    @property
    def has_logicals(self) -> bool:
        return any(item.dtype is DType.BOOL for item in self.arguments)


@dataclass(frozen=True, slots=True)
class LibrarySpec:
    """Stencils that are one library and one module, built for *target*."""

    name: str
    target: str
    stencils: tuple[StencilSpec, ...]


def stencil_spec(ir: Stencil, *, has_workspace: bool = False, stack_bytes: int | None = None) -> StencilSpec:
    """The facts of *ir*, which are the same for every domain."""
    table, rims = intents(ir), halo(ir)
    fields = tuple(
        FieldSpec(item.name, item.dtype, item.axes, table[item.name], rims[item.name])
        for item in ir.parameters
        if isinstance(item, FieldDecl)
    )
    scalars = (item for item in ir.parameters if isinstance(item, ScalarDecl))
    return StencilSpec(
        name=ir.name,
        iir_hash=sha256(to_text(ir).encode()).hexdigest(),
        fields=fields,
        scalars=tuple(ScalarSpec(item.name, item.dtype) for item in scalars),
        required_levels=required_levels(ir),
        is_blockable=_is_blockable(ir, fields),
        has_workspace=has_workspace,
    )


def _is_blockable(ir: Stencil, fields: tuple[FieldSpec, ...]) -> bool:
    """Whether each column depends on itself alone; an array along J alone has no place in a block."""
    looks_aside = any(access.offset.i or access.offset.j for access in accesses(ir))
    return not looks_aside and all(field.axes is not Axes.J for field in fields)

"""What can be told about a stencil from its IIR: tables of its arguments, intents, explanations."""

from collections.abc import Mapping
from dataclasses import dataclass
from inspect import Signature
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from iir.analyses.accesses import accesses
from iir.analyses.declarations import declarations
from iir.analyses.reach import Range, halo
from iir.analyses.required_levels import intervals, required_levels
from iir.base import Node
from iir.diagnostics import Diagnostic, StencilError
from iir.dtypes import numpy_dtype
from iir.expressions import ScalarRef
from iir.nodes import Declaration, FieldDecl, ScalarDecl, Stencil
from iir.printer import declaration_text, to_text
from iir.traversal import walk
from stencil.annotations import FieldType
from stencil.argument_error import STATUS, argument_error
from stencil.placement import Triple
from stencil.scalars import scalar_converter
from stencil.wording import did_you_mean

if TYPE_CHECKING:
    # Only who asks for intents pays for their import.
    from iir.analyses.intents import AccessMode, IntentTable

_AXES: Final = ("I", "J", "K")


@dataclass(frozen=True, slots=True)
class FieldInfo:
    """A field argument, *boundary* is its halo."""

    access: "AccessMode"
    boundary: tuple[Range, Range, Range]
    axes: tuple[str, ...]
    data_dims: tuple[int, ...]
    dtype: np.dtype[Any]

    @property
    def domain_mask(self) -> tuple[bool, bool, bool]:
        i, j, k = (axis in self.axes for axis in _AXES)
        return i, j, k

    @property
    def domain_ndim(self) -> int:
        return len(self.axes)

    @property
    def mask(self) -> tuple[bool, ...]:
        return (*self.domain_mask, *(True for _ in self.data_dims))

    @property
    def ndim(self) -> int:
        return len(self.axes) + len(self.data_dims)


@dataclass(frozen=True, slots=True)
class ParameterInfo:
    """A scalar argument."""

    access: "AccessMode"
    dtype: np.dtype[Any]


@dataclass(frozen=True, slots=True)
class DomainInfo:
    """The axes of every domain, and the smallest number of levels."""

    parallel_axes: tuple[str, ...]
    sequential_axis: str
    min_sequential_axis_size: int
    ndim: int


def field_info(ir: Stencil) -> Mapping[str, FieldInfo]:
    """The fields in the order of the signature."""
    from iir.analyses.intents.modes import access_mode_of

    found = accesses(ir)
    read = {access.name for access in found if not access.is_store}
    written = {access.name for access in found if access.is_store}
    rims = halo(ir)
    return {
        item.name: FieldInfo(
            access=access_mode_of(item.name in read, item.name in written),
            boundary=rims[item.name],
            axes=tuple(item.axes.value),
            data_dims=(),
            dtype=numpy_dtype(item.dtype),
        )
        for item in ir.parameters
        if isinstance(item, FieldDecl)
    }


def parameter_info(ir: Stencil) -> Mapping[str, ParameterInfo]:
    """The scalars in the order of the signature."""
    from iir.analyses.intents.modes import access_mode_of

    used = {node.name for node in walk(ir) if isinstance(node, ScalarRef)}
    used |= {str(bound.anchor) for item in intervals(ir) for bound in (item.start, item.end)}
    return {
        item.name: ParameterInfo(access_mode_of(item.name in used, False), numpy_dtype(item.dtype))
        for item in ir.parameters
        if isinstance(item, ScalarDecl)
    }


def domain_info(ir: Stencil) -> DomainInfo:
    """The same axes for every stencil; the levels are this one's."""
    return DomainInfo(("I", "J"), "K", required_levels(ir), 3)


def call_signature(signature: Signature, ir: Stencil) -> Signature:
    """*signature* with the annotations that the IIR's declarations stand for."""
    declared = declarations(ir)
    parameters = [
        item.replace(annotation=_annotation(declared[item.name])) for item in signature.parameters.values()
    ]
    return Signature(parameters, return_annotation=None)


def signature_text(ir: Stencil) -> str:
    """``diffusion(u: f64[IJK], alpha: f64)``."""
    return f"{ir.name}({', '.join(map(declaration_text, ir.parameters))})"


def annotated(ir: Stencil) -> str:
    """The textual form with the intents of every field at every node."""
    return to_text(ir, notes=intents(ir))


def intents(ir: Stencil, node: Node | None = None) -> "IntentTable":
    """The intents of *node* of *ir*, of the whole stencil by default."""
    from iir.analyses import intents as analysis

    if node is not None and not any(node is item for item in walk(ir)):
        message = "This node is not one of the stencil's IIR."
        hint = "Nodes are found by identity: take one from '.iir', not a copy, nor one of '.optimized'."
        raise StencilError(Diagnostic(message, "foreign-node", hints=(hint,)))
    return analysis.intents(ir, node)


def intents_for(ir: Stencil, domain: Triple, params: Mapping[str, Any]) -> "IntentTable":
    """The intents for one domain and given scalars."""
    from iir.analyses import intents as analysis

    declared = {item.name: item for item in ir.parameters if isinstance(item, ScalarDecl)}
    for name in params:
        if name not in declared:
            raise argument_error(STATUS, f"There is no scalar '{name}'.", hints=did_you_mean(name, declared))
    values = {name: scalar_converter(declared[name])(value).item() for name, value in params.items()}
    return analysis.intents_for(ir, domain, values)


def _annotation(declaration: Declaration) -> Any:
    dtype = numpy_dtype(declaration.dtype).type
    return dtype if isinstance(declaration, ScalarDecl) else FieldType(declaration.axes, dtype)

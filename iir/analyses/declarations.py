"""What each name of a stencil stands for."""

from collections.abc import Mapping
from types import MappingProxyType

from iir.nodes import Declaration, Stencil


def declarations(ir: Stencil) -> Mapping[str, Declaration]:
    """Parameters in the order of the signature, then temporaries; each name is declared once."""
    return MappingProxyType({item.name: item for item in (*ir.parameters, *ir.temporaries)})

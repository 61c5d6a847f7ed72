"""The reference cases of intents as stencils of their own names."""

from dataclasses import replace

from iir.expressions import FieldAccess, ScalarRef
from iir.interval import Bound
from iir.nodes import Stencil
from iir.traversal import walk
from stencil import from_iir
from stencil.stencil_object import StencilObject
from tests.unit.iir.analyses.test_intents_reference import ALL, DAWN, ROWS, program, sweep

_WITH_SCALARS = {
    "a run-time bound decides the region": sweep(
        "backward", stages=((("[end-2, end)", "a = y"),), (("[n, end-1)", "b = a[0, 0, 1]"),))
    ),
    "a part is written up to a run-time bound": sweep("parallel", ("[start, n)", "a = 1.0"), (ALL, "b = a")),
    "a condition on a scalar": sweep("parallel", (ALL, "b = a;if c;  a = 1.0")),
    "two parts under one condition": sweep("parallel", (ALL, "if c;  a = 1.0"), (ALL, "if c;  b = a")),
    "a swap": sweep("parallel", (ALL, "x = a;a = b;b = x")),
}


def reference_programs() -> dict[str, Stencil]:
    """Each program by what it shows, called ``case_<number>``."""
    texts = {rule: row[0] for rule, row in ROWS.items()}
    texts |= {f"levels {loops}": sweep("forward", *blocks) for loops, (blocks, _, _) in DAWN.items()}
    texts |= _WITH_SCALARS
    return {
        rule: replace(_without_idle_parameters(program(text)), name=f"case_{number}")
        for number, (rule, text) in enumerate(texts.items())
    }


def _without_idle_parameters(ir: Stencil) -> Stencil:
    used = {node.name for node in walk(ir) if isinstance(node, FieldAccess | ScalarRef)}
    used |= {str(node.anchor) for node in walk(ir) if isinstance(node, Bound)}
    return replace(ir, parameters=tuple(item for item in ir.parameters if item.name in used))


def stencils() -> list[StencilObject]:
    return [from_iir(ir) for ir in reference_programs().values()]

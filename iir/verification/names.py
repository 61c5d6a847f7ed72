"""Rules on names: declared, declared once, and used for what they are."""

import keyword
from collections.abc import Iterator, Mapping

from iir.base import Node
from iir.dtypes import INTEGERS
from iir.expressions import FieldAccess, ScalarRef
from iir.interval import Bound
from iir.nodes import Declaration, ScalarDecl, Stencil
from iir.traversal import walk
from iir.verification.fault import Fault


def name_faults(ir: Stencil, names: Mapping[str, Declaration]) -> Iterator[Fault]:
    yield from _declaration_faults(ir)
    for node in walk(ir):
        match node:
            case ScalarRef(name):
                if not isinstance(names.get(name), ScalarDecl):
                    yield Fault(f"'{name}' is read as a scalar but {_what(names.get(name))}.", node)
            case FieldAccess(name):
                if isinstance(names.get(name), ScalarDecl | None):
                    yield Fault(f"'{name}' is accessed as a field but {_what(names.get(name))}.", node)
            case Bound(str(name)):
                yield from _bound_faults(name, names.get(name), node)
            case _:
                pass


def _declaration_faults(ir: Stencil) -> Iterator[Fault]:
    seen: set[str] = set()
    for node in (ir, *ir.parameters, *ir.temporaries):
        if not node.name.isidentifier() or keyword.iskeyword(node.name):
            yield Fault(f"'{node.name}' cannot be a name: it is no Python identifier.", node)
        if node is not ir and node.name in seen:
            yield Fault(f"'{node.name}' is declared twice.", node)
        if node is not ir:
            seen.add(node.name)


def _bound_faults(name: str, declaration: Declaration | None, node: Node) -> Iterator[Fault]:
    if not isinstance(declaration, ScalarDecl):
        yield Fault(f"'{name}' bounds an interval but {_what(declaration)}.", node)
    elif declaration.dtype not in INTEGERS:
        yield Fault(f"'{name}' bounds an interval but is of dtype {declaration.dtype.value}.", node)


def _what(declaration: Declaration | None) -> str:
    if declaration is None:
        return "is not declared"
    return "is a scalar" if isinstance(declaration, ScalarDecl) else "is a field"

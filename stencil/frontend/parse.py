"""The front end from end to end: a Python function in, IIR out."""

import ast
import keyword
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from inspect import Signature
from typing import Any, Final

from iir.base import Node
from iir.diagnostics import Diagnostic, StencilError
from iir.nodes import FieldDecl, ScalarDecl, Stencil, TemporaryDecl
from iir.span import Span
from iir.statements import Assign, If
from iir.traversal import MAX_DEPTH, children, depth
from stencil.frontend.computations import computations
from stencil.frontend.drafts import Branch, Computation, Scalar, Temporary, conditions, reads, stores
from stencil.frontend.errors import error
from stencil.frontend.frame import (
    MAX_NESTING,
    Bound,
    Frame,
    Meaning,
    Program,
    Variable,
    assigned_names,
    nesting,
)
from stencil.frontend.kinds import Kinds, infer
from stencil.frontend.lowering import multistage
from stencil.frontend.signature import declarations, signature
from stencil.frontend.source import Definition, find_definition
from stencil.frontend.unused import unused_temporaries

_LEFT_OUT: Final = "It is assigned only in branches that are left out when the stencil is built."


@dataclass(frozen=True, slots=True)
class Parsed:
    """What the front end makes of a definition."""

    ir: Stencil
    signature: Signature
    warnings: tuple[Diagnostic, ...]


def parse(
    definition: Callable[..., Any],
    *,
    externals: Mapping[str, object] | None = None,
    dtypes: Mapping[Any, Any] | None = None,
    name: str | None = None,
    source: str | None = None,
    names: Mapping[str, object] | None = None,
) -> Parsed:
    """The IIR of a stencil's definition; a bad one raises `StencilError`.

    *source* is the text of the definition's file where that cannot be read; *names* are those of
    the frame that defined it, for annotations given as strings.
    """
    found = None
    try:
        found = find_definition(definition, names, source)
        return _parse(found, externals or {}, dtypes or {}, name)
    except StencilError as problem:
        raise problem.with_traceback(None) from None
    except RecursionError:
        raise _too_deep(None if found is None else found.header()) from None


def _parse(
    definition: Definition, externals: Mapping[str, object], dtypes: Mapping[Any, Any], name: str | None
) -> Parsed:
    declared = declarations(definition, dtypes)
    fields = {item.name: item for item in declared if isinstance(item, FieldDecl)}
    scalars = {item.name: item for item in declared if isinstance(item, ScalarDecl)}
    assigned = tuple(dict.fromkeys(assigned_names(definition.node.body)))
    taken = {*fields, *scalars, *assigned}
    program = Program(fields, scalars, externals, dtypes, taken)
    frame = Frame(program, definition, _names(assigned, program, definition))
    found = computations(definition.node.body, frame)
    _check_any(definition.node.body, definition)
    _check_assigned(found, program.temporaries)
    _check_nesting(found)
    parameter_dtypes = {item.name: item.dtype for item in declared}
    inferred = infer(found, program.temporaries, parameter_dtypes)
    kinds = Kinds({**parameter_dtypes, **inferred})
    multistages = tuple(item for part in found if (item := multistage(part, kinds)) is not None)
    temporaries = tuple(
        TemporaryDecl(item.name, inferred[item.name], item.axes, on_heap=item.on_heap, span=item.span)
        for item in _stored(program.temporaries, found)
    )
    ir = Stencil(_name(name, definition), declared, temporaries, multistages, span=definition.header())
    _check_depth(ir)
    warnings = unused_temporaries(found, program.temporaries, fields)
    return Parsed(ir, signature(definition), warnings)


def _name(given: str | None, definition: Definition) -> str:
    name = definition.name if given is None else given
    if not name.isidentifier() or keyword.iskeyword(name):
        message = f"'{name}' cannot be the name of a stencil."
        raise error(message, "bad-name", definition.header(), hints=("Use a Python identifier.",))
    return name


def _names(assigned: tuple[str, ...], program: Program, definition: Definition) -> dict[str, Meaning]:
    """What parameters and assigned names mean in the stencil itself."""
    names: dict[str, Meaning] = {name: Variable(name) for name in (*assigned, *program.fields)}
    for name, scalar in program.scalars.items():
        names[name] = Bound(Scalar(name, scalar.span or definition.header()))
    return names


def _check_nesting(found: list[Computation]) -> None:
    """Raise the error for a statement that the front end cannot recurse into any more."""
    pending = [(action, 0) for part in reversed(found) for block in part.blocks for action in block.body]
    while pending:
        action, branches = pending.pop()
        value = action.condition if isinstance(action, Branch) else action.value
        if branches + nesting(value, action.span) > MAX_NESTING:
            raise _too_deep(action.span)
        if isinstance(action, Branch):
            pending += [(inner, branches + 1) for inner in (*action.then, *action.orelse)]


def _check_depth(ir: Stencil) -> None:
    """Raise the error for statements and casts that nest deeper than functions over trees can recurse."""
    if depth(ir) <= MAX_DEPTH:
        return
    node: Node = ir
    statement: Node = ir
    while below := tuple(children(node)):
        node = max(below, key=depth)
        statement = node if isinstance(node, Assign | If) else statement
    raise _too_deep(statement.span)


def _too_deep(span: Span | None) -> Exception:
    message = "This is nested too deeply."
    hint = "Assign parts of expressions to temporaries, and nest fewer 'if' statements."
    return error(message, "too-deep", span, hints=(hint,))


def _check_any(body: list[ast.stmt], definition: Definition) -> None:
    if not any(isinstance(node, ast.With | ast.If) for node in body):
        message = f"Stencil '{definition.name}' has no computation."
        hint = "Write 'with computation(PARALLEL), interval(...):' and statements in it."
        raise error(message, "no-computation", definition.header(), hints=(hint,))


def _check_assigned(found: list[Computation], temporaries: Mapping[str, Temporary]) -> None:
    """Raise the error for a read of a name that is assigned only where nothing is compiled."""
    assigned = {store.name for store in stores(found)}
    for value in (*(store.value for store in stores(found)), *conditions(found)):
        for read in reads(value):
            if read.name in temporaries and read.name not in assigned:
                message = f"'{read.name}' is not defined."
                is_declared = temporaries[read.name].declared is not None
                note = "It is declared, and never assigned." if is_declared else _LEFT_OUT
                raise error(message, "undefined-name", read.span, notes=(note,))


def _stored(temporaries: Mapping[str, Temporary], found: list[Computation]) -> list[Temporary]:
    """The temporaries that have a statement, in the order of their first."""
    names = dict.fromkeys(store.name for store in stores(found))
    return [temporaries[name] for name in names if name in temporaries]

"""The ``with`` blocks of a stencil: computations, and intervals inside or around them."""

import ast
from dataclasses import replace

from iir.diagnostics import StencilError
from iir.nodes import LoopOrder
from stencil import language
from stencil.frontend import statements
from stencil.frontend.calls import callee
from stencil.frontend.drafts import Block, Computation
from stencil.frontend.errors import error
from stencil.frontend.expressions import meaning
from stencil.frontend.frame import Frame, Meaning, Object
from stencil.frontend.imports import is_externals_import, misplaced_import, read_imports
from stencil.frontend.intervals import interval
from stencil.frontend.unsupported import later, unsupported
from stencil.wording import are, counted

_EXAMPLE = "Write 'with computation(PARALLEL), interval(...):'."


def computations(body: list[ast.stmt], frame: Frame) -> list[Computation]:
    """The computations of a stencil's body, or of a block around computations."""
    found: list[Computation] = []
    for node in body:
        match node:
            case ast.With():
                found += _with(node, frame)
            case ast.If():
                found += computations(_known_branch(node, frame), frame)
            case ast.ImportFrom() if is_externals_import(node):
                read_imports(node, frame)
            case _ if not _means_nothing(node, frame):
                raise _outside(node, frame)
    return found


def _with(node: ast.With, frame: Frame) -> list[Computation]:
    inner = replace(frame, body=[])
    for item in node.items:
        _enter(item, inner)
    span = frame.header(node, node.items[-1].context_expr)
    if inner.order is None:
        return computations(node.body, inner)
    blocks = _blocks(node.body, inner) if inner.interval is None else [_block(node, inner)]
    return [Computation(inner.order, tuple(blocks), span)]


def _blocks(body: list[ast.stmt], frame: Frame) -> list[Block]:
    """The intervals of a computation."""
    found: list[Block] = []
    for node in body:
        match node:
            case ast.With():
                inner = replace(frame, body=[])
                for item in node.items:
                    _enter(item, inner)
                found.append(_block(node, inner))
            case ast.If():
                found += _blocks(_known_branch(node, frame), frame)
            case ast.ImportFrom() if is_externals_import(node):
                raise misplaced_import(node, frame)
            case _ if not _means_nothing(node, frame):
                message = "This statement stands in a computation but in no interval."
                hint = "Put it under 'with interval(...):'."
                raise error(message, "no-interval", frame.span(node), "on which levels?", hints=(hint,))
    return found


def _block(node: ast.With, frame: Frame) -> Block:
    for item in node.body:
        statements.statement(item, frame)
    assert frame.interval is not None
    span = frame.header(node, node.items[-1].context_expr)
    return Block(frame.interval, tuple(frame.body), span)


def _enter(item: ast.withitem, frame: Frame) -> None:
    """Take the loop order or interval that one ``with`` item gives."""
    node = item.context_expr
    span = frame.span(node)
    if item.optional_vars is not None:
        raise error("A block has no 'as' name.", "misplaced", frame.span(item.optional_vars))
    word = callee(node.func, frame) if isinstance(node, ast.Call) else None
    if not isinstance(node, ast.Call) or not any(word is known for known in _WORDS):
        raise error("This is no block of the language.", "misplaced", span, hints=(_EXAMPLE,))
    if word is language.horizontal:
        raise later("horizontal", span)
    name = "computation" if word is language.computation else "interval"
    if (frame.order if name == "computation" else frame.interval) is not None:
        message = f"'{name}' stands inside another '{name}'."
        raise error(message, "misplaced", span, hints=("Put the blocks one after another.",))
    if name == "computation":
        frame.order = _order(node, frame)
    else:
        frame.interval = interval(node, frame)


def _order(node: ast.Call, frame: Frame) -> LoopOrder:
    hint = "Write 'PARALLEL', 'FORWARD' or 'BACKWARD'."
    if len(node.args) != 1 or node.keywords:
        given = len(node.args) + len(node.keywords)
        message = f"'computation' takes one loop order, but {counted(given, 'argument')} {are(given)} given."
        raise error(message, "bad-loop-order", frame.span(node), hints=(hint,))
    if isinstance(node.args[0], ast.Name | ast.Attribute):
        match _loop_order(node.args[0], hint, frame):
            case Object(LoopOrder() as order):
                return order
    raise error("This is no loop order.", "bad-loop-order", frame.span(node.args[0]), hints=(hint,))


def _loop_order(node: ast.expr, hint: str, frame: Frame) -> Meaning:
    try:
        return meaning(node, frame)
    except StencilError as problem:
        raise StencilError(replace(problem.diagnostic, hints=(*problem.diagnostic.hints, hint))) from None


def _known_branch(node: ast.If, frame: Frame) -> list[ast.stmt]:
    """The branch of an 'if' around blocks, whose condition must be known."""
    known = statements.known_condition(node, frame)
    if known is None:
        message = "An 'if' around blocks needs a condition that is known when the stencil is built."
        hint = "Put the 'if' inside the innermost block."
        raise error(message, "not-constant", frame.span(node.test), "known at run time only", hints=(hint,))
    return node.body if known else node.orelse


def _means_nothing(node: ast.stmt, frame: Frame) -> bool:
    match node:
        case ast.Pass() | ast.Expr(ast.Constant(str())):
            return True
        case ast.Expr(value):
            return statements.compile_assert(value, frame)
        case _:
            return False


def _outside(node: ast.stmt, frame: Frame) -> Exception:
    if isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Expr | ast.While):
        message = "This statement stands outside a computation."
        return error(message, "no-computation", frame.span(node), hints=(_EXAMPLE,))
    return unsupported(node, frame.span(node))


_WORDS = (language.computation, language.interval, language.horizontal)

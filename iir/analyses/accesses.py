"""Every access to a field or temporary, in program order."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import assert_never

from iir.expressions import (
    Binary,
    Call,
    Cast,
    Constant,
    Expr,
    FieldAccess,
    Offset,
    ScalarRef,
    Select,
    Unary,
)
from iir.nodes import DoMethod, MultiStage, Stage, Stencil
from iir.statements import Assign, Check, ExternalCall, If, Stmt


@dataclass(frozen=True, slots=True)
class Access:
    """One read or store, and where it stands; a condition's reads belong to the `If` itself."""

    name: str
    offset: Offset
    is_store: bool
    node: FieldAccess
    statement: Stmt
    do_method: DoMethod
    stage: Stage
    multistage: MultiStage


def accesses(ir: Stencil) -> tuple[Access, ...]:
    """All accesses of *ir*, a statement's reads before its stores."""
    return tuple(_accesses(ir))


def own_reads(statement: Stmt) -> Iterator[FieldAccess]:
    """What *statement* itself reads: of an `If` its condition, not its body."""
    for expr in own_expressions(statement):
        yield from field_reads(expr)


def own_stores(statement: Stmt) -> tuple[FieldAccess, ...]:
    """What *statement* itself stores: of an `If` nothing, its body does."""
    match statement:
        case Assign():
            return (statement.target,)
        case If():
            return ()
        case Check():
            return tuple(guard.target for guard in statement.guards)
        case ExternalCall():
            return statement.targets
        case _:
            assert_never(statement)


def own_expressions(statement: Stmt) -> tuple[Expr, ...]:
    """The expressions that *statement* itself evaluates, in order."""
    match statement:
        case Assign():
            return (statement.value,)
        case If():
            return (statement.condition,)
        case Check():
            guarded = (guard.value for guard in statement.guards)
            return (statement.condition, *statement.values, *guarded)
        case ExternalCall():
            operands = (operand for bundle in statement.bundles for operand in bundle.operands)
            return (*statement.arguments, *operands)
        case _:
            assert_never(statement)


def nested(body: tuple[Stmt, ...]) -> Iterator[Stmt]:
    """The statements of *body* and those inside its `If`s, in program order."""
    for statement in body:
        yield statement
        if isinstance(statement, If):
            yield from nested(statement.then)
            yield from nested(statement.orelse)


def field_reads(expr: Expr) -> Iterator[FieldAccess]:
    """The field accesses in *expr*, from left to right."""
    pending: list[Expr] = [expr]
    while pending:
        node = pending.pop()
        match node:
            case FieldAccess():
                yield node
            case Constant() | ScalarRef():
                pass
            case Unary() | Cast():
                pending.append(node.operand)
            case Binary():
                pending += (node.right, node.left)
            case Select():
                pending += (node.if_false, node.if_true, node.condition)
            case Call():
                pending += reversed(node.arguments)
            case _:
                assert_never(node)


def _accesses(ir: Stencil) -> Iterator[Access]:
    for multistage in ir.multistages:
        for stage in multistage.stages:
            for do_method in stage.do_methods:
                place = (do_method, stage, multistage)
                for statement in nested(do_method.body):
                    for node in own_reads(statement):
                        yield Access(node.name, node.offset, False, node, statement, *place)
                    for node in own_stores(statement):
                        yield Access(node.name, node.offset, True, node, statement, *place)

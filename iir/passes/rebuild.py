"""Rebuilding trees; parts that did not change are reused."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import groupby
from typing import TypeAlias

from iir.analyses.dependencies import Unit
from iir.expressions import Unary, UnaryOperator
from iir.nodes import DoMethod, LoopOrder, MultiStage, Stage, Stencil, TemporaryDecl
from iir.statements import If, Stmt

BodyRule: TypeAlias = Callable[[DoMethod, LoopOrder], tuple[Stmt, ...]]


def map_bodies(ir: Stencil, rule: BodyRule) -> Stencil:
    """Replace the body of every do-method by what *rule* makes of it; what becomes empty goes."""
    multistages = tuple(_mapped_multistages(ir, rule))
    return ir if _same(multistages, ir.multistages) else replace(ir, multistages=multistages)


def if_parts(statement: If, then: tuple[Stmt, ...], orelse: tuple[Stmt, ...]) -> Iterator[If]:
    """*statement* with other branches; nothing if both are empty, turned round if only *then* is."""
    if then == statement.then and orelse == statement.orelse:
        yield statement
    elif then:
        yield replace(statement, then=then, orelse=orelse)
    elif orelse:
        opposite = Unary(UnaryOperator.NOT, statement.condition, span=statement.condition.span)
        yield replace(statement, condition=opposite, then=orelse, orelse=())


def with_multistages(ir: Stencil, multistages: Iterable[MultiStage]) -> Stencil:
    """*ir* with other multistages; *ir* itself if they are the ones that it has."""
    new = tuple(multistages)
    return ir if _same(new, ir.multistages) else replace(ir, multistages=new)


def with_stages(multistage: MultiStage, stages: Iterable[Stage]) -> MultiStage:
    """*multistage* with other stages; itself if they are the ones that it has."""
    new = tuple(stages)
    return multistage if _same(new, multistage.stages) else replace(multistage, stages=new)


def with_temporaries(ir: Stencil, added: Iterable[TemporaryDecl]) -> Stencil:
    """*ir* with more temporaries."""
    new = tuple(added)
    return replace(ir, temporaries=(*ir.temporaries, *new)) if new else ir


def stages_of(items: Iterable[Unit]) -> Iterator[Stage]:
    """The stages that hold *items*, consecutive units, as they stand in the tree."""
    for _, members in groupby(items, lambda unit: id(unit.stage)):
        run = list(members)
        yield _with_do_methods(run[0].stage, tuple(do_methods_of(run)))


def do_methods_of(items: Iterable[Unit]) -> Iterator[DoMethod]:
    """The do-methods that hold *items*, consecutive units, as they stand in the tree."""
    for _, members in groupby(items, lambda unit: id(unit.do_method)):
        run = list(members)
        do_method, body = run[0].do_method, tuple(unit.statement for unit in run)
        yield do_method if _same(body, do_method.body) else replace(do_method, body=body)


def _with_do_methods(stage: Stage, do_methods: tuple[DoMethod, ...]) -> Stage:
    return stage if _same(do_methods, stage.do_methods) else replace(stage, do_methods=do_methods)


def _mapped_multistages(ir: Stencil, rule: BodyRule) -> Iterator[MultiStage]:
    for multistage in ir.multistages:
        stages = tuple(_mapped_stages(multistage, rule))
        if stages:
            yield with_stages(multistage, stages)


def _mapped_stages(multistage: MultiStage, rule: BodyRule) -> Iterator[Stage]:
    for stage in multistage.stages:
        do_methods = tuple(_mapped_do_methods(stage, multistage.order, rule))
        if do_methods:
            yield _with_do_methods(stage, do_methods)


def _mapped_do_methods(stage: Stage, order: LoopOrder, rule: BodyRule) -> Iterator[DoMethod]:
    for do_method in stage.do_methods:
        body = rule(do_method, order)
        if body:
            yield do_method if _same(body, do_method.body) else replace(do_method, body=body)


def _same(new: tuple[object, ...], old: tuple[object, ...]) -> bool:
    return len(new) == len(old) and all(left is right for left, right in zip(new, old, strict=True))

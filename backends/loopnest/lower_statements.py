"""Statements of the IIR as steps of one iteration."""

from collections.abc import Mapping
from dataclasses import replace
from typing import assert_never

from backends.external import check_bundles
from backends.loopnest.bodies import Body
from backends.loopnest.bounds import NI, NJ
from backends.loopnest.expressions import Affine, Conversion, Literal, UnaryOperation, Value, Variable
from backends.loopnest.held_values import Outcome, outcomes
from backends.loopnest.lower_expressions import access_index, lower_expression
from backends.loopnest.names import INDEX
from backends.loopnest.nodes import (
    Branch,
    CallExternal,
    CheckSite,
    Comment,
    ExternalFunction,
    Let,
    Report,
    Step,
    Store,
    Within,
)
from backends.loopnest.scope import Scope
from backends.loopnest.source_lines import source_text
from iir.diagnostics import BackendError, Diagnostic
from iir.dtypes import DType
from iir.expressions import Expr, FieldAccess, UnaryOperator
from iir.extent import DOMAIN, Extent
from iir.nodes import FieldDecl, LoopOrder
from iir.statements import Assign, Check, Effects, ExternalCall, If, Stmt

RECORDED_VALUES = 4
"""How many values a record of a failed check holds."""


class StatementLowering:
    """Lowers the bodies of a program and collects the checks and external functions they need."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.order = LoopOrder.PARALLEL
        self.checks: list[CheckSite] = []
        self.externals: dict[str, ExternalFunction] = {}
        self._outcomes: Mapping[int, Outcome] = {}
        self._held: dict[str, str] = {}
        self.rows: Mapping[str, str] = {}
        self.lane = INDEX[0]
        self._locals: dict[str, str] = {}

    def body(self, body: Body, order: LoopOrder) -> tuple[Step, ...]:
        """The statements of *body* at one point, each under a comment with its source."""
        self.order = order
        self.scope = replace(self.scope, lead=body.lead)
        self._outcomes, self._held = outcomes(body), {}
        steps: list[Step] = []
        comment = ""
        for statement in body.statements:
            text = source_text(statement.span)
            if text and text != comment:
                steps.append(Comment(text))
            comment = text
            steps += self._statement(statement, body.box)
        return tuple(steps)

    def _statements(self, statements: tuple[Stmt, ...], box: Extent) -> tuple[Step, ...]:
        return tuple(step for statement in statements for step in self._statement(statement, box))

    def _statement(self, statement: Stmt, box: Extent) -> tuple[Step, ...]:
        match statement:
            case Assign(target, value):
                return self._assign(target, self._value(value), self._outcomes.get(id(statement)))
            case If(condition, then, orelse):
                branches = self._statements(then, box), self._statements(orelse, box)
                return (Branch(self._value(condition), *branches),)
            case Check():
                return self._check(statement, box)
            case ExternalCall():
                return self._call(statement, box)
            case _:
                assert_never(statement)

    def _value(self, expr: Expr) -> Value:
        return lower_expression(expr, replace(self.scope, held=self._held))

    def _assign(self, target: FieldAccess, value: Value, outcome: Outcome | None) -> tuple[Step, ...]:
        """Store *value*, by way of a local variable if it is needed again."""
        self._held.pop(target.name, None)
        if outcome is None or not outcome.is_read or self.scope.is_register(target.name):
            return (self._set(target, value),)
        if target.name not in self._locals:
            self._locals[target.name] = self._fresh(target.name)
        held = self._held[target.name] = self._locals[target.name]
        let = Let(held, value)
        return (let, self._set(target, Variable(held, value.dtype))) if outcome.is_last else (let,)

    def _set(self, target: FieldAccess, value: Value) -> Step:
        name = self.scope.names[target.name].name
        if self.scope.is_register(target.name):
            return Let(name, value)
        if target.name in self.rows:
            return Store(self.rows[target.name], (Affine(self.lane),), value)
        return Store(name, access_index(target, self.scope), value)

    def _check(self, check: Check, box: Extent) -> tuple[Step, ...]:
        """Record a failure inside the domain, then set the guards' targets, failed or not."""
        values = tuple(self._value(value) for value in check.values)
        self.checks.append(CheckSite(check, self.order, tuple(value.dtype for value in values)))
        padding = (Literal(0, DType.INT64),) * (RECORDED_VALUES - len(values))
        report = Report(len(self.checks), self._key(check), (*values, *padding))
        failed = UnaryOperation(UnaryOperator.NOT, self._value(check.condition), DType.BOOL)
        step = self._inside_domain(Branch(failed, (report,)), box)
        return (step, *self._set_together([(g.target, self._value(g.value)) for g in check.guards]))

    def _set_together(self, pairs: list[tuple[FieldAccess, Value]]) -> tuple[Step, ...]:
        """Set several targets, all values computed before."""
        if len(pairs) == 1:
            return (self._set(*pairs[0]),)
        lets: list[Step] = []
        stores: list[Step] = []
        for target, value in pairs:
            name = self._fresh(target.name)
            lets.append(Let(name, value))
            stores.append(self._set(target, Variable(name, value.dtype)))
        return (*lets, *stores)

    def _key(self, check: Check) -> tuple[Affine, ...]:
        """Where the check stands in the canonical order of the source program."""
        i, j, k = (Affine(index, lead) for index, lead in zip(INDEX, self.scope.lead, strict=True))
        computation, statement = (Affine(None, number) for number in check.key)
        match self.order:
            case LoopOrder.PARALLEL:
                return computation, statement, k, j, i
            case LoopOrder.FORWARD:
                return computation, k, statement, j, i
            case LoopOrder.BACKWARD:
                return computation, Affine(INDEX[2], factor=-1), statement, j, i
            case _:
                assert_never(self.order)

    def _call(self, call: ExternalCall, box: Extent) -> tuple[Step, ...]:
        """Call, then set the targets: field arguments inside the domain only, temporaries on *box*."""
        check_bundles(call)
        if call.effects is not Effects.NONE:
            message = (
                f"The external function '{call.function}' has effects, which compiled kernels cannot order."
            )
            raise BackendError(Diagnostic(message, "external-effects", call.span))
        results = tuple(self._fresh(target.name) for target in call.targets)
        arguments = tuple(self._value(argument) for argument in call.arguments)
        stores: list[Step] = []
        for name, target in zip(results, call.targets, strict=True):
            store = self._set(target, self._result(name, target))
            is_argument = isinstance(self.scope.declared[target.name], FieldDecl)
            stores.append(self._inside_domain(store, box) if is_argument else store)
        return (CallExternal(results, self._external(call.function), arguments), *stores)

    def _result(self, name: str, target: FieldAccess) -> Value:
        dtype = self.scope.dtype(target)
        return Conversion(Variable(name, dtype), dtype)

    def _external(self, place: str) -> str:
        if place not in self.externals:
            name = self.scope.allocator.name(place.replace(":", ".").rsplit(".", 1)[-1]).name
            self.externals[place] = ExternalFunction(name, place)
        return self.externals[place].name

    def _fresh(self, name: str) -> str:
        return self.scope.allocator.name(f"new_{name}").name

    def _inside_domain(self, step: Step, box: Extent) -> Step:
        """*step* at the points of the domain, in loops over *box*, which holds the domain."""
        if box == DOMAIN:
            return step
        for index, size, lead in zip(INDEX[1::-1], (NJ, NI), self.scope.lead[1::-1], strict=True):
            step = Within(index, Affine(None, -lead), Affine(size, -lead), (step,))
        return step

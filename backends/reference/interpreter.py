"""Runs a stencil as the language defines it: NumPy slices, statement by statement."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias, assert_never

import numpy as np

from backends.base import Array
from backends.external import resolve
from backends.failures import check_error
from backends.reference.evaluate import evaluate
from backends.reference.external import call_at_points
from backends.reference.storage import Box, FieldView, Range
from iir.analyses.extents import Extents
from iir.diagnostics import CheckError
from iir.expressions import Expr, FieldAccess
from iir.extent import DOMAIN, Extent
from iir.interval import interval_levels
from iir.nodes import DoMethod, FieldDecl, LoopOrder, MultiStage, Stencil
from iir.statements import Assign, Check, ExternalCall, If, Stmt

Key: TypeAlias = tuple[int, int, int, int, int]


@dataclass(slots=True)
class Interpreter:
    """One call: the arrays and numbers of all names, and the failed check with the smallest key."""

    ir: Stencil
    extents: Extents
    domain: tuple[int, int, int]
    fields: Mapping[str, FieldView]
    scalars: Mapping[str, Array]
    math: str = "libm"
    order: LoopOrder = LoopOrder.PARALLEL
    failure: tuple[Key, CheckError] | None = None
    arguments: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        self.arguments = frozenset(item.name for item in self.ir.parameters if isinstance(item, FieldDecl))

    def run(self) -> None:
        """Run the whole stencil, then raise the first of the failures, if any."""
        with np.errstate(all="ignore"):
            for multistage in self.ir.multistages:
                self._run_multistage(multistage)
        if self.failure is not None:
            raise self.failure[1]

    def _run_multistage(self, multistage: MultiStage) -> None:
        self.order = multistage.order
        if multistage.order is LoopOrder.PARALLEL:
            for do_method in _do_methods(multistage):
                levels = self._levels(do_method)
                self._run_body(do_method.body, (levels.start, levels.stop))
            return
        for k in self._sweep(multistage):
            for do_method in _do_methods(multistage):
                if k in self._levels(do_method):
                    self._run_body(do_method.body, (k, k + 1))

    def _sweep(self, multistage: MultiStage) -> list[int]:
        """All levels that any do-method holds, in loop order."""
        levels = {k for do_method in _do_methods(multistage) for k in self._levels(do_method)}
        return sorted(levels, reverse=multistage.order is LoopOrder.BACKWARD)

    def _levels(self, do_method: DoMethod) -> range:
        bounds = {name: int(value) for name, value in self.scalars.items() if value.dtype.kind == "i"}
        return interval_levels(do_method.interval, self.domain[2], bounds)

    def _run_body(self, body: tuple[Stmt, ...], levels: Range) -> None:
        for statement in body:
            self._run_statement(statement, levels, ())

    def _run_statement(self, statement: Stmt, levels: Range, masks: tuple["Mask", ...]) -> None:
        box = self._box(self.extents.box(statement), levels)
        if 0 in box.shape:
            return
        match statement:
            case Assign(target, value):
                self._store(target, box, self._evaluate(value, box), masks)
            case If(condition, then, orelse):
                holds = self._evaluate(condition, box)
                for item in then:
                    self._run_statement(item, levels, (*masks, Mask(box, holds)))
                for item in orelse:
                    self._run_statement(item, levels, (*masks, Mask(box, np.logical_not(holds))))
            case Check():
                self._run_check(statement, box, masks)
            case ExternalCall():
                self._run_call(statement, box, masks)
            case _:
                assert_never(statement)

    def _store(self, target: FieldAccess, box: Box, value: Array, masks: tuple["Mask", ...]) -> None:
        """Store *value*, known on *box*, where all *masks* hold; in an argument on the domain only."""
        inside = box
        if target.name in self.arguments:
            inside = self._box(DOMAIN, box.k)
            value = _part(value, box, inside)
        self.fields[target.name].store(inside, value, _active(masks, inside))

    def _run_check(self, check: Check, box: Box, masks: tuple["Mask", ...]) -> None:
        guarded = [self._evaluate(guard.value, box) for guard in check.guards]
        inside = self._box(DOMAIN, box.k)
        failed = _active(masks, inside) & ~self._evaluate(check.condition, inside)
        values = [np.broadcast_to(self._evaluate(value, inside), inside.shape) for value in check.values]
        for i, j, level in np.argwhere(failed).tolist():
            k = level + inside.k[0]
            key = self._key(check, i, j, k)
            if self.failure is None or key < self.failure[0]:
                error = check_error(check, (i, j, k), [value[i, j, level].item() for value in values])
                self.failure = key, error
        for guard, result in zip(check.guards, guarded, strict=True):
            self._store(guard.target, box, result, masks)

    def _key(self, check: Check, i: int, j: int, k: int) -> Key:
        """Where in the canonical order of the source program the check runs at a point."""
        computation, statement = check.key
        match self.order:
            case LoopOrder.PARALLEL:
                return computation, statement, k, j, i
            case LoopOrder.FORWARD:
                return computation, k, statement, j, i
            case LoopOrder.BACKWARD:
                return computation, -k, statement, j, i
            case _:
                assert_never(self.order)

    def _run_call(self, call: ExternalCall, box: Box, masks: tuple["Mask", ...]) -> None:
        arguments = [self._evaluate(argument, box) for argument in call.arguments]
        results = call_at_points(resolve(call), arguments, _active(masks, box), len(call.targets))
        for target, result in zip(call.targets, results, strict=True):
            self._store(target, box, result.astype(self.fields[target.name].array.dtype), masks)

    def _evaluate(self, expr: Expr, box: Box) -> Array:
        return evaluate(expr, box, self.fields, self.scalars, self.math)

    def _box(self, extent: Extent, levels: Range) -> Box:
        ni, nj, _ = self.domain
        return Box((extent.i[0], ni + extent.i[1]), (extent.j[0], nj + extent.j[1]), levels)


@dataclass(frozen=True, slots=True)
class Mask:
    """Where an `If` lets its body run: known on a box that holds those of the body's statements."""

    box: Box
    holds: Array


def _active(masks: tuple[Mask, ...], box: Box) -> Array:
    """The points of *box* where all *masks* hold."""
    result = np.ones(box.shape, dtype=np.bool_)
    for mask in masks:
        result &= _part(mask.holds, mask.box, box)
    return result


def _part(value: Array, box: Box, inside: Box) -> Array:
    """The part on *inside* of a value known on *box*."""
    (i0, i1), (j0, j1), (k0, k1) = (
        (inner[0] - outer[0], inner[1] - outer[0])
        for inner, outer in zip((inside.i, inside.j, inside.k), (box.i, box.j, box.k), strict=True)
    )
    return np.broadcast_to(value, box.shape)[i0:i1, j0:j1, k0:k1]


def _do_methods(multistage: MultiStage) -> Iterator[DoMethod]:
    for stage in multistage.stages:
        yield from stage.do_methods

"""Naive Numba: one loop nest a statement, and each temporary a new array.

Written from the IIR of the stencil, before any pass, on arrays ``a[k, j, i]`` with i fastest.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, assert_never

import numpy as np

from backends.writer import Writer
from benchmarks.numba_kernels.decorators import serial
from iir.analyses.extents import Extents, extents
from iir.dtypes import numpy_dtype
from iir.expressions import (
    Binary,
    Call,
    Cast,
    Constant,
    Expr,
    FieldAccess,
    ScalarRef,
    Select,
    Unary,
)
from iir.interval import FULL, Anchor, Bound, Interval
from iir.nodes import FieldDecl, LoopOrder, MultiStage, Stencil
from iir.statements import Assign, Stmt
from iir.traversal import walk
from tests.catalogue import Halo

MOST: Final = 1 << 30
"""Guards on the sizes let LLVM see that indices do not wrap around; without them loops are not vectorised."""


def naive_kernel(ir: Stencil, halo: Halo) -> Callable[..., object]:
    """A function of the parameters of *ir*, whose fields all have *halo* points around the domain."""
    naive = _Naive(ir, halo)
    scope: dict[str, Any] = {"np": np, "exp": math.exp, "sqrt": math.sqrt, **naive.values()}
    exec(compile(naive.text(), f"<naive {ir.name}>", "exec"), scope)
    function: Callable[..., object] = serial(scope[ir.name])
    return function


def transposed(arguments: Mapping[str, Any]) -> Iterator[Any]:
    """Fields as ``a[k, j, i]``."""
    for value in arguments.values():
        yield value.T if isinstance(value, np.ndarray) else value


class _Naive:
    """The text of one stencil."""

    def __init__(self, ir: Stencil, halo: Halo) -> None:
        self._ir, self._halo = ir, halo
        self._extents: Extents = extents(ir)
        found = dict.fromkeys(node for node in walk(ir) if isinstance(node, Constant))
        self._constants = {constant: f"c{number}" for number, constant in enumerate(found)}
        self._w = Writer()

    def values(self) -> Mapping[str, Any]:
        """Constants have the dtype that they have in the stencil."""
        return {name: numpy_dtype(c.dtype).type(c.value) for c, name in self._constants.items()}

    def text(self) -> str:
        w, (i, j, _) = self._w, self._halo
        field = next(p.name for p in self._ir.parameters if isinstance(p, FieldDecl))
        with w.block(f"def {self._ir.name}({', '.join(p.name for p in self._ir.parameters)}):"):
            w.line(f"nk, nj, ni = {field}.shape")
            with w.block(f"if ni < {sum(i) + 1} or ni > {MOST} or nj < {sum(j) + 1} or nj > {MOST}:"):
                w.line("return")
            for temporary in self._ir.temporaries:
                w.line(f"{temporary.name} = np.empty((nk, nj, ni), np.{numpy_dtype(temporary.dtype).name})")
            for multistage in self._ir.multistages:
                if multistage.order is LoopOrder.PARALLEL:
                    self._parallel(multistage)
                else:
                    self._sweep(multistage)
        return w.text

    def _parallel(self, multistage: MultiStage) -> None:
        for stage in multistage.stages:
            for do in stage.do_methods:
                for statement in do.body:
                    with self._w.block(f"for k in range({', '.join(self._bounds(do.interval))}):"):
                        self._plane(statement)

    def _sweep(self, multistage: MultiStage) -> None:
        start, end = self._bounds(FULL)
        levels = f"range({start}, {end})"
        if multistage.order is LoopOrder.BACKWARD:
            levels = f"range({end} - 1, {start} - 1, -1)"
        with self._w.block(f"for k in {levels}:"):
            for stage in multistage.stages:
                for do in stage.do_methods:
                    first, last = self._bounds(do.interval)
                    with self._w.block(f"if {first} <= k < {last}:"):
                        for statement in do.body:
                            self._plane(statement)

    def _bounds(self, interval: Interval) -> tuple[str, str]:
        low, high = self._halo[2]

        def level(bound: Bound) -> str:
            return str(low + bound.offset) if bound.anchor is Anchor.START else f"nk - {high - bound.offset}"

        return level(interval.start), level(interval.end)

    def _plane(self, statement: Stmt) -> None:
        assert isinstance(statement, Assign), "kernels that are measured consist of assignments"
        w, box, (i, j, _) = self._w, self._extents.box(statement), self._halo
        with (
            w.block(f"for j in range({j[0] + box.j[0]}, nj - {j[1] - box.j[1]}):"),
            w.block(f"for i in range({i[0] + box.i[0]}, ni - {i[1] - box.i[1]}):"),
        ):
            w.line(f"{self._expr(statement.target)} = {self._expr(statement.value)}")

    def _expr(self, expr: Expr) -> str:
        match expr:
            case Constant():
                return self._constants[expr]
            case ScalarRef(name):
                return name
            case FieldAccess(name, offset):
                return f"{name}[k + {offset.k}, j + {offset.j}, i + {offset.i}]".replace("+ -", "- ")
            case Unary(operator, operand):
                return f"({operator.value} {self._expr(operand)})"
            case Binary(operator, left, right):
                return f"({self._expr(left)} {operator.value} {self._expr(right)})"
            case Select(condition, if_true, if_false):
                return f"({self._expr(if_true)} if {self._expr(condition)} else {self._expr(if_false)})"
            case Call(function, arguments):
                return f"{function.value}({', '.join(map(self._expr, arguments))})"
            case Cast(dtype, operand):
                return f"np.{numpy_dtype(dtype).name}({self._expr(operand)})"
            case _:
                assert_never(expr)

"""A random stencil as the Python function that a user would have written for it."""

import linecache
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import count
from types import FunctionType
from typing import Any, Final, assert_never

import numpy as np

from iir.base import Node
from iir.dtypes import DType, numpy_dtype
from iir.expressions import (
    CENTER,
    Binary,
    Call,
    Cast,
    Constant,
    Expr,
    FieldAccess,
    NativeFunction,
    Operator,
    ScalarRef,
    Select,
    Unary,
)
from iir.interval import Anchor, Bound
from iir.nodes import FieldDecl, ScalarDecl, Stencil, TemporaryDecl
from iir.statements import Assign, If, Stmt
from iir.traversal import rewrite
from stencil import language
from stencil.annotations import Field

_POWERS: Final = {NativeFunction.POW2: 2, NativeFunction.POW3: 3, NativeFunction.POW4: 4}
_NUMBERS: Final = count()
_GLOBALS: Final[Mapping[str, Any]] = {
    "np": np,
    "Field": Field,
    **{name: value for name, value in vars(language).items() if not name.startswith("_")},
}


def for_users(ir: Stencil) -> Stencil:
    """*ir* without what users cannot write.

    A constant exponent means something else in the language (``x ** 2`` multiplies), and a name
    that the function itself needs cannot be a parameter's.
    """
    names = {item.name: _free(item.name) for item in (*ir.parameters, *ir.temporaries)}

    def rule(node: Node) -> Node:
        match node:
            case Binary(Operator.POW, left, Constant() as right):
                return Binary(Operator.MUL, left, right)
            case FieldDecl() | ScalarDecl() | TemporaryDecl() | FieldAccess() | ScalarRef():
                return replace(node, name=names[node.name])
            case Bound(str() as anchor):
                return replace(node, anchor=names[anchor])
            case _:
                return node

    return rewrite(ir, rule)


def _free(name: str) -> str:
    return f"{name}_" if name in _GLOBALS else name


def source_of(ir: Stencil) -> tuple[Callable[..., None], str]:
    """A definition whose source Python can find, and that source."""
    writer = _Source(ir)
    text = "\n".join(writer.lines()) + "\n"
    file = f"<random stencil {next(_NUMBERS)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    namespace = {**_GLOBALS, **writer.constants}
    exec(compile(text, file, "exec"), namespace)
    definition = namespace[ir.name]
    assert isinstance(definition, FunctionType)
    return definition, text


class _Source:
    """Writes one definition. Constants become globals, so that they keep their dtype."""

    def __init__(self, ir: Stencil) -> None:
        self.ir = ir
        self.constants: dict[str, Any] = {}
        self.undeclared = {item.name: item for item in ir.temporaries}
        fields = [item for item in ir.parameters if isinstance(item, FieldDecl)]
        self.axes = {item.name: item.axes for item in fields}
        self.axes |= {item.name: item.axes for item in ir.temporaries}

    def lines(self) -> Iterator[str]:
        parameters = ", ".join(self.parameter(item) for item in self.ir.parameters)
        yield f"def {self.ir.name}({parameters}):"
        for multistage in self.ir.multistages:
            yield f"    with computation({multistage.order.name}):"
            for stage in multistage.stages:
                for do_method in stage.do_methods:
                    start, end = self.bound(do_method.interval.start), self.bound(do_method.interval.end)
                    yield f"        with interval({start}, {end}):"
                    yield from self.body(do_method.body, " " * 12)

    def parameter(self, item: FieldDecl | ScalarDecl) -> str:
        dtype = _spelt(item.dtype)
        if isinstance(item, FieldDecl):
            return f"{item.name}: Field[{item.axes.name}, {dtype}]"
        return f"{item.name}: {dtype}"

    def bound(self, bound: Bound) -> str:
        match bound.anchor:
            case Anchor.START:
                return str(bound.offset)
            case Anchor.END:
                return str(bound.offset or None)
            case name:
                return f"{name} + {bound.offset}" if bound.offset else name

    def body(self, statements: tuple[Stmt, ...], indent: str) -> Iterator[str]:
        for statement in statements:
            match statement:
                case Assign(target, value):
                    yield f"{indent}{self.target(target)} = {self.expr(value)}"
                case If(condition, then, orelse):
                    yield f"{indent}if {self.expr(condition)}:"
                    yield from self.body(then, indent + "    ")
                    if orelse:
                        yield f"{indent}else:"
                        yield from self.body(orelse, indent + "    ")
                case _:
                    raise NotImplementedError(type(statement))

    def target(self, target: FieldAccess) -> str:
        """A temporary is annotated where it is first stored."""
        declaration = self.undeclared.pop(target.name, None)
        if declaration is None:
            return target.name
        return f"{target.name}: Field[{declaration.axes.name}, {_spelt(declaration.dtype)}]"

    def expr(self, expr: Expr) -> str:
        match expr:
            case Constant(value, dtype):
                return str(value) if dtype is DType.BOOL else self.constant(value, dtype)
            case ScalarRef(name):
                return name
            case FieldAccess():
                return self.access(expr)
            case Unary(operator, operand):
                return f"({operator.value} {self.expr(operand)})"
            case Binary(binary_operator, left, right):
                return f"({self.expr(left)} {binary_operator.value} {self.expr(right)})"
            case Select(condition, if_true, if_false):
                return f"({self.expr(if_true)} if {self.expr(condition)} else {self.expr(if_false)})"
            case Call(function, arguments):
                return self.call(function, [self.expr(argument) for argument in arguments])
            case Cast(dtype, operand):
                return f"{_spelt(dtype)}({self.expr(operand)})"
            case _:
                assert_never(expr)

    def constant(self, value: float, dtype: DType) -> str:
        name = f"constant_{len(self.constants)}"
        self.constants[name] = numpy_dtype(dtype).type(value)
        return name

    def access(self, access: FieldAccess) -> str:
        if access.offset == CENTER:
            return access.name
        axes = self.axes[access.name].value
        own = [str(shift) for axis, shift in zip("IJK", access.offset, strict=True) if axis in axes]
        return f"{access.name}[{', '.join(own)}]"

    def call(self, function: NativeFunction, arguments: list[str]) -> str:
        if function in _POWERS:
            return f"({arguments[0]} ** {_POWERS[function]})"
        return f"{function.value}({', '.join(arguments)})"


def _spelt(dtype: DType) -> str:
    return f"np.{numpy_dtype(dtype).name}"

"""The textual form of a tree, and of each part of it; `iir.parser` reads it back."""

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias, assert_never, cast, get_args

import numpy as np

from iir import notation
from iir.base import Node
from iir.dtypes import DType
from iir.expressions import (
    CENTER,
    Binary,
    Call,
    Cast,
    Constant,
    Expr,
    FieldAccess,
    ScalarRef,
    Select,
    Unary,
    UnaryOperator,
)
from iir.interval import Anchor, Bound, Interval
from iir.nodes import (
    Declaration,
    DoMethod,
    FieldDecl,
    MultiStage,
    ScalarDecl,
    Stage,
    Stencil,
    TemporaryDecl,
)
from iir.schedule import Schedule
from iir.statements import Assign, Bundle, Check, Effects, ExternalCall, Guard, If, Stmt

Notes: TypeAlias = Callable[[Node], Iterable[str]]
"""Comment lines for a node: printed below the first line of a block, above anything else."""

_BARE_NAME: Final = re.compile(r"[^\W\d]\w*")
_NO_NOTES: Final[Notes] = lambda node: ()  # noqa: E731 - a constant, not a definition


def to_text(
    node: Node, notes: Notes | None = None, *, declarations: Mapping[str, Declaration] | None = None
) -> str:
    """The textual form of *node*; what it needs to know of names stands in the tree or in *declarations*.

    The text of a stencil ends with a newline and ``from_text(to_text(ir)) == ir``.
    """
    names = declarations or {}
    match node:
        case Stencil():
            names = {item.name: item for item in (*node.parameters, *node.temporaries)}
            return "".join(f"{line}\n" for line in _Printer(names, notes or _NO_NOTES).stencil(node))
        case MultiStage() | Stage() | DoMethod():
            return "\n".join(_Printer(names, notes or _NO_NOTES).block(node))
        case FieldDecl() | ScalarDecl() | TemporaryDecl():
            return declaration_text(node)
        case Interval():
            return interval_text(node)
        case Bound():
            return bound_text(node)
        case Schedule():
            return schedule_text(node)
        case Guard():
            return _Printer(names, _NO_NOTES).guard(node)
        case Bundle():
            return _Printer(names, _NO_NOTES).bundle(node)
        case _ if isinstance(node, get_args(Stmt)):
            return "\n".join(_Printer(names, notes or _NO_NOTES).statement(cast(Stmt, node)))
        case _:
            return expr_text(cast(Expr, node), declarations=names)


def expr_text(
    expr: Expr,
    outer: int = notation.TERNARY,
    *,
    declarations: Mapping[str, Declaration] | None = None,
) -> str:
    """The text of *expr*, in parentheses if it binds less tightly than *outer*.

    A field that is not among *declarations* is taken to have all three axes.
    """
    return _Printer(declarations or {}, _NO_NOTES).expr(expr, outer)


def declaration_text(declaration: Declaration) -> str:
    name, dtype = name_text(declaration.name), declaration.dtype.value
    match declaration:
        case ScalarDecl():
            return f"{name}: {dtype}"
        case FieldDecl(axes=axes):
            return f"{name}: {dtype}[{axes.value}]"
        case TemporaryDecl(axes=axes, storage=storage, on_heap=on_heap):
            wish = f" {notation.HEAP}" if on_heap else ""
            decision = "" if storage is None else f"  @ {storage.value}"
            return f"temporary {name}: {dtype}[{axes.value}]{wish}{decision}"
        case _:
            assert_never(declaration)


def interval_text(interval: Interval) -> str:
    return f"[{bound_text(interval.start)}, {bound_text(interval.end)})"


def bound_text(bound: Bound) -> str:
    anchor = bound.anchor.value if isinstance(bound.anchor, Anchor) else name_text(bound.anchor)
    return f"{anchor}{bound.offset:+d}" if bound.offset else anchor


def schedule_text(schedule: Schedule) -> str:
    words = ["serial" if schedule.parallel is None else f"parallel({schedule.parallel.value})"]
    words += [f"strip({schedule.strip})"] if schedule.strip is not None else []
    words += [word for word in ("prefetch", "stream", "blocks", "fuse") if getattr(schedule, word)]
    words += [f"stack({schedule.stack})"] if schedule.stack is not None else []
    return " ".join(words)


def name_text(name: str) -> str:
    """*name*, in backticks where it would not be read as a name."""
    bare = _BARE_NAME.fullmatch(name) and name not in notation.RESERVED
    return name if bare else f"`{name}`"


def constant_text(constant: Constant) -> str:
    """The literal that is read back as *constant*, to the bit."""
    value, dtype = constant.value, constant.dtype
    match value:
        case bool():
            return str(value)
        case int():
            return str(value) + ("" if dtype is DType.INT64 else dtype.value)
        case float():
            return _float_digits(value, dtype) + ("" if dtype is DType.FLOAT64 else dtype.value)
        case _:
            assert_never(value)


def _float_digits(value: float, dtype: DType) -> str:
    if math.isnan(value):
        return "$nan"
    if math.isinf(value):
        return "$inf" if value > 0 else "-$inf"
    if dtype is DType.FLOAT32:
        with np.errstate(over="ignore"):
            short = repr(float(str(np.float32(value))))
            if float(np.float32(float(short))) == value:
                return short
    return repr(value)


def _string(text: str) -> str:
    return json.dumps(text, ensure_ascii=not text.isprintable())


def _indented(lines: Iterable[str]) -> Iterator[str]:
    return (f"  {line}" for line in lines)


@dataclass(frozen=True, slots=True)
class _Printer:
    """The methods for blocks and statements yield lines; those for parts of a line return text."""

    names: Mapping[str, Declaration]
    notes: Notes

    def stencil(self, ir: Stencil) -> Iterator[str]:
        parameters = ", ".join(declaration_text(item) for item in ir.parameters)
        yield f"stencil {name_text(ir.name)}({parameters})"
        yield from _indented(self.comments(ir))
        for declaration in ir.temporaries:
            yield from _indented(self.comments(declaration))
            yield f"  {declaration_text(declaration)}"
        for multistage in ir.multistages:
            yield from _indented(self.block(multistage))

    def block(self, node: MultiStage | Stage | DoMethod) -> Iterator[str]:
        match node:
            case MultiStage(order, stages, schedule):
                decisions = "" if schedule is None else f"  @ {schedule_text(schedule)}"
                yield f"multistage {order.value}{decisions}"
                inner = [line for stage in stages for line in self.block(stage)]
            case Stage(do_methods):
                yield "stage"
                inner = [line for do_method in do_methods for line in self.block(do_method)]
            case DoMethod(interval, body):
                yield f"do {interval_text(interval)}"
                inner = list(self.statements(body))
            case _:
                assert_never(node)
        yield from _indented(self.comments(node))
        yield from _indented(inner)

    def statements(self, body: tuple[Stmt, ...]) -> Iterator[str]:
        for statement in body:
            yield from self.statement(statement)

    def statement(self, statement: Stmt) -> Iterator[str]:
        match statement:
            case If():
                yield from self.conditional("if", statement)
                return
            case Assign(target, value):
                line = f"{self.expr(target)} = {self.expr(value)}"
            case Check():
                line = self.check(statement)
            case ExternalCall():
                line = self.external_call(statement)
            case _:
                assert_never(statement)
        yield from self.comments(statement)
        yield line

    def conditional(self, keyword: str, statement: If) -> Iterator[str]:
        yield f"{keyword} {self.expr(statement.condition)}"
        yield from _indented(self.comments(statement))
        yield from _indented(self.statements(statement.then))
        match statement.orelse:
            case ():
                pass
            case (If() as nested,):
                yield from self.conditional("elif", nested)
            case body:
                yield "else"
                yield from _indented(self.statements(body))

    def check(self, check: Check) -> str:
        values = "".join(f", {self.expr(value)}" for value in check.values)
        text = f"check {check.kind.value}({self.expr(check.condition)}, {_string(check.message)}{values})"
        if check.guards:
            text += f" guard({', '.join(map(self.guard, check.guards))})"
        if check.key != (0, 0):
            text += f" key({check.key[0]}, {check.key[1]})"
        return text

    def guard(self, guard: Guard) -> str:
        return f"{self.expr(guard.target)} = {self.expr(guard.value)}"

    def external_call(self, call: ExternalCall) -> str:
        targets = f"{self.exprs(call.targets)} = " if call.targets else ""
        text = f"{targets}call {_string(call.function)}({self.exprs(call.arguments)})"
        if call.effects is not Effects.NONE:
            text += f" effects({call.effects.value})"
        return text + "".join(f" bundle {self.bundle(bundle)}" for bundle in call.bundles)

    def bundle(self, bundle: Bundle) -> str:
        return f"{_string(bundle.tag)}({self.exprs(bundle.operands)})"

    def exprs(self, exprs: Iterable[Expr]) -> str:
        return ", ".join(self.expr(expr) for expr in exprs)

    def expr(self, expr: Expr, outer: int = notation.TERNARY) -> str:
        inner, text = self.unbracketed(expr)
        return f"({text})" if inner < outer else text

    def unbracketed(self, expr: Expr) -> tuple[int, str]:
        """The precedence and the text of *expr*."""
        match expr:
            case Constant():
                text = constant_text(expr)
                return (notation.NEGATION if text.startswith("-") else notation.ATOM), text
            case ScalarRef(name):
                return notation.ATOM, name_text(name)
            case FieldAccess():
                return notation.ATOM, self.access(expr)
            case Unary(operator, operand):
                return self.unary(operator, operand)
            case Binary(operator, left, right):
                inner, low, high = notation.BINDING[operator]
                return inner, f"{self.expr(left, low)} {operator.value} {self.expr(right, high)}"
            case Select(condition, if_true, if_false):
                arms = self.expr(if_true, 1), self.expr(if_false)
                return notation.TERNARY, f"{arms[0]} if {self.expr(condition, 1)} else {arms[1]}"
            case Call(function, arguments):
                return notation.ATOM, f"{function.value}({self.exprs(arguments)})"
            case Cast(dtype, operand):
                return notation.ATOM, f"{dtype.value}({self.expr(operand)})"
            case _:
                assert_never(expr)

    def unary(self, operator: UnaryOperator, operand: Expr) -> tuple[int, str]:
        if operator is UnaryOperator.NOT:
            return notation.NOT, f"not {self.expr(operand, notation.NOT)}"
        if isinstance(operand, Constant):
            # A minus directly before a literal belongs to the literal.
            return notation.NEGATION, f"-({constant_text(operand)})"
        return notation.NEGATION, f"-{self.expr(operand, notation.NEGATION)}"

    def access(self, access: FieldAccess) -> str:
        name, offset = name_text(access.name), access.offset
        if offset == CENTER:
            return name
        own = _own_axes(self.names.get(access.name))
        displacements = [f"{d}" for axis, d in zip("IJK", offset, strict=True) if axis in own or d]
        if len(displacements) > len(own):  # breaks a rule; show all of it
            displacements = [f"{d}" for d in offset]
        return f"{name}[{', '.join(displacements)}]"

    def comments(self, node: Node) -> Iterator[str]:
        for note in self.notes(node):
            yield from (f"# {line}".rstrip() for line in note.split("\n"))


def _own_axes(declaration: Declaration | None) -> str:
    match declaration:
        case FieldDecl(axes=axes) | TemporaryDecl(axes=axes):
            return axes.value
        case _:
            return "IJK"

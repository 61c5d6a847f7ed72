"""Statements of a computation's or function's body."""

import ast
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from iir.expressions import UnaryOperator
from iir.nodes import Axes, LoopOrder
from iir.span import Span
from stencil.annotations import FieldType
from stencil.frontend import calls, expressions, functions, heap, offsets
from stencil.frontend.drafts import Apply, Branch, Draft, Literal, Scalar, Store, Temporary, reads
from stencil.frontend.dtype_names import axes_and_dtype, dtype_at, evaluate_annotation
from stencil.frontend.errors import error, written
from stencil.frontend.frame import Bound, Frame, Variable, assigned_names, center
from stencil.frontend.imports import is_externals_import, misplaced_import, read_imports
from stencil.frontend.intervals import is_one_level
from stencil.frontend.names import native_name
from stencil.frontend.parts import in_parts
from stencil.frontend.unsupported import later, unsupported
from stencil.wording import counted

_RENAME: Final = "Use another name for the temporary."


def statement(node: ast.stmt, frame: Frame) -> None:
    """Read one statement into the frame's body."""
    match node:
        case ast.Assign():
            _assign(node, frame)
        case ast.AugAssign():
            _augmented(node, frame)
        case ast.AnnAssign():
            _annotated(node, frame)
        case ast.If():
            _if(node, frame)
        case ast.Pass() | ast.Expr(ast.Constant(str())):
            pass
        case ast.Expr(value):
            _bare(value, frame)
        case ast.ImportFrom() if is_externals_import(node):
            _import(node, frame)
        case ast.While():
            raise later("while", frame.span(node))
        case ast.With():
            raise _misplaced_with(node, frame)
        case _:
            raise unsupported(node, frame.span(node))


def values(node: ast.expr, frame: Frame) -> tuple[Draft, ...]:
    """The values of a right-hand side or of a 'return': several for a tuple or a call that returns one."""
    match node:
        case ast.Tuple(items):
            found = tuple(expressions.expression(item, frame) for item in items)
        case ast.Call():
            found = calls.call(node, frame)
        case _:
            found = (expressions.expression(node, frame),)
    return tuple(in_parts(value, frame.span(node), frame) for value in found)


def known_condition(node: ast.If, frame: Frame) -> bool | None:
    """The value of a condition that is known when the stencil is built."""
    condition = expressions.expression(node.test, frame)
    return bool(condition.value) if isinstance(condition, Literal) else None


def compile_assert(node: ast.expr, frame: Frame) -> bool:
    """Whether *node* is a ``compile_assert(...)``; the error if it fails."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name | ast.Attribute):
        return False
    if native_name(calls.callee(node.func, frame)) != "compile_assert":
        return False
    if not calls.compile_time("compile_assert", node, frame).value:
        text = written(node.args[0])
        message = f"The assertion '{text}' does not hold."
        raise error(message, "compile-assert", frame.span(node))
    return True


def _import(node: ast.ImportFrom, frame: Frame) -> None:
    if frame.is_stencil:
        raise misplaced_import(node, frame)
    read_imports(node, frame)


def _assign(node: ast.Assign, frame: Frame) -> None:
    found = values(node.value, frame)
    if len(node.targets) > 1:
        # A chain evaluates its right-hand side once, whatever its targets are.
        found = tuple(
            value if isinstance(value, Literal | Scalar) else _save(value, frame) for value in found
        )
    for target in node.targets:
        _store_all(target, found, node, frame)


def _store_all(target: ast.expr, found: tuple[Draft, ...], node: ast.Assign, frame: Frame) -> None:
    if not isinstance(target, ast.Tuple | ast.List):
        _store(target, expressions.single(found, node.value, frame), node, frame)
        return
    if len(target.elts) != len(found):
        left, right = counted(len(target.elts), "target"), counted(len(found), "value")
        message = f"{left} cannot take {right}."
        raise error(message, "several-values", frame.span(target))
    for item, value in zip(target.elts, _ahead_of_stores(target.elts, found, frame), strict=True):
        _store(item, value, node, frame)


def _ahead_of_stores(targets: list[ast.expr], found: tuple[Draft, ...], frame: Frame) -> list[Draft]:
    """The values, saved where a target further left would change what they read."""
    changed: set[str] = set()
    ahead = []
    for target, value in zip(targets, found, strict=True):
        ahead.append(_save(value, frame) if changed & {read.name for read in reads(value)} else value)
        changed.update(_stored_names(target, frame))
    return ahead


def _stored_names(target: ast.expr, frame: Frame) -> Iterator[str]:
    base = target.value if isinstance(target, ast.Subscript) else target
    meant = frame.names.get(base.id) if isinstance(base, ast.Name) else None
    if isinstance(meant, Variable):
        yield meant.name


def _save(value: Draft, frame: Frame) -> Draft:
    name = frame.program.generated("value")
    frame.body.append(Store(name, value, value.span, value.span))
    return center(name, value.span)


def _augmented(node: ast.AugAssign, frame: Frame) -> None:
    span = frame.span(node)
    value = expressions.augmented(node, frame)
    _store(node.target, in_parts(value, span, frame), node, frame)


def _annotated(node: ast.AnnAssign, frame: Frame) -> None:
    if not isinstance(node.target, ast.Name):
        message = "Only a name can be declared."
        raise error(message, "bad-target", frame.span(node.target))
    on_heap, first = heap.is_heap(node.value, frame), node.value
    if on_heap and first is not None:
        heap.check_no_argument(node.target, frame)
        first = heap.first_value(first, frame)
    value = None if first is None else expressions.single(values(first, frame), first, frame)
    _declare(node.target, node.annotation, frame, on_heap)
    if value is not None:
        _store(node.target, value, node, frame)


def _declare(target: ast.Name, annotation: ast.expr, frame: Frame, on_heap: bool) -> None:
    span = frame.span(annotation)
    found = evaluate_annotation(annotation, frame.definition, frame.program.dtypes)
    dtypes = frame.program.dtypes
    if isinstance(found, FieldType):
        axes, dtype = axes_and_dtype(found, dtypes, span)
    else:
        axes, dtype = Axes.IJK, dtype_at(found, dtypes, span)
    if axes not in (Axes.IJ, Axes.IJK):
        message = f"A temporary cannot have the axes '{axes.value}'."
        raise error(message, "bad-axes", span, hints=("Use 'IJ' or 'IJK'.",))
    _check_undeclared(target, frame)
    name = (
        _variable(target.id, frame.span(target), frame)
        if frame.is_stencil
        else functions.local(target.id, frame)
    )
    known = frame.program.temporaries[name]
    frame.program.temporaries[name] = replace(
        known, dtype=dtype, axes=axes, declared=frame.span(target), on_heap=on_heap
    )


def _check_undeclared(target: ast.Name, frame: Frame) -> None:
    """Raise the error for a late declaration. One that follows a 'return' is read in several branches."""
    meant, program = frame.names.get(target.id), frame.program
    known = program.temporaries.get(meant.name) if isinstance(meant, Variable) else None
    is_late = known is not None and known.declared != frame.span(target)
    is_argument = isinstance(meant, Bound) or (isinstance(meant, Variable) and meant.name in program.fields)
    if is_late or is_argument:
        message = f"'{target.id}' is declared after it has been used or declared."
        hint = "Declare a temporary in its first assignment."
        raise error(message, "declared-late", frame.span(target), hints=(hint,))


def _store(target: ast.expr, value: Draft, node: ast.stmt, frame: Frame) -> None:
    span, target_span = frame.span(node), frame.span(target)
    match target:
        case ast.Name(name):
            pass
        case ast.Subscript(ast.Name(name)):
            pass
        case ast.Starred():
            raise unsupported(target, target_span)
        case _:
            raise error("Only a field or a temporary can be assigned to.", "bad-target", target_span)
    variable = _variable(name, target_span, frame)
    if isinstance(target, ast.Subscript):
        _check_center(target, variable, frame)
    _check_axes(name, variable, target_span, frame)
    frame.body.append(Store(variable, value, span, target_span))


def _variable(name: str, span: Span, frame: Frame) -> str:
    """The field or temporary that an assignment to *name* stores."""
    if name in frame.imports:
        message = f"External '{name}' cannot be assigned to."
        raise error(message, "bad-target", span, "fixed when the stencil is built", hints=(_RENAME,))
    if not frame.is_stencil:
        return functions.local(name, frame)
    if name in frame.program.scalars:
        message = f"Scalar '{name}' cannot be assigned to."
        raise error(message, "bad-target", span, "an argument that is no field", hints=(_RENAME,))
    known = frame.program.temporaries.get(name)
    if name not in frame.program.fields and (known is None or known.span is None):
        dtype, axes = (known.dtype, known.axes) if known else (None, Axes.IJK)
        frame.program.temporaries[name] = Temporary(name, dtype, axes, span)
    return name


def _check_center(target: ast.Subscript, variable: str, frame: Frame) -> None:
    offset = offsets.constant_offset(target, frame.program.axes(variable).value, frame)
    if offset.get("I") or offset.get("J"):
        message = "A statement stores at its own point only."
        hint = "Read at the opposite offset instead."
        raise error(message, "store-at-offset", frame.span(target), "stores at another point", hints=(hint,))
    if offset.get("K"):
        raise later("store-offset", frame.span(target))


def _check_axes(name: str, variable: str, span: Span, frame: Frame) -> None:
    axes = frame.program.axes(variable)
    if axes is Axes.IJK:
        return
    if axes is not Axes.IJ:
        message = f"Field '{name}' on the axes '{axes.value}' is read-only."
        hint = "Only fields on 'IJ' and 'IJK' can be assigned to."
        raise error(message, "read-only-field", span, hints=(hint,))
    if frame.order is LoopOrder.PARALLEL and not (frame.interval and is_one_level(frame.interval)):
        message = f"'{name}' has no axis 'K' and is assigned on several levels in no order."
        hint = "Use 'computation(FORWARD)' or an interval of one level, as in 'interval(0, 1)'."
        raise error(message, "plane-in-parallel", span, "one value for all levels", hints=(hint,))


def _if(node: ast.If, frame: Frame) -> None:
    condition = expressions.expression(node.test, frame)
    if isinstance(condition, Literal):
        _body(node.body if condition.value else node.orelse, frame)
        return
    condition = in_parts(condition, frame.span(node.test), frame)
    functions.settle(assigned_names([*node.body, *node.orelse]), frame)
    span = frame.header(node, node.test)
    then, orelse = frame.branch(condition, span), frame.branch(condition, span)
    _body(node.body, then)
    _body(node.orelse, orelse)
    if then.body:
        frame.body.append(Branch(condition, tuple(then.body), tuple(orelse.body), span))
    elif orelse.body:
        negated = Apply(UnaryOperator.NOT, (condition,), condition.span)
        frame.body.append(Branch(negated, tuple(orelse.body), (), span))


def _body(nodes: list[ast.stmt], frame: Frame) -> None:
    for node in nodes:
        statement(node, frame)


def _bare(value: ast.expr, frame: Frame) -> None:
    if compile_assert(value, frame):
        return
    span = frame.span(value)
    if isinstance(value, ast.Call):
        calls.call(value, frame)
        raise error("The result of this call is not used.", "no-effect", span, hints=("Assign it.",))
    if isinstance(value, ast.Compare):
        message, hint = "This comparison has no effect.", "Assign with a single '='."
        raise error(message, "no-effect", span, "compared, not assigned", hints=(hint,))
    if not isinstance(value, ast.Constant | ast.Name):
        expressions.expression(value, frame)
    raise error("This expression has no effect.", "no-effect", span, hints=("Assign it.",))


def _misplaced_with(node: ast.With, frame: Frame) -> Exception:
    call = node.items[0].context_expr
    name = call.func.id if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) else ""
    if name == "horizontal":
        return later("horizontal", frame.span(call))
    message = "A 'with' block cannot stand here."
    if name in {"computation", "interval"}:
        message = f"'{name}' cannot stand here."
    hint = "Blocks nest as 'computation', then 'interval', then statements."
    return error(message, "misplaced", frame.span(call), hints=(hint,))

"""Inline the user's functions: parameters are by value, offsets apply on top of arguments.

Local names become temporaries. They are as unset at points that a branch around the call skips as
they would be if the function's statements stood there.
"""

import ast
from collections.abc import Iterator
from dataclasses import replace

from iir.diagnostics import StencilError
from stencil.frontend import expressions, statements
from stencil.frontend.drafts import Branch, Draft, Literal, Store
from stencil.frontend.errors import check_count, error
from stencil.frontend.frame import (
    MAX_CALLS,
    Bound,
    Frame,
    Meaning,
    Object,
    Variable,
    assigned_names,
    center,
    check_size,
    is_simple,
)
from stencil.frontend.parts import in_parts
from stencil.frontend.signature import default_values
from stencil.frontend.source import Definition, find_definition
from stencil.frontend.unsupported import unsupported
from stencil.language import Function
from stencil.wording import counted, did_you_mean


def inline(node: ast.Call, function: Function, frame: Frame) -> tuple[Draft, ...]:
    """The values that a call returns; the statements of the function go into the caller's body."""
    definition = find_definition(function.definition, function.names)
    _check_recursion(node, definition, frame)
    names = _arguments(node, definition, frame)
    program = frame.program
    program.calls.append(definition)
    try:
        assigned = frozenset(assigned_names(definition.node.body))
        inner = replace(frame, definition=definition, names=names, imports={}, assigned=assigned, returned=[])
        _save_arguments(inner)
        values = body_values(definition.node.body, inner)
        if values is None:
            message = f"Function '{definition.name}' does not return a value on every path."
            hint = "End it with 'return ...'."
            raise error(message, "no-return", definition.header(), "can end without a value", hints=(hint,))
        return values
    except StencilError as problem:
        raise _called_from(problem, definition, frame.span(node).line) from None
    finally:
        program.calls.pop()


def body_values(body: list[ast.stmt], frame: Frame) -> tuple[Draft, ...] | None:
    """Read the statements of a function; the values that it returns, None if it may not return."""
    for position, statement in enumerate(body):
        match statement:
            case ast.Return(None):
                raise error("This 'return' gives no value.", "no-return", frame.span(statement))
            case ast.Return(ast.expr() as value):
                found = statements.values(value, frame)
                _check_same_number(len(found), statement, frame)
                return found
            case ast.If() if _has_return(statement):
                return _branches(statement, body[position + 1 :], frame)
            case _:
                statements.statement(statement, frame)
    return None


def settle(names: Iterator[str], frame: Frame) -> None:
    """Give parameters that are about to be assigned in a branch a temporary of their own."""
    if frame.is_stencil:
        return
    for name in dict.fromkeys(names):
        meant = frame.names.get(name)
        if isinstance(meant, Bound):
            value = center(meant.saved, meant.value.span) if meant.saved else meant.value
            local(name, frame, value)


def local(name: str, frame: Frame, value: Draft | None = None) -> str:
    """The temporary of a function's local name; it starts with *value*."""
    meant = frame.names.get(name)
    if isinstance(meant, Variable) and meant.name not in frame.program.fields:
        return meant.name
    own = frame.program.generated(f"{frame.definition.name}_{name}")
    if value is not None:
        span = value.span
        frame.body.append(Store(own, value, span, span))
    frame.names[name] = Variable(own)
    return own


def _check_recursion(node: ast.Call, definition: Definition, frame: Frame) -> None:
    program = frame.program
    names = [item.name for item in program.calls if item.function is definition.function]
    if names:
        cycle = " -> ".join([item.name for item in program.calls] + [definition.name])
        message = f"Function '{definition.name}' calls itself."
        raise error(message, "recursion", frame.span(node), notes=(f"The calls are {cycle}.",))
    program.inlined += 1
    if program.inlined > MAX_CALLS:
        message = "The stencil is too large once functions are inlined."
        raise error(message, "too-large", frame.span(node))


def _called_from(problem: StencilError, definition: Definition, line: int) -> StencilError:
    diagnostic = problem.diagnostic
    note = f"'{definition.name}' is called at line {line}."
    return type(problem)(replace(diagnostic, notes=(*diagnostic.notes, note)))


def _save_arguments(frame: Frame) -> None:
    """Compute an argument once if the function uses it more than once."""
    nodes = [node for item in frame.definition.node.body for node in ast.walk(item)]
    uses = [node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)]
    for name, meant in tuple(frame.names.items()):
        if isinstance(meant, Bound) and not is_simple(meant.value) and uses.count(name) > 1:
            saved = frame.program.generated(f"{frame.definition.name}_{name}")
            span = meant.value.span
            frame.body.append(Store(saved, meant.value, span, span))
            frame.names[name] = Bound(meant.value, saved)


def _check_same_number(given: int, node: ast.Return, frame: Frame) -> None:
    """Every 'return' of a function gives as many values as the first."""
    span = frame.span(node)
    frame.returned.append((given, span.line))
    needed, line = frame.returned[0]
    if given != needed:
        message = f"Function '{frame.definition.name}' returns different numbers of values."
        note = f"The 'return' at line {line} gives {counted(needed, 'value')}."
        label = f"{counted(given, 'value')} here"
        raise error(message, "no-return", span, label, notes=(note,))


def _has_return(node: ast.stmt) -> bool:
    return any(isinstance(item, ast.Return) for item in ast.walk(node))


def _branches(node: ast.If, rest: list[ast.stmt], frame: Frame) -> tuple[Draft, ...] | None:
    """An 'if' that returns: what follows it belongs to the branches that do not."""
    condition = in_parts(expressions.expression(node.test, frame), frame.span(node.test), frame)
    if isinstance(condition, Literal):
        return body_values([*(node.body if condition.value else node.orelse), *rest], frame)
    settle(assigned_names([*node.body, *node.orelse, *rest]), frame)
    header = frame.header(node, node.test)
    frames = frame.branch(condition, header), frame.branch(condition, header)
    found = [
        body_values([*body, *rest], inner)
        for body, inner in zip((node.body, node.orelse), frames, strict=True)
    ]
    if found[0] is None or found[1] is None:
        return None
    span = frame.span(node)
    results = [frame.program.generated(frame.definition.name) for _ in found[0]]
    for values, inner in zip((found[0], found[1]), frames, strict=True):
        inner.body += [
            Store(name, value, value.span, value.span) for name, value in zip(results, values, strict=True)
        ]
    frame.body.append(Branch(condition, tuple(frames[0].body), tuple(frames[1].body), span))
    return tuple(center(name, span) for name in results)


def _arguments(node: ast.Call, definition: Definition, frame: Frame) -> dict[str, Meaning]:
    """What each parameter of the function stands for in this call."""
    syntax = definition.node.args
    for star in (syntax.vararg, syntax.kwarg):
        if star is not None:
            message = f"Function '{definition.name}' has a starred parameter."
            raise error(message, "bad-parameter", definition.span(star))
    positional = [item.arg for item in (*syntax.posonlyargs, *syntax.args)]
    given = _positional(node, positional, definition, frame)
    accepted = {item.arg for item in (*syntax.args, *syntax.kwonlyargs)}
    for keyword in node.keywords:
        _refuse_by_position(keyword, syntax.posonlyargs, definition, frame)
        given[_keyword(keyword, accepted, given, definition, frame)] = _argument(keyword.value, frame)
    every = [*positional, *(item.arg for item in syntax.kwonlyargs)]
    return {name: _given(name, given, node, definition, frame) for name in every}


def _positional(node: ast.Call, names: list[str], definition: Definition, frame: Frame) -> dict[str, Meaning]:
    for item in node.args:
        if isinstance(item, ast.Starred):
            raise unsupported(item, frame.span(item))
    if len(node.args) > len(names):
        least = len(names) - len(definition.function.__defaults__ or ())
        check_count(definition.name, len(node.args), least, len(names), frame.span(node))
    return {name: _argument(item, frame) for name, item in zip(names, node.args, strict=False)}


def _keyword(
    keyword: ast.keyword, accepted: set[str], given: dict[str, Meaning], definition: Definition, frame: Frame
) -> str:
    name, span = keyword.arg, frame.span(keyword)
    if name is None:
        raise error("Arguments cannot be given with '**'.", "wrong-arguments", span)
    if name not in accepted:
        message = f"'{definition.name}' has no parameter '{name}'."
        raise error(message, "wrong-arguments", span, hints=did_you_mean(name, accepted))
    if name in given:
        message = f"'{name}' is given twice in a call of '{definition.name}'."
        raise error(message, "wrong-arguments", span)
    return name


def _refuse_by_position(
    keyword: ast.keyword, names: list[ast.arg], definition: Definition, frame: Frame
) -> None:
    if any(item.arg == keyword.arg for item in names):
        message = f"'{definition.name}' takes '{keyword.arg}' by position only."
        raise error(message, "wrong-arguments", frame.span(keyword), "given by keyword")


def _argument(node: ast.expr, frame: Frame) -> Meaning:
    meant = expressions.meaning(node, frame)
    if isinstance(meant, Object):
        return meant
    value = expressions.number(meant, node, frame)
    check_size(value, frame.span(node))
    return Bound(value)


def _given(
    name: str, given: dict[str, Meaning], node: ast.Call, definition: Definition, frame: Frame
) -> Meaning:
    if name in given:
        return given[name]
    defaults = default_values(definition)
    if name not in defaults:
        message = f"Argument '{name}' of '{definition.name}' is missing."
        raise error(message, "wrong-arguments", frame.span(node))
    return expressions.of_object(defaults[name], frame.span(node))

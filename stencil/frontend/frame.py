"""What is known while a function's body is read: its names, and where its statements go."""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeAlias

from iir.expressions import CENTER
from iir.interval import Interval
from iir.nodes import Axes, FieldDecl, LoopOrder, ScalarDecl
from iir.span import Span
from stencil.frontend.drafts import Action, Apply, Draft, Literal, Read, Scalar, Temporary, operands, reads
from stencil.frontend.errors import error
from stencil.frontend.source import Definition

MAX_NODES: Final = 20_000
MAX_DEPTH: Final = 200
MAX_CALLS: Final = 10_000
MAX_BRANCHES: Final = 200
MAX_NESTING: Final = 220
"""Of branches and expressions together: the front end recurses into both."""


@dataclass(frozen=True, slots=True)
class Variable:
    """A field or temporary."""

    name: str


@dataclass(frozen=True, slots=True)
class Bound:
    """A name that stands for an expression; *saved* is the temporary that holds its value, if any."""

    value: Draft
    saved: str | None = None


@dataclass(frozen=True, slots=True)
class Object:
    """A Python object that is no number: a module, a function, a table."""

    value: object


Meaning: TypeAlias = Variable | Bound | Object


@dataclass(slots=True)
class Program:
    """What all frames of one stencil share."""

    fields: Mapping[str, FieldDecl]
    scalars: Mapping[str, ScalarDecl]
    externals: Mapping[str, object]
    dtypes: Mapping[Any, Any]
    taken: set[str]
    temporaries: dict[str, Temporary] = field(default_factory=dict)
    calls: list[Definition] = field(default_factory=list)
    inlined: int = 0
    depth: int = 0

    def axes(self, name: str) -> Axes:
        """The axes of a field or temporary."""
        return self.fields[name].axes if name in self.fields else self.temporaries[name].axes

    def fresh(self, wish: str) -> str:
        """A name like *wish* that nothing else has."""
        name, number = wish, 1
        while name in self.taken:
            number += 1
            name = f"{wish}_{number}"
        self.taken.add(name)
        return name

    def generated(self, wish: str) -> str:
        """A new temporary of the front end's own."""
        name = self.fresh(wish)
        self.temporaries[name] = Temporary(name, None, Axes.IJK, None)
        return name


@dataclass(slots=True)
class Frame:
    """One function's body being read. *body* receives its statements, *assigned* are its local names.

    *branches* is how many conditions its statements are under; *returned* the number of values and
    the line of each 'return' that was read.
    """

    program: Program
    definition: Definition
    names: dict[str, Meaning]
    imports: dict[str, object] = field(default_factory=dict)
    body: list[Action] = field(default_factory=list)
    assigned: frozenset[str] = frozenset()
    masked: bool = False
    branches: int = 0
    returned: list[tuple[int, int]] = field(default_factory=list)
    order: LoopOrder | None = None
    interval: Interval | None = None

    def span(self, node: ast.expr | ast.stmt | ast.arg | ast.keyword | ast.alias) -> Span:
        return self.definition.span(node)

    def header(self, start: ast.expr | ast.stmt, end: ast.expr) -> Span:
        """From the start of a compound statement to the end of an expression in its first line."""
        first, last = self.span(start), self.span(end)
        return Span(first.file, first.line, first.column, last.end_line, last.end_column)

    @property
    def is_stencil(self) -> bool:
        return not self.program.calls

    def branch(self, condition: Draft, header: Span) -> "Frame":
        """The frame of the statements under *condition*, which stands at *header*."""
        if self.branches >= MAX_BRANCHES:
            raise _too_many_branches(header)
        masked = self.masked or next(reads(condition), None) is not None
        return replace(self, body=[], masked=masked, branches=self.branches + 1)


def assigned_names(statements: list[ast.stmt]) -> Iterator[str]:
    """The names that *statements* assign to, nested ones included, in order."""
    for statement in statements:
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                yield node.id
            elif isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign):
                yield from _subscripted(node)


def _subscripted(node: ast.Assign | ast.AugAssign | ast.AnnAssign) -> Iterator[str]:
    """Names stored through ``t[0, 0, 0] = ...``."""
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    for target in targets:
        if isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name):
            yield target.value.id


def axes_of(draft: Draft, program: Program) -> str:
    """The letters of the axes on which *draft* varies; empty for a scalar."""
    letters = {letter for read in reads(draft) for letter in program.axes(read.name).value}
    return "".join(letter for letter in "IJK" if letter in letters)


def is_simple(draft: Draft) -> bool:
    """Whether repeating *draft* costs nothing."""
    return isinstance(draft, Literal | Scalar | Read)


def center(name: str, span: Span) -> Read:
    return Read(name, CENTER, span)


def nesting(draft: Draft, span: Span) -> int:
    """How deep *draft* nests; the error if it is too large to be compiled."""
    deepest, pending, nodes = 0, [(draft, 1)], 0
    while pending:
        top, depth = pending.pop()
        nodes += 1
        if nodes > MAX_NODES:
            raise _too_large(span)
        deepest = max(deepest, depth)
        pending += [(item, depth + levels(top)) for item in operands(top)]
    return deepest


def levels(draft: Draft) -> int:
    """How deep *draft* is without its operands: MIN and MAX of several become nested calls."""
    return max(1, len(operands(draft)) - 1) if isinstance(draft, Apply) else 1


def check_size(draft: Draft, span: Span) -> None:
    """Raise the error for an expression that is too deep or too large to be compiled."""
    if nesting(draft, span) > MAX_DEPTH:
        raise too_deep(span)


def too_deep(span: Span | None) -> Exception:
    message = "This expression is nested too deeply."
    hint = "Assign parts of it to temporaries."
    return error(message, "too-deep", span, hints=(hint,))


def _too_many_branches(span: Span) -> Exception:
    message = "This 'if' is nested too deeply."
    note = "An 'elif' is an 'if' in the 'else' part of the one before."
    hint = "Begin a new 'if': let a temporary say whether one of the conditions before has held."
    return error(message, "too-deep", span, f"in {MAX_BRANCHES} others", notes=(note,), hints=(hint,))


def _too_large(span: Span) -> Exception:
    message = "This expression is too large once functions are inlined."
    hint = "Assign parts of it to temporaries."
    return error(message, "too-large", span, hints=(hint,))

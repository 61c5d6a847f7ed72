"""Statements: what a do-method does on each of its planes or boxes."""

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from iir.base import Node
from iir.expressions import Expr, FieldAccess


@dataclass(frozen=True, slots=True)
class Assign(Node):
    """Evaluate *value* everywhere, then store it. The target's offset is `CENTER`."""

    target: FieldAccess
    value: Expr


@dataclass(frozen=True, slots=True)
class If(Node):
    """Evaluate *condition* once, everywhere; run *then* where it holds; afterwards *orelse* elsewhere."""

    condition: Expr
    then: tuple["Stmt", ...]
    orelse: tuple["Stmt", ...] = ()


class CheckKind(Enum):
    """What a run-time check inside a kernel looks for."""

    USER = "user"
    BOUNDS = "bounds"
    DIVIDE = "divide"
    FINITE = "finite"

    def __repr__(self) -> str:
        return f"CheckKind.{self.name}"


@dataclass(frozen=True, slots=True)
class Guard(Node):
    """A guarded result: the temporary *target* holds *value* once the check has passed."""

    target: FieldAccess
    value: Expr


@dataclass(frozen=True, slots=True)
class Check(Node):
    """A run-time check: not a terminator, on the domain.

    Where *condition* holds nothing happens and each guard's target takes its value; elsewhere the
    call fails with *message* (directives ``%d``, ``%g``, ``%%``; at most four *values*). *key* is
    (computation, statement) as numbered in the source program: of several failures the smallest
    key, then point, is reported.
    """

    condition: Expr
    kind: CheckKind
    message: str
    values: tuple[Expr, ...] = ()
    guards: tuple[Guard, ...] = ()
    key: tuple[int, int] = (0, 0)


class Effects(Enum):
    """What an external function may do besides computing its results."""

    NONE = "none"
    READ = "read"
    WRITE = "write"
    ANY = "any"

    def __repr__(self) -> str:
        return f"Effects.{self.name}"


@dataclass(frozen=True, slots=True)
class Bundle(Node):
    """A tag and values attached to a call site."""

    tag: str
    operands: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class ExternalCall(Node):
    """``targets = function(arguments)`` point by point; *function* is ``module:qualified.name``."""

    targets: tuple[FieldAccess, ...]
    function: str
    arguments: tuple[Expr, ...]
    effects: Effects = Effects.NONE
    bundles: tuple[Bundle, ...] = ()


Stmt: TypeAlias = Assign | If | Check | ExternalCall

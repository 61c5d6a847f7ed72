"""Expressions of the loop program: what one iteration computes, and where.

Every expression carries its dtype. Arithmetic happens in the width that the machine language has:
where a result must wrap or round, a `Conversion` stands around it.
"""

from dataclasses import dataclass
from typing import TypeAlias

from backends.loopnest.base import LoopNode
from iir.dtypes import DType
from iir.expressions import NativeFunction, Operator, UnaryOperator


@dataclass(frozen=True, slots=True)
class Affine(LoopNode):
    """An index or a bound: ``factor * name + offset``, or just the offset. *factor* is 1 or -1."""

    name: str | None
    offset: int = 0
    factor: int = 1


@dataclass(frozen=True, slots=True)
class Slot(LoopNode):
    """The place of an index among *slots* places, a power of two, which are used in turn."""

    index: Affine
    slots: int


Index: TypeAlias = Affine | Slot


@dataclass(frozen=True, slots=True)
class Least(LoopNode):
    """The smallest of several bounds."""

    items: tuple[Affine, ...]


@dataclass(frozen=True, slots=True)
class Greatest(LoopNode):
    """The largest of several bounds."""

    items: tuple[Affine, ...]


@dataclass(frozen=True, slots=True)
class Cut(LoopNode):
    """Where chunk number *chunk* begins when ``[start, stop)`` is cut into *chunks* chunks."""

    start: "Position"
    stop: "Position"
    chunk: Affine
    chunks: str


@dataclass(frozen=True, slots=True)
class Whole(LoopNode):
    """*bound*, which is a multiple of a number of *lanes*, a power of two: vectors leave no rest."""

    bound: Affine
    lanes: int


Position: TypeAlias = Affine | Least | Greatest | Cut | Whole


@dataclass(frozen=True, slots=True)
class Literal(LoopNode):
    value: bool | int | float
    dtype: DType


@dataclass(frozen=True, slots=True)
class Variable(LoopNode):
    """A number argument or a local variable."""

    name: str
    dtype: DType


@dataclass(frozen=True, slots=True)
class Load(LoopNode):
    """An element of a view."""

    view: str
    index: tuple[Index, ...]
    dtype: DType


@dataclass(frozen=True, slots=True)
class UnaryOperation(LoopNode):
    operator: UnaryOperator
    operand: "Value"
    dtype: DType


@dataclass(frozen=True, slots=True)
class BinaryOperation(LoopNode):
    operator: Operator
    left: "Value"
    right: "Value"
    dtype: DType


@dataclass(frozen=True, slots=True)
class Choice(LoopNode):
    """One of two values, both of which are computed."""

    condition: "Value"
    if_true: "Value"
    if_false: "Value"
    dtype: DType


@dataclass(frozen=True, slots=True)
class Native(LoopNode):
    function: NativeFunction
    arguments: tuple["Value", ...]
    dtype: DType


@dataclass(frozen=True, slots=True)
class Conversion(LoopNode):
    """*operand* in another dtype; integers wrap. *saturates*: a float that becomes an integer."""

    operand: "Value"
    dtype: DType
    saturates: bool = False


Value: TypeAlias = Literal | Variable | Load | UnaryOperation | BinaryOperation | Choice | Native | Conversion

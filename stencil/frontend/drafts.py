"""The front end's own tree: names resolved and functions inlined, but dtypes not yet known."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias, assert_never

from iir.dtypes import DType
from iir.expressions import NativeFunction, Offset, Operator, UnaryOperator
from iir.interval import Interval
from iir.nodes import Axes, LoopOrder
from iir.span import Span

Operation: TypeAlias = UnaryOperator | Operator | NativeFunction


@dataclass(frozen=True, slots=True)
class Literal:
    """A number known when the stencil is built; dtype None is weak: it adapts to its neighbours."""

    value: bool | int | float
    dtype: DType | None
    span: Span


@dataclass(frozen=True, slots=True)
class Scalar:
    """A scalar parameter of the stencil."""

    name: str
    span: Span


@dataclass(frozen=True, slots=True)
class Read:
    """A field or temporary, displaced."""

    name: str
    offset: Offset
    span: Span


@dataclass(frozen=True, slots=True)
class Apply:
    """An operator or native function; MIN and MAX take two or more operands here."""

    operation: Operation
    operands: tuple["Draft", ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Choose:
    """``if_true if condition else if_false``."""

    condition: "Draft"
    if_true: "Draft"
    if_false: "Draft"
    span: Span


@dataclass(frozen=True, slots=True)
class Convert:
    """A cast that the user wrote."""

    dtype: DType
    operand: "Draft"
    span: Span


Draft: TypeAlias = Literal | Scalar | Read | Apply | Choose | Convert


@dataclass(frozen=True, slots=True)
class Store:
    """An assignment; *target_span* is where the name stands."""

    name: str
    value: Draft
    span: Span
    target_span: Span


@dataclass(frozen=True, slots=True)
class Branch:
    condition: Draft
    then: tuple["Action", ...]
    orelse: tuple["Action", ...]
    span: Span


Action: TypeAlias = Store | Branch


@dataclass(frozen=True, slots=True)
class Block:
    """The statements for one interval."""

    interval: Interval
    body: tuple[Action, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Computation:
    order: LoopOrder
    blocks: tuple[Block, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Temporary:
    """A temporary; dtype None is to be inferred, *span* None means the front end made it.

    *declared* is where the user has declared it, if anywhere, and *on_heap* whether with ``heap(...)``.
    """

    name: str
    dtype: DType | None
    axes: Axes
    span: Span | None
    declared: Span | None = None
    on_heap: bool = False


def operands(draft: Draft) -> tuple[Draft, ...]:
    """The drafts directly below *draft*."""
    match draft:
        case Literal() | Scalar() | Read():
            return ()
        case Apply(_, inner):
            return inner
        case Choose(condition, if_true, if_false):
            return condition, if_true, if_false
        case Convert(_, operand):
            return (operand,)
        case _:
            assert_never(draft)


def reads(draft: Draft) -> Iterator[Read]:
    """Every read in *draft*."""
    pending = [draft]
    while pending:
        top = pending.pop()
        if isinstance(top, Read):
            yield top
        pending += reversed(operands(top))


def with_operands(draft: Draft, inner: tuple[Draft, ...]) -> Draft:
    """*draft* on other drafts, as `operands` lists them."""
    match draft:
        case Literal() | Scalar() | Read():
            return draft
        case Apply():
            return replace(draft, operands=inner)
        case Choose():
            condition, if_true, if_false = inner
            return replace(draft, condition=condition, if_true=if_true, if_false=if_false)
        case Convert():
            return replace(draft, operand=inner[0])
        case _:
            assert_never(draft)


def displace(draft: Draft, move: Mapping[str, Offset], span: Span) -> Draft:
    """*draft* with each read moved by its name's entry in *move*, as written at *span*."""
    if isinstance(draft, Read):
        offset, extra = draft.offset, move[draft.name]
        return Read(draft.name, Offset(offset.i + extra.i, offset.j + extra.j, offset.k + extra.k), span)
    return with_operands(draft, tuple(displace(item, move, span) for item in operands(draft)))


def stores(computations: Iterable[Computation]) -> Iterator[Store]:
    """Every store, in order, branches included."""
    return (action for action in _actions(computations) if isinstance(action, Store))


def conditions(computations: Iterable[Computation]) -> Iterator[Draft]:
    """Every condition of a branch."""
    return (action.condition for action in _actions(computations) if isinstance(action, Branch))


def _actions(computations: Iterable[Computation]) -> Iterator[Action]:
    for computation in computations:
        for block in computation.blocks:
            yield from _nested(block.body)


def _nested(body: tuple[Action, ...]) -> Iterator[Action]:
    for action in body:
        yield action
        if isinstance(action, Branch):
            yield from _nested(action.then)
            yield from _nested(action.orelse)

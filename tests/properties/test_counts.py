"""The random programs of the fixed seeds hold everything that tests on them claim to cover."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Final, get_args

import pytest

from iir.analyses.accesses import accesses, own_stores
from iir.analyses.extents import extents
from iir.analyses.required_levels import required_levels
from iir.analyses.unset_reads import unset_reads
from iir.dtypes import DType
from iir.expressions import (
    Binary,
    Call,
    Cast,
    Expr,
    FieldAccess,
    NativeFunction,
    Operator,
    Unary,
    UnaryOperator,
)
from iir.extent import DOMAIN
from iir.interval import Bound, interval_levels
from iir.nodes import Axes, Declaration, DoMethod, LoopOrder, MultiStage, Stencil, TemporaryDecl
from iir.statements import Assign, Guard, If, Stmt
from iir.traversal import walk
from iir.verifier import verify
from tests.random_calls import LAYOUTS
from tests.random_stencils import Rejections, random_stencil
from tests.strategies import ORDINARY, Program, mixed_program

PROGRAMS: Final = 300
ITEMS: Final = (*Operator, *UnaryOperator, *NativeFunction, *LoopOrder, *Axes, *DType)

STRUCTURES: Final = (
    *(f"{n} computations" for n in (1, 2, 3, 4)),
    *("8 statements in a computation", "three extents", "nested if", "else"),
    *(
        "if around a neighbour of what it stores",
        "in-place update off-centre",
        "neighbour of a stored argument",
    ),
    *("overlapping intervals", "a gap between intervals", "run-time bound", "empty run-time interval"),
    *("plane temporary stored in a sweep", "plane temporary stored in parallel", "plane argument stored"),
    *("level behind a forward sweep", "level ahead of a forward sweep"),
    *("level behind a backward sweep", "level ahead of a backward sweep"),
    *("read that may be unset", "one column", "required levels", "required levels above one"),
)


def test_random_stencils_are_valid() -> None:
    for item in _programs():
        verify(item.ir, after="random stencil")


@pytest.mark.parametrize("kind", [*get_args(Expr), *get_args(Stmt), Guard], ids=lambda kind: kind.__name__)
def test_every_node_kind_occurs(kind: type) -> None:
    assert _counts()[kind] >= 10


@pytest.mark.parametrize(
    "item", [*Operator, *UnaryOperator, *NativeFunction, *LoopOrder, *Axes, *DType], ids=str
)
def test_every_operation_order_axes_and_dtype_occurs(item: object) -> None:
    assert _counts()[item] >= 5


@pytest.mark.parametrize("kind", get_args(Declaration), ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("dtype", DType, ids=str)
def test_every_declaration_has_every_dtype(kind: type, dtype: DType) -> None:
    assert _counts()[kind, dtype] >= 3


@pytest.mark.parametrize("dtype", DType, ids=str)
def test_every_dtype_is_cast_to(dtype: DType) -> None:
    assert _counts()[Cast, dtype] >= 3


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_occurs(layout: str) -> None:
    assert _counts()[layout] >= 50


@pytest.mark.parametrize("structure", STRUCTURES)
def test_every_structure_occurs(structure: str) -> None:
    assert _counts()[structure] >= 5


def test_few_candidates_are_thrown_away() -> None:
    rejections = Rejections()
    for index in range(100):
        random_stencil(Random(index), ORDINARY, rejections)
    assert rejections.unbounded < 60
    assert rejections.wide < 50
    assert rejections.unset < 150


@cache
def _programs() -> tuple[Program, ...]:
    return tuple(mixed_program(0, index) for index in range(PROGRAMS))


@cache
def _counts() -> Counter[object]:
    """How many programs hold each thing."""
    counts: Counter[object] = Counter()
    for item in _programs():
        counts.update({*_nodes(item.ir), *_declarations(item.ir), *_layouts(item), *_structures(item)})
    return counts


def _nodes(ir: Stencil) -> Iterator[object]:
    for node in walk(ir):
        yield type(node)
        match node:
            case Binary(operator):
                yield operator
            case Unary(unary_operator):
                yield unary_operator
            case Call(function):
                yield function
            case Cast(dtype):
                yield Cast, dtype
            case MultiStage(order):
                yield order


def _declarations(ir: Stencil) -> Iterator[object]:
    for item in (*ir.parameters, *ir.temporaries):
        yield item.dtype
        yield type(item), item.dtype
        yield getattr(item, "axes", None)


def _layouts(item: Program) -> Iterator[str]:
    yield from item.call.layouts.values()


def _structures(item: Program) -> Iterator[str]:
    yield f"{len(item.ir.multistages)} computations"
    for multistage in item.ir.multistages:
        yield from _statement_structures(multistage)
        yield from _interval_structures(multistage, item)
    yield from _plane_structures(item.ir)
    yield from _vertical_structures(item.ir)
    boxes = extents(item.ir).boxes.values()
    if len(set(boxes) - {DOMAIN}) >= 3:
        yield "three extents"
    if unset_reads(item.ir):
        yield "read that may be unset"
    if item.call.domain[:2] == (1, 1):
        yield "one column"
    if item.call.domain[2] == required_levels(item.ir):
        yield "required levels" if item.call.domain[2] == 1 else "required levels above one"


def _statement_structures(multistage: MultiStage) -> Iterator[str]:
    statements = [node for node in walk(multistage) if isinstance(node, get_args(Stmt))]
    if len(statements) >= 8:
        yield "8 statements in a computation"
    for statement in statements:
        match statement:
            case Assign(target, value):
                reads = [node for node in walk(value) if isinstance(node, FieldAccess)]
                if any(read.name == target.name and read.offset != (0, 0, 0) for read in reads):
                    yield "in-place update off-centre"
            case If(_, then, orelse):
                yield from _conditional_structures(then, orelse)


def _conditional_structures(then: tuple[Stmt, ...], orelse: tuple[Stmt, ...]) -> Iterator[str]:
    body = (*then, *orelse)
    if orelse:
        yield "else"
    if any(isinstance(item, If) for item in body):
        yield "nested if"
    stored = {target.name for item in body for target in own_stores(item)}
    nodes = [node for item in body for node in walk(item) if isinstance(node, FieldAccess)]
    if any(node.name in stored and node.offset[:2] != (0, 0) for node in nodes):
        yield "if around a neighbour of what it stores"


def _interval_structures(multistage: MultiStage, item: Program) -> Iterator[str]:
    do_methods = [node for node in walk(multistage) if isinstance(node, DoMethod)]
    scalars = {name: value for name, value in item.call.scalars.items() if isinstance(value, int)}
    nk = item.call.domain[2]
    ranges = [interval_levels(do_method.interval, nk, scalars) for do_method in do_methods]
    levels = Counter(k for range_ in ranges for k in range_)
    if any(levels[k] > 1 for k in levels):
        yield "overlapping intervals"
    if any(k not in levels for k in range(min(levels, default=0), max(levels, default=0))):
        yield "a gap between intervals"
    for do_method, range_ in zip(do_methods, ranges, strict=True):
        if any(isinstance(node, Bound) and isinstance(node.anchor, str) for node in walk(do_method.interval)):
            yield "run-time bound" if range_ else "empty run-time interval"


def _plane_structures(ir: Stencil) -> Iterator[str]:
    planes = {
        item.name: item for item in (*ir.parameters, *ir.temporaries) if getattr(item, "axes", 0) is Axes.IJ
    }
    for access in accesses(ir):
        if access.is_store and access.name in planes:
            is_sweep = access.multistage.order is not LoopOrder.PARALLEL
            if not isinstance(planes[access.name], TemporaryDecl):
                yield "plane argument stored"
            else:
                yield f"plane temporary stored in {'a sweep' if is_sweep else 'parallel'}"


def _vertical_structures(ir: Stencil) -> Iterator[str]:
    """Reads of another level of what the same sweep stores, and of any neighbour of a stored argument."""
    stored: set[tuple[int, str]] = set()
    found = accesses(ir)
    for access in found:
        if access.is_store:
            stored.add((id(access.multistage), access.name))
    temporaries = {item.name for item in ir.temporaries}
    for access in found:
        if access.is_store or (id(access.multistage), access.name) not in stored:
            continue
        order, (i, j, k) = access.multistage.order, access.offset
        if (i or j) and access.name not in temporaries:
            yield "neighbour of a stored argument"
        if order is not LoopOrder.PARALLEL and k:
            is_behind = (k < 0) == (order is LoopOrder.FORWARD)
            side = "behind" if is_behind else "ahead of"
            yield f"level {side} a {order.value} sweep"

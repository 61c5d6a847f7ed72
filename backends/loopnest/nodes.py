"""The loop program: explicit loops, views, allocations and stores. An emitter prints it as it stands.

A program has kernels, one or more for each multistage, and two drivers that call them in order: one
for a single thread, one that shares loops among threads. Drivers take, in this order,

- the arrays of the fields, then the workspaces of their own `Allocate`s;
- the array of check records, if the program has checks;
- the origin of each field, axis by axis; ``ni``, ``nj``, ``nk``; the scalars;
- the parallel driver also the number of chunks that a shared loop is cut into.
"""

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from backends.loopnest.base import LoopNode
from backends.loopnest.expressions import Affine, Index, Position, Value
from backends.loopnest.layout import Layout
from backends.loopnest.stack_rules import Rule
from iir.dtypes import DType
from iir.nodes import LoopOrder, Stencil
from iir.schedule import Axis
from iir.statements import Check


class LoopKind(Enum):
    """SERIAL iterations run in order, LANES may run side by side in one thread, PARALLEL on several."""

    SERIAL = "serial"
    LANES = "lanes"
    PARALLEL = "parallel"

    def __repr__(self) -> str:
        return f"LoopKind.{self.name}"


@dataclass(frozen=True, slots=True)
class Loop(LoopNode):
    """*index* over ``[start, stop)``, from the end if *descending*; with *step* only each so many-th."""

    index: str
    start: Position
    stop: Position
    body: tuple["Step", ...]
    kind: LoopKind = LoopKind.SERIAL
    descending: bool = False
    step: int = 1


@dataclass(frozen=True, slots=True)
class Within(LoopNode):
    """*body* where ``start <= index < stop``."""

    index: str
    start: Position
    stop: Position
    body: tuple["Step", ...]


@dataclass(frozen=True, slots=True)
class Branch(LoopNode):
    condition: Value
    then: tuple["Step", ...]
    orelse: tuple["Step", ...] = ()


@dataclass(frozen=True, slots=True)
class Let(LoopNode):
    """Set a local variable."""

    name: str
    value: Value


@dataclass(frozen=True, slots=True)
class Store(LoopNode):
    """Set an element of a view."""

    view: str
    index: tuple[Index, ...]
    value: Value


@dataclass(frozen=True, slots=True)
class MakeView(LoopNode):
    """*name* is *array* with index 0 at *origin*; *unit* is the axis known to have unit stride.

    With *chunk* the array has one more axis, the last, and the view is of what it holds for a chunk.
    """

    name: str
    array: str
    origin: tuple[Affine, ...]
    dtype: DType
    unit: int | None
    chunk: Affine | None = None


class Memory(Enum):
    """HEAP: the driver's caller passes a workspace. STACK: the frame of the kernel."""

    HEAP = "heap"
    STACK = "stack"

    def __repr__(self) -> str:
        return f"Memory.{self.name}"


@dataclass(frozen=True, slots=True)
class Allocate(LoopNode):
    """An array of so many elements along each axis, its content undefined until `Free`.

    Axis *fastest* has unit stride, and element *aligned* of it begins a cache line. Lowering puts it on
    the heap, around what uses it; the stack-arrays pass moves it where it may, unless it *must_be_heap*
    because somebody wants so, or code outside the stencil may reach it and it *escapes*.
    With *per_chunk* there is one such array for each chunk of a shared loop, stacked along a last axis.
    """

    array: str
    dtype: DType
    sizes: tuple[Affine, ...]
    fastest: int
    aligned: int = 0
    memory: Memory = Memory.HEAP
    must_be_heap: bool = False
    per_chunk: bool = False
    escapes: bool = False


@dataclass(frozen=True, slots=True)
class Free(LoopNode):
    """End the life of an array."""

    array: str


@dataclass(frozen=True, slots=True)
class LaneAllocate(LoopNode):
    """An array of *sizes* for each of *lanes* iterations that may run side by side.

    It is not an `Allocate`: it does not leave its loop, and two of them are never one. All copies of
    the loop's body use one buffer, that of the *anchor*, which is the array that views are made of.
    Loops over lanes that run one after another can leave it to each other: it then stands around them,
    up to the end of its block, and has the *first* index that they may have, on so many *lanes*.
    If it *is_handed_out*, to code that knows of no lanes, all of it lies together, on a multiple of
    *align* bytes; that is for a single loop. *must_be_heap* is that of `Allocate`.
    """

    anchor: str
    dtype: DType
    sizes: tuple[Affine, ...]
    lanes: int
    align: int = 1
    is_handed_out: bool = False
    first: Affine | None = None
    must_be_heap: bool = False


@dataclass(frozen=True, slots=True)
class SaveStack(LoopNode):
    """Remember in *token* how far the stack reaches."""

    token: str


@dataclass(frozen=True, slots=True)
class RestoreStack(LoopNode):
    """End the life of everything that was put on the stack since *token* was set."""

    token: str


@dataclass(frozen=True, slots=True)
class Prefetch(LoopNode):
    """Fetch ``[start, stop)`` of a row of a view into a cache.

    *others* are the indices on all axes but *unit*, that of unit stride. They may lie outside the array.
    """

    view: str
    start: Position
    stop: Position
    others: tuple[Affine, ...]
    unit: int


@dataclass(frozen=True, slots=True)
class Stream(LoopNode):
    """Copy ``[start, stop)`` of the view *row* to a row of *view* in memory, past the caches.

    *others* are the indices of *view* on all axes but *unit*, that of unit stride.
    """

    view: str
    row: str
    start: Position
    stop: Position
    others: tuple[Affine, ...]
    unit: int


@dataclass(frozen=True, slots=True)
class Fence(LoopNode):
    """Wait until all that was streamed has arrived."""


@dataclass(frozen=True, slots=True)
class Return(LoopNode):
    """Leave the function."""


@dataclass(frozen=True, slots=True)
class Report(LoopNode):
    """Record that check *number* of the program failed, unless one with a smaller *key* has."""

    number: int
    key: tuple[Affine, ...]
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class CallExternal(LoopNode):
    """Set local variables to what an external function returns."""

    targets: tuple[str, ...]
    function: str
    arguments: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Invoke(LoopNode):
    """Call a kernel; an argument is the name of an array or number, or a position."""

    kernel: str
    arguments: tuple[str | Position, ...]


@dataclass(frozen=True, slots=True)
class Comment(LoopNode):
    """A line of the user's program, for people."""

    text: str


Step: TypeAlias = (
    Loop
    | Within
    | Branch
    | Let
    | Store
    | MakeView
    | Allocate
    | Free
    | LaneAllocate
    | SaveStack
    | RestoreStack
    | Prefetch
    | Stream
    | Fence
    | Return
    | Report
    | CallExternal
    | Invoke
    | Comment
)


@dataclass(frozen=True, slots=True)
class ArrayParameter(LoopNode):
    name: str
    dtype: DType
    ndim: int


@dataclass(frozen=True, slots=True)
class NumberParameter(LoopNode):
    name: str
    dtype: DType


@dataclass(frozen=True, slots=True)
class IndexParameter(LoopNode):
    name: str


Parameter: TypeAlias = ArrayParameter | NumberParameter | IndexParameter


@dataclass(frozen=True, slots=True)
class Function(LoopNode):
    """A kernel or a driver; *narrow*: it is faster with vectors of at most 256 bits."""

    name: str
    parameters: tuple[Parameter, ...]
    body: tuple[Step, ...]
    narrow: bool = False


@dataclass(frozen=True, slots=True)
class CheckSite(LoopNode):
    """A check of the stencil: what its error says, and how its record is read."""

    check: Check
    order: LoopOrder
    dtypes: tuple[DType, ...]


@dataclass(frozen=True, slots=True)
class ExternalFunction(LoopNode):
    """A function from outside under a name of the program; *place* is ``module:qualified.name``."""

    name: str
    place: str


@dataclass(frozen=True, slots=True)
class FieldInterface(LoopNode):
    """A field argument: the axes it has, and the one that must have unit stride, if any."""

    name: str
    dtype: DType
    axes: tuple[Axis, ...]
    unit: int | None


@dataclass(frozen=True, slots=True)
class Program(LoopNode):
    """Kernels and drivers for calls of one layout.

    There is no parallel driver where no loop may be shared. *ir* is what they were lowered from.
    *stack_rules* tells for each array of a kernel what has decided whether it is on the stack, and
    *temporary_views* the view of each temporary that has an array; *stack_budgets* how many bytes of the
    stack the arrays of each kernel may take.
    """

    ir: Stencil
    fields: tuple[FieldInterface, ...]
    scalars: tuple[NumberParameter, ...]
    kernels: tuple[Function, ...]
    serial: Function
    parallel: Function | None
    workspaces: tuple[Allocate, ...]
    checks: tuple[CheckSite, ...]
    externals: tuple[ExternalFunction, ...]
    layout: Layout
    stack_rules: tuple[tuple[str, Rule], ...] = ()
    temporary_views: tuple[tuple[str, str], ...] = ()
    stack_budgets: tuple[int, ...] = ()


def functions(program: Program) -> tuple[Function, ...]:
    """All functions of *program*, kernels first."""
    return (*program.kernels, program.serial, *((program.parallel,) if program.parallel else ()))

"""Short ways to write functions with arrays."""

from textwrap import dedent

from backends.loopnest.expressions import Affine, Literal, Position, Variable
from backends.loopnest.nodes import (
    Allocate,
    Branch,
    Free,
    Function,
    IndexParameter,
    Let,
    Loop,
    LoopKind,
    MakeView,
    Step,
    Store,
)
from iir.dtypes import DType

ZERO = Affine(None, 0)
CONDITION = Literal(True, DType.BOOL)


def function(*steps: Step) -> Function:
    return Function("f", (IndexParameter("n"), IndexParameter("m")), steps)


def body_text(function: Function) -> str:
    return dedent("\n".join(str(function).splitlines()[1:]))


def size(value: int | str) -> Affine:
    return Affine(None, value) if isinstance(value, int) else Affine(value)


def allocate(array: str, *sizes: int | str, must_be_heap: bool = False, escapes: bool = False) -> Allocate:
    own = tuple(map(size, sizes))
    return Allocate(array, DType.FLOAT64, own, 0, must_be_heap=must_be_heap, escapes=escapes)


def free(array: str) -> Free:
    return Free(array)


def view(array: str, *origin: int | str) -> MakeView:
    return MakeView(array.removesuffix("_array"), array, tuple(map(size, origin)), DType.FLOAT64, 0)


def store(name: str, *index: int | str) -> Store:
    return Store(name, tuple(map(size, index)), Literal(1.0, DType.FLOAT64))


def loop(index: str, *steps: Step, stop: Position | int = 3, kind: LoopKind = LoopKind.SERIAL) -> Loop:
    end = Affine(None, stop) if isinstance(stop, int) else stop
    return Loop(index, ZERO, end, steps, kind)


def branch(*then: Step, orelse: tuple[Step, ...] = ()) -> Branch:
    return Branch(CONDITION, then, orelse)


def let(name: str, value: str | int = 1) -> Let:
    if isinstance(value, int):
        return Let(name, Literal(value, DType.INT64))
    return Let(name, Variable(value, DType.INT64))
